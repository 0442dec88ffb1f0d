import Foundation
import Glibc
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs

@Suite(.timed) struct PacketStreamTests {
  private static func make(
    _ name: String, _ options: [String], in folder: TemporaryFolder
  ) throws -> MediaScanResult {
    let path = folder.path(name)
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=6", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=48000:duration=6",
      ] + options + [path])
    return try MediaFileInfo.scan(path)
  }

  private static let x264 = ["-c:v", "libx264", "-g", "25", "-bf", "2", "-preset", "ultrafast"]
  private static let vp8 = [
    "-c:v", "libvpx", "-g", "25", "-deadline", "realtime", "-cpu-used", "8",
  ]

  private static let formats = [
    ("a.mp4", x264 + ["-c:a", "aac"]),
    ("fragments.mp4", x264 + ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]),
    ("a.webm", vp8 + ["-c:a", "libopus"]), ("live.webm", vp8 + ["-c:a", "libopus", "-live", "1"]),
    ("a.mkv", x264 + ["-c:a", "aac"]), ("a.ts", x264 + ["-c:a", "aac"]),
    ("a.flv", x264 + ["-c:a", "aac"]),
    ("a.ogv", ["-c:v", "libtheora", "-g", "25", "-c:a", "libvorbis"]),
    ("a.avi", ["-c:v", "mpeg4", "-g", "25", "-c:a", "pcm_s16le"]),
  ]

  /// Every packet at which reading can start is found by the index, with its payload.
  @Test(arguments: formats)
  func everyStartIsFound(name: String, options: [String]) throws {
    let folder = try TemporaryFolder()
    let scan = try Self.make(name, options, in: folder)
    let traits = ContainerTraits(scan.file.container)
    for track in scan.file.tracks {
      let index = scan.index(of: track)
      for packet in stride(from: 0, to: index.count, by: 19) {
        let place = traits.place(of: packet, in: index)
        #expect(place != nil || packet < 60, "packet \(packet)")
        var packets = try PacketStream.open(
          scan.file.path, stream: track.stream.index, index, from: packet,
          cancellation: Cancellation())
        let found = try Packet.allocate()
        let number = try packets.read(into: found)
        #expect(number == packet && found.size == Int(index.sizes[packet]))
      }
    }
  }

  /// A file that is being fetched gives the same packets, and only the needed ranges are fetched.
  @Test(arguments: formats)
  func aFileIsReadWhileItIsFetched(name: String, options: [String]) throws {
    let folder = try TemporaryFolder()
    let scan = try Self.make(name, options, in: folder)
    let whole = try Data(contentsOf: URL(fileURLWithPath: scan.file.path))
    let path = folder.path("part-" + name)
    PartialFile.expect(below: folder.path)
    let part = try PartialFile.make(path, size: whole.count)
    let (fetched, isDone) = (ConditionLock(0), ConditionLock(false))
    let fetching = ThreadGroup(count: 1, name: "fetching") {
      while !isDone.withLock({ $0 }) {
        guard let wanted = part.takeWanted() else {
          usleep(200)
          continue
        }
        for range in part.missing(in: wanted..<wanted + 8192) {
          let bytes = Array(whole[range])
          unsafe pwrite(part.descriptor, bytes, bytes.count, range.lowerBound)
          part.note(range)
          fetched.update { $0 += range.count }
        }
      }
    }
    let track = try #require(scan.file.tracks.first { $0.stream.kind == .video })
    let index = scan.index(of: track)
    for packet in [index.count - 9, 0, index.count / 2] {
      var streams = try [scan.file.path, path].map { path in
        try OpenStream(path, track.stream.index, index, from: packet)
      }
      for _ in 0..<5 {
        let packets = try streams.indices.map { try streams[$0].next() }
        #expect(packets[0] == packets[1] && packets[0] != nil)
      }
    }
    isDone.update { $0 = true }
    fetching.join()
    if !name.hasPrefix("fragments") { #expect(fetched.withLock { $0 } < whole.count) }
  }

  /// A file truncated after its scan has a loss, and is read to its end.
  @Test func aShortenedFileIsALoss() throws {
    let folder = try TemporaryFolder()
    let scan = try Self.make("a.mkv", Self.x264 + ["-c:a", "aac"], in: folder)
    let source = scan.pictures(try #require(scan.file.tracks(.video).first))
    let whole = try source.shown()
    let data = try Data(contentsOf: URL(filePath: scan.file.path))
    try (data + data.prefix(5000)).write(to: URL(filePath: scan.file.path))
    #expect(try source.shown() == whole)
    try data.prefix(data.count / 2).write(to: URL(filePath: scan.file.path))
    var reader = try PictureReader.open(source, cancellation: Cancellation())
    let part = reader.shown(of: source)
    #expect(!part.isEmpty && part.count < whole.count)
    #expect(reader.fileLosses.contains { if case .shrunk = $0 { true } else { false } })
  }
}

/// A stream's packets, as bytes.
private struct OpenStream {
  private final class HeldPicture {
    var packets: PacketStream
    init(_ packets: consuming PacketStream) { self.packets = packets }
  }

  private let held: HeldPicture

  init(_ path: String, _ stream: Int, _ index: PacketIndex, from packet: Int) throws {
    held = HeldPicture(
      try PacketStream.open(path, stream: stream, index, from: packet, cancellation: Cancellation())
    )
  }

  /// Returns the bytes of the next packet, or `nil` at the end.
  mutating func next() throws -> [UInt8]? {
    let packet = try Packet.allocate()
    guard let number = try held.packets.read(into: packet) else { return nil }
    return unsafe packet.withPayload { unsafe Array("\(number):".utf8) + Array($0) }
  }
}
