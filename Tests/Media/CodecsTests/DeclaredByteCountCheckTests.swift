import Foundation
import TesseraCodecs
import TesseraSystem
import TestSupport
import Testing

/// The end of a file as evidence of truncation.
@Suite(.timed) struct DeclaredByteCountCheckTests {
  private static func damage(_ bytes: Data, _ name: String, in folder: TemporaryFolder) throws
    -> [MediaLoss.Cause]
  {
    let path = folder.path(name)
    try bytes.write(to: URL(filePath: path))
    return try MediaFileInfo.scan(path).file.losses.map(\.cause)
  }

  private static func make(_ name: String, _ options: [String], in folder: TemporaryFolder) throws
    -> Data
  {
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-f", "lavfi", "-i",
        "sine=sample_rate=44100:d=2",
      ] + options + [folder.path(name)])
    return try Data(contentsOf: URL(filePath: folder.path(name)))
  }

  @Test(arguments: [("a.wav", ["-map", "1"]), ("a.avi", ["-c:v", "mpeg4", "-c:a", "pcm_s16le"])])
  func aTruncatedFileIsDamaged(name: String, options: [String]) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.make(name, options, in: folder)
    let half = try Self.damage(whole.prefix(whole.count / 2), "half." + name, in: folder)
    #expect(half.first == .cutOff(missingBytes: Int64(whole.count - whole.count / 2)))
    // Each stream also lacks its rest.
    #expect(half.count == (name.hasSuffix("wav") ? 2 : 3))
    #expect(half.dropFirst().allSatisfy { $0 == .missing })
  }

  /// Lengths in headers of streamed sound files: unknown, including the header, or a byte too long.
  @Test(arguments: [UInt32(0x7fff_ff24), 0x7fff_f024, 0xffff_ffff, 0, 8, 1])
  func placeholderLengthsAreNoDamage(length: UInt32) throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.make("a.wav", ["-map", "1"], in: folder)
    let written = length < 16 && length > 0 ? UInt32(bytes.count) - 8 + length : length
    bytes.replaceSubrange(4..<8, with: (0..<4).map { UInt8(written >> (8 * $0) & 255) })
    #expect(try Self.damage(bytes, "b.wav", in: folder) == [])
  }

  /// FFmpeg cannot continue with a link of other streams.
  @Test func anUnreadableLinkIsDamage() throws {
    let folder = try TemporaryFolder()
    let links = try ["a.ogv", "b.ogv"].map {
      try Self.make($0, ["-c:v", "libtheora", "-c:a", "libvorbis"], in: folder)
    }
    let damage = try Self.damage(links[0] + links[1], "both.ogv", in: folder)
    guard damage.count == 1, case .stoppedEarly(_?) = damage.first else {
      Issue.record("\(damage)")
      return
    }
  }

  /// A recorder of unknown length, started twice.
  @Test func aSecondSegmentIsNoDamage() throws {
    let folder = try TemporaryFolder()
    let live = try Self.make(
      "a.webm", ["-c:v", "libvpx", "-c:a", "libopus", "-ar", "48000", "-live", "1"], in: folder)
    #expect(try Self.damage(live + live, "both.webm", in: folder) == [])
  }

  @Test func aMovieThatIsTruncatedOrFollowedByAnotherIsDamaged() throws {
    let folder = try TemporaryFolder()
    let (fragments, cut) = (folder.path("fragments.mp4"), folder.path("cut.mp4"))
    try Tool.ffmpeg(
      TestRecording.pictures + [
        "-c:v", "libx264", "-g", "10", "-movflags", "frag_keyframe+empty_moov", fragments,
      ])
    #expect(try MediaFileInfo.scan(fragments).file.losses.isEmpty)
    let trailed = folder.path("trailed.mp4")
    try (Data(contentsOf: URL(filePath: fragments)) + Data("not a box".utf8)).write(
      to: URL(filePath: trailed))
    #expect(try MediaFileInfo.scan(trailed).file.losses.isEmpty)
    // The last fragment lacks a few samples, and the index after it is missing.
    let data = try Data(contentsOf: URL(filePath: fragments))
    let index = try #require(data.range(of: Data("mfra".utf8)))
    try data.prefix(index.lowerBound - 4 - 20).write(to: URL(filePath: cut))
    #expect(try MediaFileInfo.scan(cut).file.losses.map(\.cause) == [.cutOff(missingBytes: 20)])
    let path = try TestRecording.chain(
      TestRecording.pictures + ["-c:v", "libx264"], "two.mp4", in: folder)
    #expect(try MediaFileInfo.scan(path).file.losses.map(\.cause) == [.anotherRecordingFollows])
  }
}
