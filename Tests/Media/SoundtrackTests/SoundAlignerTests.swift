import Foundation
import TesseraSoundtrack
import TestSupport
import Testing

@Suite(.timed) struct SoundAlignerTests {
  /// Returns speech, mono at 8 kHz: noise bands under syllables of random length.
  private static func speech(seconds: Int, _ random: inout SplitMix64) -> [Float] {
    var samples: [Float] = []
    while samples.count < 8000 * seconds {
      let length = Int.random(in: 600...2400, using: &random)
      let level = Bool.random(using: &random) ? Float.random(in: 0.05...0.4, using: &random) : 0
      var last: Float = 0
      for index in 0..<length {
        let envelope = sin(.pi * Float(index) / Float(length))
        last = 0.7 * last + Float.random(in: -1...1, using: &random)
        samples.append(level * envelope * last)
      }
    }
    return Array(samples[..<(8000 * seconds)])
  }

  /// Returns `samples` as another recorder has them, from second `start` on, with a clock that is
  /// slow by `partsPerMillion`, with a room's echo and noise.
  private static func recorded(
    _ samples: [Float], from start: Double, seconds: Double, partsPerMillion: Double, noise: Float,
    _ random: inout SplitMix64
  ) -> [Float] {
    (0..<Int(seconds * 8000)).map { index in
      let place = start * 8000 + Double(index) * (1 + partsPerMillion / 1e6)
      let whole = Int(place.rounded(.down))
      guard whole >= 160, whole + 1 < samples.count else { return 0 }
      let part = Float(place - Double(whole))
      let sample = samples[whole] + part * (samples[whole + 1] - samples[whole])
      return 0.5 * sample + 0.15 * samples[whole - 160]
        + .random(in: -noise...noise, using: &random)
    }
  }

  @Test(arguments: [(12.345, 0.0), (0.5, 120), (250.25, -80), (590, 300)])
  func offsetAndDriftAreFound(start: Double, partsPerMillion: Double) {
    var random = SplitMix64(seed: 401)
    let reference = Self.speech(seconds: 750, &random)
    let recording = Self.recorded(
      reference, from: start, seconds: 150, partsPerMillion: partsPerMillion, noise: 0.02, &random)
    let found = SoundAligner.align(AlignmentAudio(recording), to: AlignmentAudio(reference))
    #expect(found.isSure)
    #expect(abs(found.offset - start) < 0.005)
    let end = 150 * (found.partsPerMillion - partsPerMillion) / 1e6
    #expect(abs(found.offset + end - start) < 0.005)
  }

  @Test func anEarlierStartGivesANegativeOffset() {
    var random = SplitMix64(seed: 402)
    let reference = Self.speech(seconds: 300, &random)
    let late = Array(reference[(8000 * 100)...])
    let found = SoundAligner.align(AlignmentAudio(reference), to: AlignmentAudio(late))
    #expect(found.isSure && abs(found.offset + 100) < 0.005)
  }

  @Test(arguments: [UInt64(403), 404, 405])
  func unrelatedSoundIsRefused(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let one = Self.speech(seconds: 200, &random)
    let other = Self.speech(seconds: 200, &random)
    let found = SoundAligner.align(AlignmentAudio(one), to: AlignmentAudio(other))
    #expect(!found.isSure)
  }

  /// Four bars in a loop match anywhere.
  @Test func repetitiveSoundIsRefused() {
    var random = SplitMix64(seed: 406)
    let bars = Self.speech(seconds: 8, &random)
    let music = (0..<20).flatMap { _ in bars }
    let found = SoundAligner.align(AlignmentAudio(music), to: AlignmentAudio(music))
    #expect(!found.isSure)
  }

  /// A person wears headphones: only the other recording has both voices, and the delay is unknown.
  @Test func oneWaySoundIsPlacedApproximately() {
    var random = SplitMix64(seed: 407)
    var others = Self.speech(seconds: 240, &random)
    var own = Self.speech(seconds: 210, &random)
    for index in others.indices {
      if index / 32_000 % 2 == 0 {
        others[index] = 0
      } else if index >= 240_000 {
        own[index - 240_000] = 0
      }
    }
    let recording = zip(own, others[(30 * 8000)...]).map { $0 + 0.1 * $1 }
    let found = SoundAligner.align(AlignmentAudio(recording), to: AlignmentAudio(others))
    #expect(!found.isSure && !found.isMutual, "\(found)")
    #expect(abs(found.offset - 30) < 0.001, "\(found)")
    #expect(abs(found.partsPerMillion) < 5)
  }

  /// Returns the microphones of two people who take turns: the own voice at once, the other's late
  /// and faint, and noise.
  private static func call(
    seconds: Int, late: (Double, Double), share: Double, faint: Float, _ random: inout SplitMix64
  ) -> [[Float]] {
    var said = [speech(seconds: seconds, &random), speech(seconds: seconds, &random)]
    var place = 0
    while place < 8000 * seconds {
      let length = Int.random(in: 12_000...48_000, using: &random)
      let silent = Double.random(in: 0..<1, using: &random) < share ? 1 : 0
      for index in place..<min(8000 * seconds, place + length) { said[silent][index] = 0 }
      place += length
    }
    return [(0, late.0), (1, late.1)].map { own, late in
      let delay = Int(late * 8000)
      return said[own].indices.map { index in
        let other = index >= delay ? said[1 - own][index - delay] : 0
        return said[own][index] + faint * other + .random(in: -1e-3...1e-3, using: &random)
      }
    }
  }

  /// The true offset is halfway between the offsets of the two voices.
  @Test(
    arguments: [
      (0.005, 0.005), (0.012, 0.012), (0.03, 0.027), (0.08, 0.08), (0.2, 0.2), (0.75, 0.75),
      (1.5, 1.5),
    ],
    [0.5, 0.8])
  func mutualDelaysCancelOut(late: (Double, Double), share: Double) {
    var random = SplitMix64(seed: 408)
    let both = Self.call(seconds: 200, late: late, share: share, faint: 0.063, &random)
    let recording = Self.recorded(
      both[1], from: 20.5, seconds: 160, partsPerMillion: 60, noise: 1e-4, &random)
    let found = SoundAligner.align(AlignmentAudio(recording), to: AlignmentAudio(both[0]))
    #expect(found.isSure && found.confidence > 0.7, "\(found)")
    #expect(abs(found.offset - 20.5) < 0.002, "\(found)")
    #expect(abs(found.partsPerMillion - 60) < 12, "\(found)")
    #expect(abs(found.delay - (late.0 + late.1) / 2) < 0.002, "\(found)")
  }

  /// A person without a recording is loud in both.
  @Test func aThirdVoiceIsNotTakenForTheOtherDirection() throws {
    var settings = SimulatedCall.Settings()
    (settings.unrecorded, settings.seconds) = (1, 150)
    let call = SimulatedCall(settings, seed: 104)
    let found = SoundAligner.align(
      AlignmentAudio(call.recordings[1]), to: AlignmentAudio(call.recordings[0]))
    let error = call.error(of: 1, in: 0, at: found.offset, 1 + found.partsPerMillion / 1e6)
    #expect(!found.isSure || error < 0.005, "\(found), off by \(error)")
    #expect(found.confidence <= 0.5 || error < 0.02, "\(found), off by \(error)")
  }

  /// The number of random calls for each size of two to five people; `nil` means one call each of
  /// two and of three.
  private static let asked = ProcessInfo.processInfo.environment["TESSERA_ALIGN_SEEDS"]
    .flatMap(Int.init)

  /// All people hear each other up to 1.5 s late and up to 40 dB fainter. `TESSERA_ALIGN_SEEDS`
  /// sets the number of calls.
  @Test(arguments: asked == nil ? 2...3 : 2...5)
  func allRecordingsArePlacedOrRefused(people: Int) throws {
    var (sure, count) = (0, 0)
    for seed in 0..<(Self.asked ?? 1) {
      var settings = SimulatedCall.Settings()
      (settings.people, settings.gains) = (people, 0...0)
      if Self.asked == nil { settings.seconds = 120 }
      let call = SimulatedCall(settings, seed: UInt64(seed))
      let all = try #require(
        SoundAligner.findings(call.recordings.map { AlignmentAudio($0) }, owners: Array(0..<people))
      )
      for (number, found) in all.enumerated() where number > 0 {
        count += 1
        guard found.group == 0 else { continue }
        let error = call.error(of: number, in: 0, at: found.place.offset, found.place.rate)
        sure += found.isSure ? 1 : 0
        #expect(!found.isSure || error < 0.005, "seed \(seed): \(number) is off by \(error)")
        #expect(found.confidence <= 0.5 || error < 0.02, "seed \(seed): \(number): \(found)")
      }
    }
    #expect(2 * sure >= count, "\(sure) of \(count) are placed")
  }

  /// A microphone and a camera of one person have no mutual delay.
  @Test func filesOfOnePersonHaveOneLag() throws {
    var random = SplitMix64(seed: 410)
    let own = Self.speech(seconds: 100, &random)
    let camera = Self.recorded(
      own, from: 1.8, seconds: 90, partsPerMillion: 40, noise: 0.01, &random)
    let found = SoundAligner.align(
      AlignmentAudio(camera), to: AlignmentAudio(own), ofOnePerson: true)
    #expect(found.isSure && found.delay == 0 && found.confidence > 0.9, "\(found)")
    #expect(abs(found.offset - 1.8) < 0.001, "\(found)")
  }

  /// A wall's echo is not a second voice, even if the echo is often louder.
  @Test func echoesAreNoSecondVoice() {
    var random = SplitMix64(seed: 409)
    let reference = Self.speech(seconds: 200, &random)
    let recording = reference.indices.dropFirst(8000 * 30).map { index in
      let echo: Float = index / 8000 % 20 < 8 ? 1 : 0.1
      return 0.4 * reference[index] + echo * 0.5 * reference[index - 240]
    }
    let found = SoundAligner.align(AlignmentAudio(recording), to: AlignmentAudio(reference))
    #expect(found.isSure && found.delay == 0, "\(found)")
    #expect(abs(found.offset - 30) < 0.002, "\(found)")
  }

  @Test(arguments: [0, 100, 8000, 24_000])
  func shortSoundIsRefused(count: Int) {
    let silence = AlignmentAudio([Float](repeating: 0, count: count))
    #expect(!SoundAligner.align(silence, to: silence).isSure)
  }
}
