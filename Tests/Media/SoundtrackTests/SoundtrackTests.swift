import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct SoundtrackTests {
  /// Returns arguments that read a sound of `seconds`: a beep of 1 kHz and 50 ms at every whole
  /// second plus `phase`.
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
    /// The delay of the container's own times in samples at 48 kHz.
    var delay = 0
    var testDescription: String { name }
  }

  static let formats = [
    Format(
      name: "opus.webm", arguments: ["-c:a", "libopus", "-b:a", "64k", "-compression_level", "0"]),
    Format(name: "aac.mp4", arguments: ["-c:a", "aac", "-aac_coder", "fast"]),
    Format(name: "aac44.mp4", arguments: ["-c:a", "aac", "-aac_coder", "fast", "-ar", "44100"]),
    // FLV cannot signal that the first 1024 samples are the encoder's priming.
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
    let path = try files.make(
      format.name, Self.beeps(files, seconds: 5, phase: 0.25) + format.arguments)
    let start = MediaTime(nanoseconds: 1_234_000_000)
    let (samples, reports) = try Soundtrack.render([try VoiceSource(path, at: start)], seconds: 7)
    var detector = OnsetDetector()
    detector.process(samples)
    let expected = (0..<5).map { Int((1.234 + 0.25 + Double($0)) * 48_000) }
    try #require(detector.onsets.count == 5)
    for (onset, place) in zip(detector.onsets, expected) {
      // A tone of 1 kHz passes the threshold 0.02 ms after its start; codecs smear the start.
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
      try VoiceSource(
        files.make(
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

  @Test func onlyTheVoiceIsHeard() throws {
    let files = try SoundFiles()
    var random = SplitMix64(seed: 11)
    let noise = (0..<2 * 30_000).map { _ in Float.random(in: -0.4...0.4, using: &random) }
    let path = try files.makeWave("noise.wav", noise)
    let start = MediaTime(sample: 5000, rate: 48_000)
    let (samples, reports) = try Soundtrack.render([try VoiceSource(path, at: start)], seconds: 1)
    let expected = [Float](repeating: 0, count: 10_000) + noise
    let isExact = samples[..<70_000].elementsEqual(expected)
    #expect(isExact)
    #expect(samples[70_000...].allSatisfy { $0 == 0 })
    #expect(samples.count == 96_000)
    #expect(reports[0].mixedSamples == 30_000)
    #expect(reports[0].decodedSamples == 30_000)
  }

  /// Returns voices that start at random times within the first seconds.
  private static func crowd(_ count: Int, of paths: [(path: String, stream: Int)]) throws
    -> [VoiceSource]
  {
    var random = SplitMix64(seed: UInt64(count))
    return try (0..<count).map { index in
      let voice = paths[index % paths.count]
      let start = MediaTime(
        nanoseconds: .random(in: -5_000_000_000...2_000_000_000, using: &random))
      return try VoiceSource(voice.path, stream: voice.stream, at: start)
    }
  }

  private static func peakDecibelsOnceDecoded(_ samples: [Float]) throws -> Float {
    let files = try SoundFiles()
    try files.encode(samples, to: files.path("mix.mp4"))
    let decoded = try SoundFiles.decode(files.path("mix.mp4"))
    return 20 * log10(decoded.reduce(0) { max($0, abs($1)) })
  }

  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: [3, 30, 100])
  func realCrowdsStayBelowFullScaleAfterDecoding(count: Int) throws {
    let voices = try Self.crowd(
      count,
      of: [
        (SharedMedia.path("clean/talkinghead_qcif15_mpeg4_aac.mp4"), 2),
        (SharedMedia.path("clean/lecture_480x360_25_h264_aac.flv"), 1),
        (SharedMedia.path("clean/audio_left_right_10s_vorbis.ogg"), 0),
        (SharedMedia.path("clean/derived_talkinghead_640x480_25_vp8_opus_speech.webm"), 1),
        (SharedMedia.path("clean/person_1280x720_30_h264_aac.mp4"), 1),
      ])
    let (samples, reports) = try Soundtrack.render(voices, seconds: 10)
    #expect(!reports.contains { $0.hasLosses })
    #expect(try Self.peakDecibelsOnceDecoded(samples) < -0.1)
  }

  @Test func thirtyVoicesStayBelowFullScaleAfterDecoding() throws {
    let files = try SoundFiles()
    var random = SplitMix64(seed: 30)
    let paths = try (0..<6).map { index in
      let voice = SyntheticSpeech(pitch: 90 + 35 * Double(index), using: &random)
      return (try files.makeWave("voice\(index).wav", voice.samples(seconds: 12)), 0)
    }
    let (samples, _) = try Soundtrack.render(try Self.crowd(30, of: paths), seconds: 6)
    #expect(try Self.peakDecibelsOnceDecoded(samples) < -0.1)
  }

  @Test func aVoiceFromTheMiddleOfAFileKeepsItsTimes() throws {
    let files = try SoundFiles()
    for format in [Self.formats[0], Self.formats[2], Self.formats[4], Self.formats[8]] {
      let path = try files.make(
        format.name, Self.beeps(files, seconds: 12, phase: 0.5) + format.arguments)
      // The file's second 8 is at 0.
      let interval = TimeRange(start: .zero, end: MediaTime(nanoseconds: 2_800_000_000))
      var voice = try VoiceSource(path, at: MediaTime(seconds: -8))
      voice.interval = interval
      let (samples, reports) = try Soundtrack.render([voice], seconds: 4)
      var detector = OnsetDetector()
      detector.process(samples)
      try #require(detector.onsets.count == 3)
      for (onset, place) in zip(detector.onsets, [24_000, 72_000, 120_000]) {
        #expect(abs(onset - place) <= 96)
      }
      #expect(!reports[0].hasLosses)
      #expect(samples[(2 * 134_400)...].allSatisfy { $0 == 0 })
    }
  }

  @Test func anUnreadableVoiceIsSilentAndReported() throws {
    let files = try SoundFiles()
    let tone = [Float](repeating: 0.25, count: 96_000)
    let good = try files.makeWave("good.wav", tone)
    let missing = try files.makeWave("missing.wav", tone)
    let voices = [try VoiceSource(missing), try VoiceSource(good), try Self.withoutStream(good)]
    try FileManager.default.removeItem(atPath: missing)
    let (samples, reports) = try Soundtrack.render(
      voices, seconds: 1)
    #expect(samples.allSatisfy { $0 == 0.25 })
    let cause = MediaError(path: missing, reason: .unreadable("No such file or directory"))
    #expect(reports[0].failure == .unreadable(cause))
    #expect(reports[1].hasLosses == false && reports[1].failure == nil)
    #expect(reports[2].failure != nil)
  }

  /// Returns a source with a stream that is not in the file.
  private static func withoutStream(_ path: String) throws -> VoiceSource {
    var voice = try VoiceSource(path)
    var track = voice.sound.track
    track.stream.index = 7
    voice.sound = SoundSource(track: track, index: voice.sound.index, path: path)
    return voice
  }

  @Test func invalidSamplesBecomeSilenceAndAreCounted() throws {
    let files = try SoundFiles()
    var samples = [Float](repeating: 0.25, count: 96_000)
    for (index, value) in [(100, Float.nan), (200, .infinity), (300, -.infinity), (401, 1e30)] {
      samples[index] = value
    }
    let path = try files.makeWave("damaged.wav", samples)
    let (mixed, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: 1)
    #expect(reports[0].repairedSamples == 4)
    #expect(reports[0].hasLosses)
    let wrong = mixed.indices.filter { mixed[$0] != 0.25 }
    #expect(wrong == [100, 200, 300, 401])
    #expect(wrong.allSatisfy { mixed[$0] == 0 })
  }

  @Test func aHundredVoicesAddUp() throws {
    let files = try SoundFiles()
    let path = try files.makeWave("quiet.wav", [Float](repeating: 1 / 1024, count: 96_000))
    let voices = try (0..<100).map { index in
      try VoiceSource(path, at: MediaTime(sample: Int64(480 * index), rate: 48_000))
    }
    let (samples, reports) = try Soundtrack.render(voices, seconds: 1)
    for second in [0, 10, 55, 99] {
      #expect(samples[2 * (480 * second + 240)] == Float(second + 1) / 1024)
    }
    #expect(reports.allSatisfy { !$0.hasLosses })
  }

  @Test func cancellationStopsTheMix() throws {
    let cancellation = Cancellation()
    var soundtrack = Soundtrack([], sampleCount: 48_000, cancellation: cancellation)
    var block: [Float] = []
    #expect(try soundtrack.next(into: &block))
    cancellation.cancel()
    #expect(throws: CancellationError.self) { _ = try soundtrack.next(into: &block) }
  }

  @Test func lengthIsExact() throws {
    for count in [1, 1023, 1024, 1025, 48_000] {
      let (samples, _) = try Soundtrack.render([], seconds: Double(count) / 48_000)
      #expect(samples.count == 2 * count)
    }
  }
}
