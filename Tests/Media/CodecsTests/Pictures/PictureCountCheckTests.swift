import TesseraSystem
import TestSupport
import Testing

@testable import TesseraCodecs

/// Pictures that packets announce, compared with those that decoders return.
@Suite(.timed) struct PictureCountCheckTests {
  @Test("A picture overtaken by a later one is missing, and so are outstanding ones at the end")
  func counting() {
    var announced = PictureCountCheck()
    // Decoded as 0 4 2 1 3, shown as 0 1 2 3 4: the picture of packet 2 is missing.
    let order = [0: 0, 1: 4, 2: 2, 3: 1, 4: 3]
    let isBefore = { (packet: Int) in { order[$0] ?? 0 < order[packet] ?? 0 } }
    for packet in 0..<5 { #expect(announced.announce(packet) == nil) }
    var missing: [Int] = []
    for packet in [0, 3, 4] {
      let isInTime = announced.receive(packet)
      #expect(isInTime)
      while let lost = announced.takeMissing(before: packet, isBefore(packet)) {
        missing.append(lost)
      }
    }
    #expect(missing == [2])
    // This late picture is not shown, and not counted twice.
    let isInTime = announced.receive(2)
    #expect(!isInTime)
    #expect(announced.takeRemaining() == 1 && announced.takeRemaining() == nil)
  }

  @Test("A decoder that returns nothing does not make the count grow")
  func bound() {
    var announced = PictureCountCheck()
    let lost = (0..<100).compactMap { announced.announce($0) }
    #expect(lost == Array(0..<36))
  }

  struct Clip: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    /// The minimum number of packets that announce no picture.
    var silentCount = 0
    var testDescription: String { name }
  }

  /// Packets that announce no picture, by codec.
  static let clips = [
    Clip(
      name: "alternate-references.vp8.webm",
      arguments: [
        "-c:v", "libvpx", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-arnr-maxframes", "5",
      ],
      silentCount: 1),
    Clip(
      name: "alternate-references.vp9.webm",
      arguments: [
        "-c:v", "libvpx-vp9", "-cpu-used", "8", "-auto-alt-ref", "1", "-lag-in-frames", "16",
      ]),
    Clip(
      name: "hidden.av1.mkv",
      arguments: ["-c:v", "libaom-av1", "-cpu-used", "8", "-lag-in-frames", "19"]),
    Clip(
      name: "open-groups.hevc.mp4",
      arguments: [
        "-c:v", "libx265", "-x265-params", "keyint=10:open-gop=1:bframes=3:log-level=none",
      ]),
    Clip(name: "reordered.h264.ts", arguments: ["-c:v", "libx264", "-bf", "3"]),
    Clip(name: "not-coded.mpeg4.avi", arguments: ["-c:v", "mpeg4", "-bf", "2"]),
    Clip(name: "mpeg2.ts", arguments: ["-c:v", "mpeg2video", "-bf", "2"]),
    Clip(name: "theora.ogg", arguments: ["-c:v", "libtheora"]),
  ]

  @Test(arguments: clips) func nothingIsMissing(of clip: Clip) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(clip.name)
    let input = ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2"]
    for pass in clip.silentCount > 0 ? ["1", "2"] : [] {
      try Tool.ffmpeg(
        input + clip.arguments + ["-pass", pass, "-passlogfile", folder.path("log"), path])
    }
    if clip.silentCount == 0 { try Tool.ffmpeg(input + clip.arguments + [path]) }
    let source = try #require(try PictureSource.preferred(path))
    var reader = try PictureReader.open(source, cancellation: Cancellation())
    var count = 0
    while reader.next() != nil { count += 1 }
    #expect(count == 50 && reader.takeLosses().isEmpty)
    #expect(source.index.count - count >= clip.silentCount)
  }

  @Test("HEVC leading pictures that a cut made undecodable do not count as missing")
  func leadingPictures() throws {
    let folder = try TemporaryFolder()
    let (whole, path) = (folder.path("whole.mkv"), folder.path("cut.mkv"))
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2"] + Self.clips[3].arguments
        + [whole])
    try Tool.ffmpeg(["-ss", "1", "-i", whole, "-c", "copy", path])
    let source = try #require(try PictureSource.preferred(path))
    var reader = try PictureReader.open(source, cancellation: Cancellation())
    while reader.next() != nil {}
    #expect(reader.takeLosses().isEmpty)
  }
}
