internal import Foundation
internal import TesseraSoundtrack
internal import TesseraTimeline

/// Voices that take turns, without files: each says the same minute over and over.
final class SoundBench {
  /// What was found by ``level(seconds:)``.
  private(set) var curves: [GainCurve] = []

  private let minutes: [[Float]]
  private var analyses: [VoiceAnalysis] = []

  private static let length = Soundtrack.blockLength
  private static let minute = 48_000 * 60

  init(voices: Int) {
    minutes = (0..<voices).map { Self.minute(of: $0, voices) }
  }

  /// A minute in which the voice speaks in its turn, over noise.
  private static func minute(of voice: Int, _ count: Int) -> [Float] {
    var state = UInt64(voice) &* 0x9e37_79b9_7f4a_7c15 | 1
    let level = Float(0.02 * pow(1.5, Double(voice % 6)))
    return (0..<minute).flatMap { frame in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
      let isTurn = frame * count / minute == voice
      let syllable = isTurn ? level * Float(sin(Double(frame) / 4000)) : 0
      let tone = syllable * Float(sin(Double(frame) * (0.02 + 0.002 * Double(voice))))
      let sample = tone + noise * (1e-4 + 0.2 * abs(syllable))
      return [sample, sample]
    }
  }

  private func take(_ voice: Int, _ block: Int, into samples: inout [Float]) {
    let start = block * Self.length % (Self.minute - Self.length)
    samples.removeAll(keepingCapacity: true)
    samples.append(contentsOf: minutes[voice][2 * start..<2 * (start + Self.length)])
  }

  func analyze(seconds: Int) {
    var samples: [Float] = []
    analyses = minutes.indices.map { voice in
      var analyzer = VoiceAnalyzer()
      for block in 0..<seconds * 48_000 / Self.length {
        take(voice, block, into: &samples)
        analyzer.append(samples)
      }
      return analyzer.finish()
    }
  }

  func level(seconds: Int) {
    let interval = TimeRange(start: .zero, end: MediaTime(seconds: seconds))
    curves =
      Leveling.level(
        analyses.map { Leveling.Voice(analysis: $0, start: .zero, interval: interval) },
        target: -16
      ).curves
  }

  func mix(seconds: Int, curves: [GainCurve]?) {
    var followers = minutes.indices.map { voice in
      GainCurve.Follower(curves?[voice] ?? GainCurve(), origin: 0)
    }
    var limiter = Limiter()
    var (samples, mix): ([Float], [Float]) = ([], [])
    for block in 0..<seconds * 48_000 / Self.length {
      mix.removeAll(keepingCapacity: true)
      mix.append(contentsOf: repeatElement(0, count: 2 * Self.length))
      for voice in minutes.indices {
        take(voice, block, into: &samples)
        followers[voice].add(samples, to: &mix, from: 0, at: Int64(block * Self.length))
      }
      limiter.process(&mix)
    }
  }
}
