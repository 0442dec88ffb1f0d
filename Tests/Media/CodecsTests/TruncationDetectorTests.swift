import Foundation
import TesseraCodecs
import TesseraMessages
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Parts that a file declares but does not contain are losses with an interval.
@Suite(.timed) struct TruncationDetectorTests {
  private static let formats: [(name: String, options: [String])] = [
    ("a.mp4", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"]),
    (
      "f.mp4",
      ["-c:v", "libx264", "-c:a", "aac", "-g", "25", "-movflags", "frag_keyframe+empty_moov"]
    ),
    ("a.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]),
    ("a.flv", ["-c:v", "libx264", "-bf", "0", "-c:a", "aac"]),
    ("a.ogv", ["-c:v", "libtheora", "-c:a", "libvorbis"]),
    ("a.ts", ["-c:v", "libx264", "-c:a", "aac"]),
    ("a.ogg", ["-map", "1", "-c:a", "libopus"]), ("a.wav", ["-map", "1"]),
    ("b.wav", ["-map", "1", "-c:a", "adpcm_ima_wav"]),
    ("a.avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]),
  ]

  private static func make(_ name: String, in folder: TemporaryFolder) throws -> Data {
    let options = try #require(formats.first { $0.name == name }).options
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-f", "lavfi", "-i",
        "sine=sample_rate=48000:d=4",
      ] + options + [folder.path(name)])
    return try Data(contentsOf: URL(filePath: folder.path(name)))
  }

  /// Returns the losses of a file with the content `bytes`.
  private static func losses(
    _ bytes: Data, _ name: String, in folder: TemporaryFolder
  ) throws -> [MediaLoss] {
    let path = folder.path("damaged." + name)
    try bytes.write(to: URL(filePath: path))
    return try MediaFileInfo.scan(path).file.losses
  }

  private static func interval(_ loss: MediaLoss?) -> (start: Double, end: Double) {
    (loss?.start?.seconds ?? -1, loss?.end?.seconds ?? -1)
  }

  @Test(arguments: formats.map(\.name))
  func aCompleteFileHasNoLosses(name: String) throws {
    let folder = try TemporaryFolder()
    #expect(try Self.losses(try Self.make(name, in: folder), name, in: folder).isEmpty)
  }

  /// The header states the duration.
  @Test(arguments: ["a.webm", "a.flv", "a.avi"])
  func theEndOfATruncatedFileIsMissing(name: String) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.make(name, in: folder)
    let losses = try Self.losses(whole.prefix(whole.count * 2 / 3), name, in: folder)
    let missing = losses.filter { $0.cause == .missing }
    #expect(missing.count == 2, "\(losses)")
    for loss in missing {
      let (start, end) = Self.interval(loss)
      #expect(start > 1.5 && start < 3.5 && abs(end - 4) < 0.1, "\(loss)")
    }
    #expect(missing.first?.description.contains("from 0:0") == true)
  }

  /// The end of a single stream with a constant bit rate is computable.
  @Test(arguments: ["a.wav", "b.wav"])
  func theEndOfTruncatedSoundIsMissing(name: String) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.make(name, in: folder)
    let losses = try Self.losses(whole.prefix(whole.count / 2), name, in: folder)
    let (start, end) = Self.interval(losses.first { $0.cause == .missing })
    #expect(abs(start - 2) < 0.1 && abs(end - 4) < 0.1, "\(losses)")
  }

  /// A second of pages in the middle is missing.
  @Test func aHoleInADamagedFileIsMissing() throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.make("a.ogg", in: folder)
    let (start, end) = (bytes.count * 2 / 5, bytes.count * 7 / 10)
    for index in start..<end { bytes[index] = 0x55 }
    let losses = try Self.losses(bytes, "a.ogg", in: folder)
    let hole = try #require(losses.first { $0.cause == .missing }, "\(losses)")
    let interval = Self.interval(hole)
    #expect(interval.start > 0.5 && interval.end < 3.9 && interval.end - interval.start > 0.9)
  }

  /// After a fragment that is no longer a box, reading stops.
  @Test func fragmentsAfterAHoleAreUnread() throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.make("f.mp4", in: folder)
    let moof = Data("moof".utf8)
    let second = try #require(bytes.range(of: moof, in: bytes.count / 2..<bytes.count))
    for index in second.lowerBound - 4..<second.upperBound { bytes[index] = 0xff }
    let losses = try Self.losses(bytes, "f.mp4", in: folder)
    let unread = losses.compactMap { loss -> Int64? in
      if case .unread(let count) = loss.cause { count } else { nil }
    }
    #expect(unread == [Int64(bytes.count - second.lowerBound + 4)], "\(losses)")
  }
}
