import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Sample counts of packets, by codec.
@Suite(.timed) struct PacketSampleCountsTests {
  private static func counts(
    _ name: String, _ options: [String], in folder: TemporaryFolder
  ) throws -> (counts: [Int], rates: Set<Int>) {
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2"] + options + [folder.path(name)])
    let scan = try MediaFileInfo.scan(folder.path(name))
    let track = try #require(scan.file.tracks.first)
    let samples = scan.index(of: track).samples
    #expect(samples.count == track.packets.count)
    return (track.packets.map { samples[$0].samples }, Set(track.packets.map { samples[$0].rate }))
  }

  @Test(arguments: [
    ("a.mp4", ["-c:a", "aac"], 1024, 48_000),
    ("a.mkv", ["-c:a", "aac", "-ar", "44100"], 1024, 44_100),
    ("a.aac", ["-c:a", "aac", "-ar", "32000"], 1024, 32_000),
    ("a.ts", ["-c:a", "aac"], 1024, 48_000),
    ("b.mp4", ["-c:a", "libmp3lame"], 1152, 48_000),
    ("b.mkv", ["-c:a", "libmp3lame", "-ar", "22050"], 576, 22_050),
    ("b.mp3", ["-c:a", "libmp3lame"], 1152, 48_000), ("c.ts", ["-c:a", "mp2"], 1152, 48_000),
    ("d.ogg", ["-c:a", "libopus", "-frame_duration", "60"], 2880, 48_000),
    ("d.mkv", ["-c:a", "libopus", "-ar", "8000", "-frame_duration", "10"], 480, 48_000),
    ("e.flac", ["-c:a", "flac", "-frame_size", "4096"], 4096, 48_000),
    ("f.mkv", ["-c:a", "ac3"], 1536, 48_000), ("g.mkv", ["-c:a", "eac3"], 1536, 48_000),
  ])
  func sampleCountsMatchTheCodec(
    name: String, options: [String], samples: Int, rate: Int
  ) throws {
    let (counts, rates) = try Self.counts(name, options, in: try TemporaryFolder())
    #expect(rates == [rate] && counts.count > 5)
    #expect(counts.dropLast().allSatisfy { $0 == samples }, "\(Set(counts))")
  }

  /// Each recording in a chain has its own headers and rate.
  @Test func chainedVorbisUsesTheHeadersOfEachStream() throws {
    let folder = try TemporaryFolder()
    let parts = try [(44_100, 1), (16_000, 3)].map { rate, seconds in
      let path = folder.path("\(rate).ogg")
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "sine=sample_rate=\(rate):duration=\(seconds)", "-c:a", "libvorbis",
        "-serial_offset", "\(seconds)", path,
      ])
      return try Data(contentsOf: URL(filePath: path))
    }
    try (parts[0] + parts[1]).write(to: URL(filePath: folder.path("chain.ogg")))
    let scan = try MediaFileInfo.scan(folder.path("chain.ogg"))
    #expect(scan.file.tracks.count == 2)
    for (track, (rate, seconds)) in zip(scan.file.tracks, [(44_100, 1.0), (16_000, 3)]) {
      let samples = scan.index(of: track).samples
      let length =
        samples.length(before: track.packets.upperBound, atRate: rate)
        - samples.length(before: track.packets.lowerBound, atRate: rate)
      #expect(samples[track.packets.upperBound - 1].rate == rate)
      #expect(abs(length / Double(rate) - seconds) < 0.1)
      #expect(abs((track.end - track.start).seconds - seconds) < 0.1)
    }
  }

  @Test func durationsAddUp() throws {
    let folder = try TemporaryFolder()
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "aevalsrc=0.4*sin(800*t*t)*lt(mod(t\\,0.4)\\,0.05):duration=4", "-c:a",
      "libvorbis", folder.path("a.ogg"),
    ])
    let scan = try MediaFileInfo.scan(folder.path("a.ogg"))
    let track = try #require(scan.file.tracks.first)
    let index = scan.index(of: track)
    #expect(Set(track.packets.map { index.samples[$0].samples }).count > 2)
    var sum = 0
    for packet in track.packets {
      let length = index.samples.length(before: packet, atRate: 44_100)
      #expect(abs(length - Double(sum)) < 1e-6)
      sum += index.samples[packet].samples
    }
    #expect(PacketIndex(encoded: index.encoded)?.samples == index.samples)
    #expect(index.encoded.count <= 8 * index.count + 64)
  }
}
