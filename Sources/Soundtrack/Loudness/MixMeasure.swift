import Glibc
public import TesseraSystem
import TesseraTimeline

/// Mixes parts of a timeline to find how loud they are.
public struct MixMeasure: Sendable {
  /// The powers, K-weighted, of every step of 20 ms in each of some ranges of steps, the voices
  /// under the given curves; nil where it could not be found out.
  package typealias Powers =
    @Sendable (_ ranges: [Range<Int>], _ curves: [GainCurve]) -> [[Double]]?

  let powers: Powers

  /// Measures by `powers`.
  package init(powers: @escaping Powers) { self.powers = powers }

  /// Reads and mixes `voices`, which are those that are leveled, in their order.
  public init(_ voices: [VoiceSource], cancellation: Cancellation) {
    powers = { ranges, curves in
      let measured = WorkerThreads.map(ranges, name: "mix", cancellation: cancellation) { range in
        Self.powers(of: voices, curves, in: range, cancellation: cancellation)
      }
      let known = measured.compactMap { $0 }
      return known.count == ranges.count ? known : nil
    }
  }

  private static func powers(
    of voices: [VoiceSource], _ curves: [GainCurve], in steps: Range<Int>,
    cancellation: Cancellation
  ) -> [Double] {
    let start = MediaTime(nanoseconds: Int64(steps.lowerBound) * MixLoudness.step)
    let end = MediaTime(nanoseconds: Int64(steps.upperBound) * MixLoudness.step)
    let inside = zip(voices, curves).compactMap { voice, curve -> VoiceSource? in
      let first = max(voice.interval.start, start)
      let last = min(voice.interval.end, end)
      guard first < last else { return nil }
      var part = voice
      part.start = voice.start - start
      part.interval = TimeInterval(start: first - start, end: last - start)
      part.gain = curve
      return part
    }
    let frames = Int64(steps.count * VoiceAnalysis.hop)
    var mixer = Mixer(inside, sampleCount: frames, cancellation: cancellation)
    var meter = LoudnessMeter()
    var block = [Float](repeating: 0, count: 2 * VoiceAnalysis.hop)
    return steps.map { _ in
      mixer.next(into: &block)
      let level = meter.add(block)
      return level.isFinite ? pow(10, level / 10) : 0
    }
  }
}
