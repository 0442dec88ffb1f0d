import Glibc
package import TesseraSystem
import TesseraTimeline

/// Measures the power of a mix by mixing parts of the timeline.
package enum MixPowerMeter {
  /// A function that returns the K-weighted power of each 20 ms step in `ranges` of steps of the
  /// timeline, with each voice under its curve of `curves`. It returns `nil` if the powers are
  /// unknown.
  package typealias Powers = (_ ranges: [Range<Int>], _ curves: [GainCurve]) -> [[Double]]?

  /// Mixes `voices` in `steps` of the timeline and returns the K-weighted power of each step.
  ///
  /// - Throws: `CancellationError` if the cancellation was requested.
  package static func powers(
    of voices: [VoiceSource], in steps: Range<Int>, note: VoiceCrashNote? = nil,
    cancellation: Cancellation
  ) throws(CancellationError) -> [Double] {
    let start = MediaTime(nanoseconds: Int64(steps.lowerBound) * MixLoudnessPredictor.step)
    let end = MediaTime(nanoseconds: Int64(steps.upperBound) * MixLoudnessPredictor.step)
    let inside = voices.compactMap { $0.part(from: start, to: end) }
    var mixer = Mixer(
      inside.map { ($0, note) }, sampleCount: Int64(steps.count * VoiceAnalysis.hop),
      cancellation: cancellation)
    var meter = LoudnessMeter()
    var block = [Float](repeating: 0, count: 2 * VoiceAnalysis.hop)
    var powers: [Double] = []
    for _ in steps {
      if cancellation.isCancelled { throw CancellationError() }
      mixer.next(into: &block)
      let level = meter.add(block)
      powers.append(level.isFinite ? pow(10, level / 10) : 0)
    }
    return powers
  }
}
