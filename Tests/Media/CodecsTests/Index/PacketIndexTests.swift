import Foundation
import TesseraCodecs
import TestSupport
import Testing

@Suite(.timed) struct PacketIndexTests {
  /// Returns the indexes of a recording's pictures and sound, by kind.
  private static func indexes(
    _ name: String, _ options: [String], in folder: TemporaryFolder
  ) throws -> [PacketIndex] {
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=24", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=48000:duration=24",
      ] + options + [folder.path(name)])
    let scan = try MediaFileInfo.scan(folder.path(name))
    return scan.file.tracks.map(scan.index)
  }

  @Test(arguments: [
    ("a.mp4", ["-c:v", "libx264", "-bf", "3", "-g", "48", "-preset", "ultrafast"]),
    ("a.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"]),
  ])
  func everyIndexIsDecodedFromFewBytes(name: String, options: [String]) throws {
    let folder = try TemporaryFolder()
    for index in try Self.indexes(name, options, in: folder) {
      let bytes = index.encoded
      #expect(index.count > 500 && bytes.count <= 8 * index.count + 64)
      #expect(PacketIndex(encoded: bytes) == index)
      #expect(PacketIndex.name(of: bytes).count == 32)
      #expect(index.payloadHashes.count == (index.count + 31) / 32)
    }
    #expect(PacketIndex(encoded: PacketIndex().encoded) == PacketIndex())
  }

  @Test func invalidBytesAreRefused() throws {
    let folder = try TemporaryFolder()
    let options = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"]
    let bytes = try #require(try Self.indexes("a.webm", options, in: folder).first).encoded
    #expect(PacketIndex(encoded: []) == nil && PacketIndex(encoded: bytes.dropLast()) == nil)
    var random = SplitMix64(seed: 11)
    for _ in 0..<200 {
      var changed = bytes
      let place = Int.random(in: 0..<bytes.count, using: &random)
      changed[place] ^= UInt8.random(in: 1...255, using: &random)
      #expect(PacketIndex(encoded: changed) == nil, "byte \(place)")
    }
  }
}
