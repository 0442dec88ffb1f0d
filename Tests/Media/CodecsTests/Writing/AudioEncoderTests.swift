import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct AudioEncoderTests {
  /// Writes interleaved samples as AAC in an MP4 file.
  private static func encode(_ samples: [Float], to path: String) throws {
    var encoder = try AudioEncoder.open(SoundEncoderSettings(bitRate: 128_000))
    var muxer = try Muxer.create(path, cancellation: Cancellation())
    let stream = try muxer.addStream(encoder)
    try muxer.begin(tags: [:])
    for start in stride(from: 0, to: samples.count, by: 2 * AudioEncoder.blockLength) {
      let end = min(samples.count, start + 2 * AudioEncoder.blockLength)
      let block = Array(samples[start..<end])
      for packet in try encoder.encode(block.span) { try muxer.write(packet, stream: stream) }
    }
    for packet in try encoder.finish() { try muxer.write(packet, stream: stream) }
    try muxer.finish()
  }

  @Test(arguments: [48_000, 50_000, 51_200, 100_001])
  func clicksKeepTheirTimesAndTheDurationIsKept(count: Int) throws {
    let folder = try TemporaryFolder()
    var samples = [Float](repeating: 0, count: 2 * count)
    let clicks = [10_000, 30_000, 41_111]
    for click in clicks {
      for index in 0..<24 {
        let value = 0.7 * Float(sin(Double(index) * 2 * .pi / 12))
        (samples[2 * (click + index)], samples[2 * (click + index) + 1]) = (value, value)
      }
    }
    let path = folder.path("clicks.mp4")
    try Self.encode(samples, to: path)

    let scan = try MediaFileInfo.scan(path)
    let track = try #require(scan.file.preferred(.audio).first)
    let length = MediaTime(sample: Int64(count), rate: 48_000)
    #expect(scan.file.containerStart == .zero)
    // Edit lists count in milliseconds.
    #expect(length - track.end.rounded < MediaTime(nanoseconds: 1_000_000))

    var reader = try SoundReader.open(scan.sound(track), cancellation: Cancellation())
    let first = reader.following
    var decoded: [Float] = []
    while reader.next() != nil { reader.readSamples(into: &decoded) }
    #expect(first?.time == .zero)
    #expect(decoded.count >= samples.count)
    for click in clicks {
      let near = click - 2000..<click + 2000
      let loudest = near.max { abs(decoded[2 * $0]) < abs(decoded[2 * $1]) } ?? 0
      #expect(abs(loudest - click - 12) < 24)
    }
  }

  @Test func refusedBitRateIsAnError() {
    #expect(throws: FFmpegError.self) {
      _ = try AudioEncoder.open(SoundEncoderSettings(bitRate: -1))
    }
  }
}
