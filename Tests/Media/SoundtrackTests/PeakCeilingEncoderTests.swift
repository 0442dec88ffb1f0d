import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct PeakCeilingEncoderTests {
  /// Returns the speech of many people at once, limited like a mix.
  private static func crowd(_ count: Int, seed: UInt64, seconds: Int) -> [Float] {
    var random = SplitMix64(seed: seed)
    var sum = [Float](repeating: 0, count: 96_000 * seconds)
    for voice in 0..<count {
      let speech = SyntheticSpeech(pitch: 90 + 11 * Double(voice), using: &random)
        .samples(seconds: Double(seconds))
      for index in sum.indices { sum[index] += speech[index] }
    }
    return limited(sum)
  }

  private static let loud = crowd(8, seed: 301, seconds: 4)

  private static func limited(_ samples: [Float]) -> [Float] {
    var limiter = Limiter()
    var result: [Float] = []
    for start in stride(from: 0, to: samples.count + 2048, by: 2048) {
      var block = [Float](repeating: 0, count: 2048)
      for index in start..<max(start, min(samples.count, start + 2048)) {
        block[index - start] = samples[index]
      }
      limiter.process(&block)
      result += block
    }
    return Array(result[2048..<2048 + samples.count])
  }

  private static func truePeakDecibels(_ samples: [Float]) -> Float {
    let newest = TruePeak.tapCount - 1..<samples.count / 2
    return 20 * log10(newest.reduce(0) { max($0, TruePeak.level(samples.span, newest: $1)) })
  }

  /// Returns the decoded packets of the encoder, and the gain reduction.
  private static func decoded(
    _ samples: [Float], _ settings: SoundEncoderSettings, withCeiling: Bool
  ) throws -> (samples: [Float], lowered: Float) {
    var encoder = try PeakCeilingEncoder.open(settings)
    let decoder = try EncodedSoundDecoder.open(for: encoder.encoder)
    var output: [Float] = []
    var packets: [EncodedPacket] = []
    for start in stride(from: 0, to: samples.count, by: 2048) {
      let block = Array(samples[start..<min(samples.count, start + 2048)])
      packets +=
        withCeiling ? try encoder.encode(block) : try encoder.encoder.encode(block.span)
    }
    packets += withCeiling ? try encoder.finish() : try encoder.encoder.finish()
    // Priming before the sound is not played.
    for packet in packets.map(Optional.some) + [nil] {
      try decoder.decode(packet) { output += $1.dropFirst(Int(2 * max(0, -$0))) }
    }
    return (output, encoder.lowered.decibels)
  }

  @Test(
    arguments: [SoundEncoderSettings.Codec.aac, .opus], [64_000, 96_000, 128_000, 320_000])
  func decodedSoundStaysBelowTheCeiling(codec: SoundEncoderSettings.Codec, bitRate: Int) throws {
    let sound = Self.loud
    let settings = SoundEncoderSettings(codec: codec, bitRate: bitRate)
    let held = try Self.decoded(sound, settings, withCeiling: true)
    #expect(Self.truePeakDecibels(held.samples) < PeakCeiling.decibels + 0.05)
  }

  /// The encoder's ringing at edges changes with every decibel of reduction.
  @Test(
    arguments: [SoundEncoderSettings.Codec.aac, .opus, .mp3],
    [(48_000, 100), (64_000, 441), (48_000, 441)])
  func hardSquaresStayBelowTheCeiling(
    codec: SoundEncoderSettings.Codec, square: (bitRate: Int, frequency: Int)
  ) throws {
    let period = 48_000 / square.frequency
    let sound = Self.limited(
      (0..<96_000 * 2).map { $0 / 2 % period < period / 2 ? 1 : -1 })
    let settings = SoundEncoderSettings(codec: codec, bitRate: square.bitRate)
    let held = try Self.decoded(sound, settings, withCeiling: true)
    #expect(Self.truePeakDecibels(held.samples) < PeakCeiling.decibels + 0.05)
  }

  @Test(arguments: [SoundEncoderSettings.Codec.aac, .opus, .mp3])
  func soundBelowTheCeilingIsUnchanged(codec: SoundEncoderSettings.Codec) throws {
    let sound = Self.crowd(1, seed: 302, seconds: 3).map { 0.5 * $0 }
    let settings = SoundEncoderSettings(codec: codec, bitRate: 128_000)
    let plain = try Self.decoded(sound, settings, withCeiling: false)
    let held = try Self.decoded(sound, settings, withCeiling: true)
    #expect(held.lowered == 0)
    let isSame = plain.samples == held.samples
    #expect(isSame)
  }

  @Test(arguments: OutputContainer.allCases.filter { !$0.hasPictures }, [1, 2])
  func soundFilesAreDecodable(container: OutputContainer, channels: Int) throws {
    let files = try SoundFiles()
    var random = SplitMix64(seed: 303)
    let sound = SyntheticSpeech(pitch: 130, using: &random).samples(seconds: 2)
    let path = files.path("sound.\(container.rawValue)")
    #expect(OutputContainer(path: path) == container)
    var bytes: Set<Data> = []
    for _ in 0..<2 {
      var writer = try SoundFileWriter.create(
        path, container,
        SoundEncoderSettings(
          codec: container.soundCodecs[0], bitRate: 128_000, channelCount: channels),
        tags: ["title": "Sound"], cancellation: Cancellation())
      for start in stride(from: 0, to: sound.count, by: 3000) {
        try writer.write(Array(sound[start..<min(sound.count, start + 3000)]))
      }
      try writer.finish()
      bytes.insert(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    #expect(bytes.count == 1)
    // ffmpeg lowers mono by 3 dB when it makes stereo of it.
    let back = try SoundFiles.decode(path).map { channels == 1 ? $0 * Float(2).squareRoot() : $0 }
    #expect(abs(back.count - sound.count) <= 2 * 1200)
    // The difference in the middle of the sound, as a share of its power.
    let middle = 48_000..<96_000
    let difference = middle.reduce(Float(0)) {
      $0 + (back[$1] - sound[$1]) * (back[$1] - sound[$1])
    }
    let distance = difference / middle.reduce(Float(0)) { $0 + sound[$1] * sound[$1] }
    let isLossy = container.soundCodecs[0].isLossy
    #expect(distance < (isLossy ? 0.2 : 1e-10))
  }

  @Test func stemsAreAlignedAndOfEqualLength() throws {
    let files = try SoundFiles()
    let tone = (0..<96_000).map { Float(0.25 * sin(Double($0 / 2) / 7)) }
    let path = try files.makeWave("tone.wav", tone)
    let voices = [
      try VoiceSource(path), try VoiceSource(path, at: .init(sample: 12_345, rate: 48_000)),
    ]
    let paths = [files.path("a.wav"), files.path("b.wav")]
    let reports = try zip(voices, paths).flatMap { voice, path in
      try StemEncoder.write(
        [voice], sampleCount: 100_000, to: path, .wav, SoundEncoderSettings(codec: .pcm),
        cancellation: Cancellation())
    }
    let stems = try paths.map { try SoundFiles.decode($0) }
    #expect(stems.allSatisfy { $0.count == 200_000 })
    #expect(reports.map(\.mixedSamples) == [48_000, 48_000])
    let worst = (0..<96_000).map { abs(stems[1][2 * 12_345 + $0] - tone[$0]) }.max() ?? 1
    #expect(worst < 1e-6)
  }
}
