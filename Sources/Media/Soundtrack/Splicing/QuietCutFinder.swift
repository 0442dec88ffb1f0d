import Glibc
package import TesseraSystem
import TesseraTimeline

/// Finds the quietest places of a voice near the edges of words, so that cuts are inaudible.
package enum QuietCutFinder {
  /// The permitted range of a cut, in samples of the timeline.
  package struct Window: Hashable, Sendable, Codable {
    /// The samples at which the cut is allowed.
    package var range: Range<Int64>
    /// The preferred place of the cut, used if no other is clearly quieter.
    package var place: Int64

    /// Creates a window that prefers `place` within `range`.
    package init(_ range: Range<Int64>, at place: Int64) {
      (self.range, self.place) = (range, place)
    }
  }

  /// The length of compared passages in samples (5 ms), and the distance between them (1 ms).
  private static let (length, step) = (240, 48)
  /// The factor by which a passage has to have less energy to be preferred.
  private static let difference: Float = 0.8

  /// Returns the middle of the quietest 5 ms of `voice` in each of `windows`, in samples of the
  /// timeline.
  ///
  /// - Throws: `CancellationError` if the cancellation was requested.
  package static func find(
    in voice: VoiceSource, _ windows: [Window], note: VoiceCrashNote? = nil,
    cancellation: Cancellation
  ) throws(CancellationError) -> [Int64] {
    var places: [Int64] = []
    for window in windows {
      if cancellation.isCancelled { throw CancellationError() }
      places.append(place(in: voice, window, note, cancellation))
    }
    return places
  }

  private static func place(
    in voice: VoiceSource, _ window: Window, _ note: VoiceCrashNote?, _ cancellation: Cancellation
  ) -> Int64 {
    let count = window.range.count
    guard count > length, count < 1 << 20 else { return window.place }
    let first = MediaTime(sample: window.range.lowerBound, rate: Soundtrack.sampleRate)
    let end = MediaTime(sample: window.range.upperBound, rate: Soundtrack.sampleRate)
    guard var part = voice.part(from: first, to: end) else { return window.place }
    part.gain = nil
    let heard = Voice(part, sampleCount: Int64(count), note: note, cancellation: cancellation)
    var samples = [Float](repeating: 0, count: 2 * count)
    heard.mix(into: &samples, at: 0)
    var sums: [Float] = [0]
    sums.reserveCapacity(count + 1)
    for frame in 0..<count {
      let (left, right) = (samples[2 * frame], samples[2 * frame + 1])
      sums.append(sums[frame] + left * left + right * right)
    }
    func energy(_ start: Int) -> Float { sums[start + length] - sums[start] }
    let wanted = Int(window.place - window.range.lowerBound) - length / 2
    var best = min(max(0, wanted), count - length)
    let order = stride(from: 0, through: count - length, by: step).sorted {
      (abs($0 - wanted), $0) < (abs($1 - wanted), $1)
    }
    for start in order where energy(start) < energy(best) * difference { best = start }
    return window.range.lowerBound + Int64(best + length / 2)
  }
}
