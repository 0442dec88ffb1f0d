import Foundation
import Media
import Soundtrack
import Testing
import Timeline

@Suite struct AudioEncoderTests {
  /// Writes interleaved samples as AAC in an MP4 file.
  static func encode(_ samples: [Float], to path: String, bitRate: Int = 128_000) throws {
    var encoder = try AudioEncoder.open(bitRate: bitRate)
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

  static func peakDecibels(_ samples: [Float]) -> Float {
    20 * log10(samples.reduce(0) { max($0, abs($1)) })
  }

  @Test(arguments: [48_000, 50_000, 51_200, 100_001])
  func aClickComesBackWhereItWasAndTheLengthIsKept(count: Int) throws {
    let files = try SoundFiles()
    var samples = [Float](repeating: 0, count: 2 * count)
    let clicks = [10_000, 30_000, 41_111]
    for click in clicks {
      for index in 0..<24 {
        let value = 0.7 * Float(sin(Double(index) * 2 * .pi / 12))
        (samples[2 * (click + index)], samples[2 * (click + index) + 1]) = (value, value)
      }
    }
    let path = files.path("clicks.mp4")
    try Self.encode(samples, to: path)
    let decoded = try SoundFiles.decode(path)
    #expect(decoded.count == samples.count)
    for click in clicks {
      let near = click - 2000..<click + 2000
      let loudest = near.max { abs(decoded[2 * $0]) < abs(decoded[2 * $1]) } ?? 0
      #expect(abs(loudest - click - 12) < 24)
    }
  }

  @Test func crowd() throws {
    let files = try SoundFiles()
    let folder = SoundFiles.shared.appending(path: "clean").path
    let names: [(String, Int)] = [
      ("talkinghead_qcif15_mpeg4_aac.mp4", 2), ("lecture_480x360_25_h264_aac.flv", 1), ("audio_left_right_10s_vorbis.ogg", 0),
      ("derived_talkinghead_640x480_25_vp8_opus_speech.webm", 1), ("person_1280x720_30_h264_aac.mp4", 1),
    ]
    for n in [1, 3, 10, 30, 100] {
      var random = SplitMix64(seed: 3)
      let voices = (0..<n).map { index in
        let v = names[index % names.count]
        return VoiceSource("\(folder)/\(v.0)", stream: v.1, at: MediaTime(nanoseconds: .random(in: -5_000_000_000...2_000_000_000, using: &random)))
      }
      let (samples, reports) = try Soundtrack.render(voices, seconds: 15)
      let path = "/tmp/snd_crowd\(n).mp4"
      try Self.encode(samples, to: path)
      let decoded = try SoundFiles.decode(path)
      try unsafe samples.withUnsafeBytes { try unsafe Data($0).write(to: URL(fileURLWithPath: "/tmp/snd_crowd\(n).f32")) }
      print("CROWD", n, Self.peakDecibels(samples), Self.peakDecibels(decoded), reports.filter(\.hasLosses).count, reports[0])
    }
    _ = files
  }
}
