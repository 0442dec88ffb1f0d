import Glibc
import TesseraTimeline

/// A look-ahead true-peak limiter for stereo.
///
/// The limiter attenuates sound smoothly, and before the peak, where its true peak would exceed the
/// ceiling. All other samples stay bit-exact.
///
/// The gain that a frame needs comes from its true peak (``TruePeak``). The smallest gain within
/// ``hold`` is kept, recovers with the time constant ``release``, and is smoothed by two moving
/// averages with a total length of ``attack``, an S-shaped ramp: the gain arrives together with the
/// peak. Attenuations are integers, so the averages are exact, and without attenuation the gain is
/// exactly 1.
///
/// The delay is one block of ``Soundtrack/blockLength`` frames: `process` returns the block before
/// its argument.
package struct Limiter: Sendable {
  /// The highest true peak of the output, in dBFS.
  package static let ceilingDecibels: Float = -1.5
  /// The ceiling as a linear factor.
  package static let ceiling: Float = pow(10, ceilingDecibels / 20)
  /// The number of frames over which the gain falls: 5 ms.
  package static let attack = 240
  /// The number of frames for which the gain is held: 10 ms, half a period of the lowest voice, so
  /// that the gain does not follow the waveform itself.
  static let hold = 480
  /// The release time constant: the number of frames after which the attenuation has decayed to
  /// 1/e: 200 ms.
  static let release: Int64 = 9600

  private static let blockLength = Soundtrack.blockLength
  /// The length of each moving average, in frames.
  private static let averageLength = attack / 2
  /// The number of frames between the attenuated frame and the newest one.
  private static let delay = TruePeak.lookahead + 2 * (averageLength - 1)
  /// The attenuation 1, which is silence, in 8.24 fixed point.
  private static let unit: Int64 = 1 << 24
  /// The factor from the output of both averages to an attenuation from 0 to 1.
  private static let perAttenuation =
    1 / (Double(unit) * Double(averageLength) * Double(averageLength))

  /// The preceding block followed by the current block, as interleaved samples.
  private var frames = [Float](repeating: 0, count: 4 * blockLength)
  /// The largest attenuation within the hold time.
  private var held = SlidingMaximum(length: 2 * (averageLength - 1) + 1 + hold)
  /// The attenuation after release, in 8.24 fixed point.
  private var released: Int64 = 0
  private var firstAverage = MovingSum(length: averageLength)
  private var secondAverage = MovingSum(length: averageLength)
  /// The largest sample of the preceding block.
  private var previousPeak: Float = 0

  /// Creates a limiter whose past is silence.
  package init() {}

  /// Replaces a block of interleaved stereo by the preceding block, limited. `block` has
  /// ``Soundtrack/blockLength`` frames.
  package mutating func process(_ block: inout [Float]) {
    precondition(block.count == 2 * Self.blockLength)
    let half = block.count
    for index in 0..<half { frames[half + index] = block[index] }
    let peak = block.reduce(0) { max($0, abs($1)) }
    if !isIdle || max(peak, previousPeak) * TruePeak.largestGain > Self.ceiling { limit() }
    previousPeak = peak
    for index in 0..<half {
      block[index] = frames[index]
      frames[index] = frames[half + index]
    }
  }

  /// True if no attenuation is active or about to begin.
  private var isIdle: Bool {
    released == 0 && firstAverage.sum == 0 && secondAverage.sum == 0
  }

  /// Computes the gains of a block and applies them to the delayed frames.
  private mutating func limit() {
    for newest in Self.blockLength..<2 * Self.blockLength {
      let needed = Self.attenuation(forPeak: TruePeak.level(frames.span, newest: newest))
      released = max(held.push(needed), released - released / Self.release - 1, 0)
      let sum = secondAverage.push(firstAverage.push(released))
      guard sum > 0 else { continue }
      let gain = Float(1 - Double(sum) * Self.perAttenuation)
      let frame = newest - Self.delay
      frames[2 * frame] *= gain
      frames[2 * frame + 1] *= gain
    }
  }

  /// Returns the attenuation that lowers `peak` to the ceiling, in 8.24 fixed point, rounded up.
  private static func attenuation(forPeak peak: Float) -> Int64 {
    guard peak > ceiling else { return 0 }
    return Int64(saturating: Double(1 - ceiling / peak) * Double(unit)) + 1
  }
}
