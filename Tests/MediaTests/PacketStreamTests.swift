import Foundation
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraMedia

@Suite struct PacketStreamTests {
  private static func make(
    _ name: String, _ options: [String], in folder: TemporaryFolder
  ) throws -> MediaScan {
    let path = folder.path(name)
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=6", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=48000:duration=6",
      ] + options + [path])
    return try MediaFile.scan(path)
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

  /// Every packet that reading can begin at is found where the index says, with its payload.
  @Test(arguments: formats)
  func everyPlaceIsFound(name: String, options: [String]) throws {
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

  /// A file that was cut off after it was scanned has lost something, and is read as far as it
  /// goes.
  @Test func aFileThatHasBecomeShorterIsALoss() throws {
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
