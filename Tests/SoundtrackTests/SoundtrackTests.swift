import Foundation
import Media
import Soundtrack
import Testing
import Timeline

@Suite struct SoundtrackTests {
  /// The arguments that read a sound of that many seconds: a beep of 1 kHz and 50 ms at every
  /// whole second plus `phase`.
  private static func beeps(
    _ files: SoundFiles, seconds: Int, phase: Double
  ) throws -> [String] {
    var second = [Float](repeating: 0, count: 96_000)
    let start = Int(phase * 48_000)
    for index in 0..<2400 {
      let value = 0.5 * Float(sin(2 * .pi * Double(index) / 48))
      (second[2 * (start + index)], second[2 * (start + index) + 1]) = (value, value)
    }
    let path = try files.makeWave("second\(start).wav", second)
    return ["-stream_loop", "\(seconds - 1)", "-i", path]
  }

  struct Format: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    /// Samples at 48 kHz by which the container's own times are late.
    var delay = 0
    var testDescription: String { name }
  }

  static let formats = [
    Format(name: "opus.webm", arguments: ["-c:a", "libopus", "-b:a", "64k"]),
    Format(name: "aac.mp4", arguments: ["-c:a", "aac", "-b:a", "96k"]),
    Format(name: "aac44.mp4", arguments: ["-c:a", "aac", "-ar", "44100", "-b:a", "96k"]),
    // FLV cannot say that the first 1024 samples are the encoder's priming.
    Format(name: "aac.flv", arguments: ["-c:a", "aac", "-ar", "44100"], delay: 1115),
    Format(name: "vorbis.ogg", arguments: ["-c:a", "libvorbis"]),
    // Matroska's muxer moves all times to make room for a packet without sound.
    Format(name: "vorbis.mkv", arguments: ["-c:a", "libvorbis", "-ar", "22050"], delay: 576),
    Format(name: "opus.ogg", arguments: ["-c:a", "libopus", "-ac", "1"]),
    Format(name: "pcm.wav", arguments: ["-c:a", "pcm_s16le"]),
    Format(name: "pcm8.wav", arguments: ["-c:a", "pcm_s16le", "-ar", "8000", "-ac", "1"]),
  ]

  @Test(arguments: formats)
  func everyFormatIsPlacedToTheMillisecond(format: Format) throws {
    let files = try SoundFiles()
    let path = try files.make(format.name, Self.beeps(files, seconds: 5, phase: 0.25) + format.arguments)
    let start = MediaTime(nanoseconds: 1_234_000_000)
    let (samples, reports) = try Soundtrack.render([VoiceSource(path, at: start)], seconds: 7)
    var detector = OnsetDetector()
    detector.process(samples)
    let expected = (0..<5).map { Int((1.234 + 0.25 + Double($0)) * 48_000) }
    try #require(detector.onsets.count == 5)
    for (onset, place) in zip(detector.onsets, expected) {
      // A tone of 1 kHz passes the threshold 0.02 ms after it begins; codecs smear the beginning.
      #expect(abs(onset - place - format.delay) <= 96)
    }
    #expect(!reports[0].hasLosses)
    #expect(reports[0].silentSamples == 0)
    #expect(reports[0].droppedSamples == 0)
    #expect(reports[0].stretchedSamples == 0)
  }

  @Test func voicesStayInPlaceForTenMinutes() throws {
    let files = try SoundFiles()
    let seconds = 600
    let voices: [(format: Format, phase: Double, offset: Double)] = [
      (Self.formats[0], 0.1, 0), (Self.formats[2], 0.3, 3.05), (Self.formats[4], 0.5, 0),
      (Self.formats[8], 0.7, 0),
    ]
    let sources = try voices.map { voice in
      VoiceSource(
        try files.make(
          voice.format.name,
          Self.beeps(files, seconds: seconds, phase: voice.phase)
            + voice.format.arguments + ["-output_ts_offset", "\(voice.offset)"]))
    }
    var soundtrack = Soundtrack(
      sources, sampleCount: Int64(seconds * 48_000), cancellation: Cancellation())
    var (detector, block): (OnsetDetector, [Float]) = (OnsetDetector(), [])
    while try soundtrack.next(into: &block) { detector.process(block) }
    let times: [Double] = voices.flatMap { voice in
      (0..<seconds).map { Double($0) + voice.phase + voice.offset }
    }
    let expected = times.filter { $0 < Double(seconds) }.map { Int($0 * 48_000) }.sorted()
    try #require(detector.onsets.count == expected.count)
    let worst = zip(detector.onsets, expected).map { abs($0 - $1) }.max() ?? .max
    #expect(worst <= 96)
  }

  @Test func nothingButTheVoiceIsHeard() throws {
    let files = try SoundFiles()
    var random = SplitMix64(seed: 11)
    let noise = (0..<2 * 30_000).map { _ in Float.random(in: -0.4...0.4, using: &random) }
    let path = try files.makeWave("noise.wav", noise)
    let start = MediaTime(sample: 5000, rate: 48_000)
    let (samples, reports) = try Soundtrack.render([VoiceSource(path, at: start)], seconds: 1)
    let expected = [Float](repeating: 0, count: 10_000) + noise
    let isExact = samples[..<70_000].elementsEqual(expected)
    #expect(isExact)
    #expect(samples[70_000...].allSatisfy { $0 == 0 })
    #expect(samples.count == 96_000)
    #expect(reports[0].mixedSamples == 30_000)
    #expect(reports[0].decodedSamples == 30_000)
  }
}
