import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Damage that libav* can report is a loss, and complete files have no losses.
@Suite(.timed) struct DamageDetectionTests {
  /// A recording in one codec and container.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let options: [String]
    var testDescription: String { name }

    init(_ name: String, _ options: String...) { (self.name, self.options) = (name, options) }
  }

  enum Kind: String, CaseIterable, Sendable {
    case bits, hole, blank, cut, first
  }

  static let rows = [
    Row("avc.mp4", "-c:v", "libx264", "-c:a", "aac"),
    Row("avc.flv", "-c:v", "libx264", "-c:a", "aac"),
    Row("avc.mkv", "-c:v", "libx264", "-c:a", "libopus"),
    Row("avc.ts", "-c:v", "libx264", "-c:a", "aac"),
    Row("hevc.mp4", "-c:v", "libx265", "-x265-params", "log-level=none:hash=1", "-an"),
    Row("vp8.webm", "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"),
    Row("theora.ogv", "-c:v", "libtheora", "-c:a", "libvorbis"),
    Row("opus.ogg", "-vn", "-c:a", "libopus"), Row("flac.flac", "-vn", "-c:a", "flac"),
  ]

  private static func make(_ row: Row, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("whole." + row.name)
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=3,noise=alls=9", "-f", "lavfi", "-i",
        "sine=sample_rate=48000:d=3", "-pix_fmt", "yuv420p", "-g", "25", "-threads", "1",
      ] + row.options + [path])
    return path
  }

  /// Returns all losses from reading a file; throws if the file cannot be opened.
  private static func losses(_ path: String) throws -> [MediaLoss] {
    let scan = try MediaFileInfo.scan(path)
    var losses = scan.file.losses
    for track in scan.file.tracks {
      if track.stream.kind == .video {
        var reader = try PictureReader.open(scan.pictures(track), cancellation: Cancellation())
        while reader.next() != nil { continue }
        losses += reader.takeLosses().map { loss in
          let time = scan.pictures(track).time(of: loss.packet)
          return MediaLoss(loss.cause, track.stream, start: time, end: time)
        }
      } else {
        var reader = try SoundReader.open(scan.sound(track), cancellation: Cancellation())
        while reader.next() != nil { continue }
        losses += reader.losses
      }
    }
    return losses
  }

  /// Damages a file between a third and two thirds of its size, or in its first keyframe.
  private static func damage(_ kind: Kind, _ path: String, as other: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    var random = SplitMix64(seed: 7)
    let (low, high) = (bytes.count / 3, bytes.count * 2 / 3)
    switch kind {
    case .bits:
      for _ in 0..<40 { bytes[Int.random(in: low..<high, using: &random)] ^= 0x10 }
    case .hole: bytes.removeSubrange(low..<min(high, low + 2048))
    case .blank: for index in low..<min(high, low + 2048) { bytes[index] = 0 }
    case .cut: bytes.removeSubrange(high...)
    case .first:
      let scan = try MediaFileInfo.scan(path)
      let index = scan.index(of: scan.file.tracks[0])
      let (start, size) = (Int(index.positions[0]), Int(index.sizes[0]))
      for index in start + size / 2..<start + size * 3 / 4 { bytes[index] ^= 0x5a }
    }
    try bytes.write(to: URL(filePath: other))
  }

  /// True if FFmpeg, with all checks, reports an error of a file.
  private static func isFindable(_ path: String) throws -> Bool {
    let checks = ["-v", "error", "-threads", "1", "-err_detect", "crccheck+bitstream+buffer"]
    let result = try Tool.run("ffmpeg", checks + ["-i", path, "-f", "null", "-"])
    return result.status != 0 || !result.messages.isEmpty
  }

  @Test("Damage that FFmpeg can report is named, with its time", arguments: rows)
  func table(row: Row) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.make(row, in: folder)
    #expect(try Self.losses(whole) == [])
    for kind in Kind.allCases {
      let path = folder.path("\(kind.rawValue).\(row.name)")
      try Self.damage(kind, whole, as: path)
      guard let losses = try? Self.losses(path) else { continue }
      let isNamed = losses.contains { $0.start != nil && $0.end != nil }
      let isCut = losses.contains { if case .cutOff = $0.cause { true } else { false } }
      if try Self.isFindable(path) {
        #expect(isNamed || isCut, "\(row.name), \(kind): \(losses)")
      }
    }
  }

  /// Damages bits of the first keyframe, on which everything up to the next keyframe depends.
  @Test(arguments: ["avc.mp4", "avc.mkv"])
  func aDamagedFirstKeyframeIsALossUpToTheNext(name: String) throws {
    let folder = try TemporaryFolder()
    let row = try #require(Self.rows.first { $0.name == name })
    let (whole, path) = (try Self.make(row, in: folder), folder.path(name))
    try Self.damage(.first, whole, as: path)
    let source = try #require(try PictureSource.preferred(path))
    #expect(source.track.firstPicture?.packet == 0)
    var reader = try PictureReader.open(source, cancellation: Cancellation())
    let shown = reader.shown(of: source)
    #expect(shown.count == 75)
    let damaged = Set(
      reader.takeLosses().filter { $0.cause == .damagedPictures(1) }.map(\.packet))
    #expect(damaged == Set(0..<25), "\(damaged.sorted())")
  }

  /// A recorder that joins a running stream keeps the stream's positions.
  @Test func anOggFileWithALateStartIsComplete() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("late.ogg")
    try Tool.ffmpeg(
      TestRecording.sound + ["-c:a", "libopus", "-output_ts_offset", "515", path])
    let file = try MediaFileInfo.scan(path).file
    #expect(
      file.losses == [] && file.notes.contains { if case .startsAt = $0 { true } else { false } })
  }

  /// Two of four pages are damaged: libav* skips them, or ends there.
  @Test(arguments: ["libopus", "libvorbis"])
  func damagedPagesAreLossesWithATime(codec: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.ogg")
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=6:a=0.2", "-c:a", codec, path])
    var bytes = try Data(contentsOf: URL(filePath: path))
    for place in stride(from: bytes.count * 2 / 5, to: bytes.count * 3 / 5, by: 512) {
      bytes[place] ^= 4
    }
    try bytes.write(to: URL(filePath: path))
    let losses = try Self.losses(path)
    let covering = losses.contains {
      $0.stream == 0 && $0.start?.seconds ?? 9 <= 2.5 && $0.end?.seconds ?? 0 >= 3.5
    }
    #expect(covering, "\(losses)")
  }

  @Test func aTruncatedPageIsMissing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.ogg")
    try Tool.ffmpeg(TestRecording.sound + ["-c:a", "libopus", path])
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.dropLast(10).write(to: URL(filePath: path))
    #expect(try MediaFileInfo.scan(path).file.losses.map(\.cause) == [.cutOff(missingBytes: 10)])
  }
}
