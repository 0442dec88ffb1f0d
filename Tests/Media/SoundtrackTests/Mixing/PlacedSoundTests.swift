import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// From files to samples: the position of sound in the mix, and its fidelity.
@Suite(.timed) struct PlacedSoundTests {
  private static func speech(seconds: Double, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return SyntheticSpeech(pitch: 120, using: &random).samples(seconds: seconds)
      .prefix(Int(96_000 * seconds)).map { 0.6 * $0 }
  }

  /// Writes the sound in packets of 20 ms whose times in milliseconds `filter` modifies.
  private static func packets(
    _ files: SoundFiles, _ samples: [Float], filter: String
  ) throws -> String {
    let path = try files.makeWave("source.wav", samples)
    return try files.make(
      "packets.mkv",
      ["-i", path, "-af", "asetnsamples=n=960:p=0", "-c:a", "pcm_f32le", "-bsf:a", filter])
  }

  /// Returns the number of frames by which `sound` must be moved to match `heard`, up to `reach`.
  private static func shift(_ sound: [Float], in heard: [Float], reach: Int) -> Int {
    let middle = sound.count / 4
    let distance = { (shift: Int) in
      (middle..<middle + 2000).reduce(Float(0)) {
        $0 + abs(sound[2 * $1] - heard[2 * ($1 + shift)])
      }
    }
    return (-reach...reach).min { distance($0) < distance($1) } ?? 0
  }

  @Test(
    arguments: [
      "setts=ts=PTS+19*random(1)",
      "setts=ts='PTS+if(lt(mod(N,100),8),160-20*mod(N,100),0)'",
      "setts=ts='PTS+if(eq(mod(N,37),5),9,0)'",
    ])
  func jitterChangesNoSample(filter: String) throws {
    let files = try SoundFiles()
    let sound = Self.speech(seconds: 12, seed: 501)
    let path = try Self.packets(files, sound, filter: filter)
    let (heard, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: 12.5)
    #expect(reports[0].silentSamples == 0 && reports[0].droppedSamples == 0)
    let shift = Self.shift(sound, in: heard, reach: 1200)
    // Even noise of 0 to 19 ms has a mean delay of 9.5 ms.
    #expect(abs(shift - (filter.contains("random") ? 456 : 0)) <= 96)
    let isExact = heard[(2 * shift)...].prefix(sound.count - 4800).elementsEqual(
      sound.prefix(sound.count - 4800))
    #expect(isExact)
  }

  /// Second t of the file is at 1 s + 1.0005 t.
  @Test func theRateIsApplied() throws {
    let files = try SoundFiles()
    var clicks = [Float](repeating: 0, count: 96_000 * 12)
    for second in [2, 10] {
      for index in 0..<4800 { clicks[96_000 * second + index] = 0.5 }
    }
    var voice = try VoiceSource(try files.makeWave("clicks.wav", clicks), at: MediaTime(seconds: 1))
    voice.rate = Ratio(10_005, 10_000)
    let (heard, _) = try Soundtrack.render([voice], seconds: 14)
    var detector = OnsetDetector()
    detector.process(heard)
    #expect(detector.onsets.count == 2)
    for (onset, place) in zip(detector.onsets, [144_048, 528_240]) {
      #expect(abs(onset - place) < 24, "\(onset) is not \(place)")
    }
    // The skipped part is stretched, too.
    voice.start = MediaTime(seconds: -7)
    let (late, _) = try Soundtrack.render([voice], seconds: 6)
    detector = OnsetDetector()
    detector.process(late)
    #expect(detector.onsets.count == 1)
    #expect(abs((detector.onsets.first ?? 0) - 144_240) < 24, "\(detector.onsets)")
  }

  @Test func lostPacketsLeaveSilenceWithoutClicks() throws {
    let files = try SoundFiles()
    let sound = Self.speech(seconds: 10, seed: 502)
    let filter = "noise=drop='gt(n,10)*lt(mod(n,50),1)+eq(n,203)+eq(n,204)+eq(n,205)+eq(n,206)'"
    let path = try Self.packets(files, sound, filter: filter)
    let (heard, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: 10)
    let lost = (0..<500).filter { $0 > 10 && $0 % 50 == 0 || (203...206).contains($0) }
    #expect(reports[0].silentSamples == 960 * lost.count)
    #expect(reports[0].breakCount == lost.count - 3)
    var worst: Float = 0
    for packet in lost {
      let silent = heard[(1920 * packet)..<(1920 * (packet + 1))]
      // The sound around a short gap fades into the gap.
      #expect(
        (203...206).contains(packet)
          ? silent.allSatisfy { $0 == 0 } : abs(silent[silent.startIndex + 960]) < 0.01)
      for frame in [960 * packet, 960 * (packet + 1)] {
        worst = max(worst, abs(heard[2 * frame] - heard[2 * frame - 2]))
      }
    }
    #expect(worst < 0.02)
    let isFar = { (frame: Int) in
      lost.allSatisfy {
        frame < 960 * $0 - TimelineSampleBuffer.fade
          || frame >= 960 * ($0 + 1) + TimelineSampleBuffer.fade
      }
    }
    let wrong = (0..<sound.count / 2).filter { isFar($0) && heard[2 * $0] != sound[2 * $0] }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: [300.0, -300])
  func driftIsCompensated(partsPerMillion: Double) throws {
    let files = try SoundFiles()
    let seconds = 60.0
    // The output of a recorder with a wrong clock: clicks that are 1 s apart by the recorder's
    // clock.
    var sound = [Float](repeating: 0, count: Int(96_000 * seconds))
    for second in 0..<Int(seconds) {
      for index in 0..<480 {
        let value = Float(0.5 * sin(2 * .pi * Double(index) / 48))
        let frame = 48_000 * second + 24_000 + index
        (sound[2 * frame], sound[2 * frame + 1]) = (value, value)
      }
    }
    let path = try Self.packets(
      files, sound, filter: "setts=ts='PTS*\(1 + partsPerMillion / 1e6)'")
    let (heard, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: seconds + 0.5)
    #expect(abs(reports[0].driftPartsPerMillion - partsPerMillion) < 5)
    var detector = OnsetDetector()
    detector.process(heard)
    try #require(detector.onsets.count == Int(seconds))
    for (second, onset) in detector.onsets.enumerated() {
      let place = (Double(second) + 0.5) * 48_000 * (1 + partsPerMillion / 1e6)
      #expect(abs(Double(onset) - place) <= 96)
    }
  }

  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: ["edge/fate_RRSF49.webm", "edge/vfr_chrome57_mediarecorder_vp8_opus.webm"])
  func realRecordingsWithJitterLoseNothing(name: String) throws {
    let path = SharedMedia.path(name)
    let scan = try MediaFileInfo.scan(path, cancellation: Cancellation())
    let track = try #require(scan.file.preferred(.audio).first)
    let (_, reports) = try Soundtrack.render(
      [try VoiceSource(path, stream: track.stream.index)], seconds: 60)
    let rate = try #require(track.stream.audio).sampleRate
    #expect(reports[0].silentSamples == 0 && reports[0].droppedSamples == 0)
    let expected = Double(reports[0].decodedSamples) * 48_000 / Double(rate)
    #expect(abs(Double(reports[0].mixedSamples) - expected) < 0.002 * expected)
  }

  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: ["clean", "edge"])
  func packetDurationsMatchTheirDecodedSound(part: String) throws {
    for path in SharedMedia.all(part) {
      guard let scan = try? MediaFileInfo.scan(path, cancellation: Cancellation()) else { continue }
      for track in scan.file.tracks(.audio) where track.isDecodable {
        // libavcodec decodes only one frame of an AMR packet.
        guard track.stream.codec != "amr_nb" else { continue }
        // A second header with another rate is not noticed: later packets count at the first rate.
        guard !path.hasSuffix("vorbis_rate_change.ogg") else { continue }
        let decoded = try Self.decodedSeconds(scan.sound(track))
        let counts = scan.index(of: track).samples
        // The first and last packets are trimmed; undecodable packets are silent.
        let different = track.packets.dropFirst(3).dropLast(2).filter { packet in
          guard let decoded = decoded[packet] else { return false }
          let (samples, rate) = counts[packet]
          return abs(Double(samples) / Double(rate) - decoded) > 0.001
        }
        #expect(
          different.isEmpty, "\(path) \(different.count) of \(track.packets.count) \(different)")
      }
    }
  }

  /// Returns the duration of the decoder's output for each packet.
  private static func decodedSeconds(_ sound: SoundSource) throws -> [Int: Double] {
    var reader = try SoundReader.open(sound, cancellation: Cancellation())
    var seconds: [Int: Double] = [:]
    while let block = reader.next() {
      seconds[reader.packetNumber + sound.track.packets.lowerBound, default: 0] +=
        Double(block.sampleCount) / Double(block.sampleRate) + block.skipped.seconds
    }
    return seconds
  }

  // MARK: - Resampling

  /// Returns the level of a frequency in decibels (Blackman-Harris window).
  private static func level(_ samples: [Float], _ frequency: Double) -> Double {
    var (sine, cosine, weight) = (0.0, 0.0, 0.0)
    let frames = 24_000..<72_000
    for (index, frame) in frames.enumerated() {
      let phase = 2 * .pi * Double(index) / Double(frames.count)
      let window =
        0.35875 - 0.48829 * cos(phase) + 0.14128 * cos(2 * phase) - 0.01168 * cos(3 * phase)
      let angle = 2 * .pi * frequency * Double(frame) / 48_000
      sine += window * Double(samples[2 * frame]) * sin(angle)
      cosine += window * Double(samples[2 * frame]) * cos(angle)
      weight += window
    }
    return 20 * log10(2 * (sine * sine + cosine * cosine).squareRoot() / weight + 1e-12)
  }

  @Test(
    arguments: [
      (8_000, 3_400.0, 4_600.0), (16_000, 7_000, 9_000), (32_000, 14_000, 18_000),
      (44_100, 19_000, 22_900), (44_100, 20_000, 23_900), (96_000, 30_000, 18_000),
      (192_000, 40_000, 8_000), (192_000, 20_000, 10_000),
    ])
  func aliasesAreBelowMinusHundredDecibels(rate: Int, tone: Double, image: Double) throws {
    let files = try SoundFiles()
    let path = try files.make(
      "tone.wav",
      [
        "-f", "lavfi", "-i",
        "aevalsrc=0.5*sin(2*PI*\(tone)*t):sample_rate=\(rate):duration=2", "-c:a", "pcm_f32le",
      ])
    let (heard, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: 2)
    #expect(Self.level(heard, image) < -106)
    if tone <= 20_000 { #expect(abs(Self.level(heard, tone) + 6.02) < 0.1) }
    #expect(abs(reports[0].mixedSamples - 96_000) <= 2)
  }

  // MARK: - Hostile input

  @Test(arguments: [1, 768_000])
  func impossibleSampleRatesAreReportedLosses(rate: Int32) throws {
    let files = try SoundFiles()
    let path = try files.makeWave("odd.wav", Self.speech(seconds: 1, seed: 503))
    var data = try Data(contentsOf: URL(filePath: path))
    for byte in 0..<4 { data[24 + byte] = UInt8(truncatingIfNeeded: rate >> (8 * Int32(byte))) }
    try data.write(to: URL(filePath: path))
    let (heard, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: 1)
    #expect(reports[0].hasLosses)
    #expect(heard.allSatisfy { $0 == 0 })
  }

  @Test func soundOfManyChannelsIsALossOrADownmix() throws {
    let files = try SoundFiles()
    let path = try files.make(
      "many.wav",
      [
        "-f", "lavfi", "-i",
        "aevalsrc=" + (0..<64).map { _ in "0.1" }.joined(separator: "|") + ":duration=0.2",
        "-c:a", "pcm_s16le",
      ])
    let (heard, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: 0.2)
    #expect(reports[0].hasLosses || heard.contains { $0 != 0 })
    #expect(heard.allSatisfy { abs($0) < 1 })
  }

  @Test(arguments: [1, 10, 100, 4800])
  func veryShortFilesAreHeard(count: Int) throws {
    let files = try SoundFiles()
    let path = try files.makeWave("short.wav", [Float](repeating: 0.25, count: 2 * count))
    let (heard, _) = try Soundtrack.render([try VoiceSource(path)], seconds: 0.5)
    #expect(heard[..<(2 * count)].allSatisfy { $0 == 0.25 })
    #expect(heard[(2 * count)...].allSatisfy { $0 == 0 })
  }

  @Test func denormalsBecomeSilence() throws {
    let files = try SoundFiles()
    let path = try files.makeWave(
      "tiny.wav", [Float](repeating: .leastNonzeroMagnitude, count: 9600))
    let (heard, reports) = try Soundtrack.render([try VoiceSource(path)], seconds: 0.1)
    #expect(heard.allSatisfy { $0 == 0 })
    #expect(!reports[0].hasLosses)
  }

  @Test func soundWithANegativeDurationIsSilent() throws {
    let files = try SoundFiles()
    let path = try files.makeWave("a.wav", [Float](repeating: 0.25, count: 9600))
    var voice = try VoiceSource(path, at: MediaTime(seconds: 1))
    voice.interval = TimeRange(start: MediaTime(seconds: 2), end: MediaTime(seconds: 1))
    let (heard, reports) = try Soundtrack.render([voice], seconds: 3)
    #expect(heard.allSatisfy { $0 == 0 })
    #expect(!reports[0].hasLosses)
  }

  @Test func gainCurvesAreApplied() throws {
    let files = try SoundFiles()
    let path = try files.makeWave("a.wav", [Float](repeating: 0.25, count: 96_000))
    var voice = try VoiceSource(path, at: MediaTime(nanoseconds: 500_000_000))
    voice.gain = GainCurve([
      .init(position: 12_000, decibels: 0), .init(position: 12_480, decibels: -20),
    ])
    let (heard, _) = try Soundtrack.render([voice], seconds: 2)
    // The gain is exact at every 64th frame and linear between them.
    #expect(heard[2 * 24_000..<2 * 35_936].allSatisfy { $0 == 0.25 })
    #expect(heard[2 * 36_600..<2 * 70_000].allSatisfy { abs($0 - 0.025) < 1e-6 })
  }
}
