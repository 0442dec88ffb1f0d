import Glibc
package import TesseraSystem
import TesseraTimeline

/// Mixes parts of a timeline to find how loud they are.
package enum MixMeasure {
  /// The powers, K-weighted, of every step of 20 ms in each of some ranges of steps of the
  /// timeline, with the voices that are leveled under the given curves; nil where that is not
  /// known.
  package typealias Powers = (_ ranges: [Range<Int>], _ curves: [GainCurve]) -> [[Double]]?

  /// The powers of `steps` of what `voices` sound like together.
  ///
  /// - Throws: `CancellationError` once the cancellation was asked for.
  package static func powers(
    of voices: [VoiceSource], in steps: Range<Int>, note: VoiceNote? = nil,
    cancellation: Cancellation
  ) throws(CancellationError) -> [Double] {
    let start = MediaTime(nanoseconds: Int64(steps.lowerBound) * MixLoudness.step)
    let end = MediaTime(nanoseconds: Int64(steps.upperBound) * MixLoudness.step)
    let inside = voices.compactMap { voice -> VoiceSource? in
      let first = max(voice.interval.start, start)
      let last = min(voice.interval.end, end)
      guard first < last else { return nil }
      var part = voice
      part.start = voice.start - start
      part.interval = TimeRange(start: first - start, end: last - start)
      return part
    }
    var mixer = Mixer(
      inside, sampleCount: Int64(steps.count * VoiceAnalysis.hop),
      notes: note.map { [VoiceNote](repeating: $0, count: inside.count) } ?? [],
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
