import Glibc
import TesseraTimeline

/// The voice of a recording's owner, prepared for comparisons: activity, envelope and loudness.
///
/// A microphone picks its owner up louder than people heard over a loudspeaker, so the loudest
/// passages are the owner's own.
struct AlignmentVoice {
  let audio: AlignmentAudio
  /// The level less the mean level of the half second around, in decibels, every 10 ms (see
  /// ``AlignmentAudio/envelope``).
  let envelope: [Double]
  /// The envelope while the owner speaks; 0 elsewhere.
  let own: [Double]
  /// The prefix sums of the power of all 10 ms hops.
  private let powers: [Double]
  /// The prefix sums of the number of 10 ms hops in which the owner speaks.
  private let ownCounts: [Int]
  /// The owner's loudness, in decibels.
  let loudness: Double

  /// The level below the owner's loudness, in decibels, under which sound is another person or
  /// silence.
  private static let ownRange = 10.0
  /// The share of loudest passages that is ignored for the owner's loudness, such as slamming
  /// doors.
  private static let outliers = 0.02
  /// The least variance of a window's envelope, in square decibels. Flatter windows cannot be
  /// matched.
  private static let leastSwing = 1.0

  init(_ audio: AlignmentAudio) {
    let envelope = audio.envelope
    let powers = audio.levels.lazy.map { pow(10, Double($0) / 10) }.runningSums
    let reach = AlignmentAudio.envelopeRate / 2
    let smooth = envelope.indices.map { index in
      let (first, last) = (max(0, index - reach), min(envelope.count, index + reach + 1))
      return 10 * log10((powers[last] - powers[first]) / Double(last - first))
    }
    let sorted = smooth.sorted()
    let loudest = Int(saturating: Double(sorted.count) * (1 - Self.outliers))
    let loudness = sorted.isEmpty ? 0 : sorted[min(loudest, sorted.count - 1)]
    let isOwn = smooth.map { $0 >= loudness - Self.ownRange }
    ownCounts = isOwn.lazy.map { $0 ? 1 : 0 }.runningSums
    (self.audio, self.envelope, self.powers) = (audio, envelope, powers)
    self.loudness = loudness
    own = zip(envelope, isOwn).map { $1 ? $0 : 0 }
  }

  /// Chooses at most `count` windows within `range`, spread evenly, in which the owner speaks for
  /// at least half of the time. `length` is in 10 ms hops.
  func windows(_ count: Int, length: Int, in range: Range<Int>) -> [Range<Int>] {
    guard length > 0, range.count >= length else { return [] }
    let lively = Self.spread(8 * count, from: range.lowerBound, to: range.upperBound - length)
      .map { $0..<$0 + length }
      .filter { 2 * (ownCounts[$0.upperBound] - ownCounts[$0.lowerBound]) >= length }
      .filter { window in
        own[window].reduce(0) { $0 + $1 * $1 } > Self.leastSwing * Double(length)
      }
    return Self.spread(count, from: 0, to: lively.count - 1).map { lively[$0] }
  }

  /// Returns the loudness of a window of 10 ms hops, in decibels relative to the owner.
  func nearness(_ window: Range<Int>) -> Double {
    let range = window.clamped(to: 0..<envelope.count)
    guard !range.isEmpty else { return -Self.ownRange }
    let power = (powers[range.upperBound] - powers[range.lowerBound]) / Double(range.count)
    return 10 * log10(max(1e-12, power)) - loudness
  }

  /// Returns at most `count` distinct numbers spread evenly over a closed range.
  private static func spread(_ count: Int, from first: Int, to last: Int) -> [Int] {
    guard last >= first else { return [] }
    let steps = min(count - 1, last - first)
    return steps == 0 ? [first] : (0...steps).map { first + (last - first) * $0 / steps }
  }
}
