import Glibc
import TesseraTimeline

/// A look-ahead limiter: turns stereo sound down, smoothly and before it happens, where its true
/// peak would pass the ceiling, and leaves every sample as it is where it does not.
///
/// The gain that a frame needs comes from its true peak (``TruePeak``). The smallest gain needed
/// within ``hold`` is kept, rises again with the time constant ``release``, and is smoothed by two
/// moving averages that together last ``attack``, the shape of an S: the gain has arrived when
/// the peak does. Attenuations are integers, so the averages are exact, and where nothing has to
/// be turned down the gain is exactly 1.
///
/// The delay is one block of ``Soundtrack/blockLength`` frames: `process` returns the block
/// before the one it is given.
package struct Limiter: Sendable {
  /// The highest true peak that is let through, in decibels relative to full scale.
  package static let ceilingDecibels: Float = -1.5
  /// The same as a factor.
  package static let ceiling: Float = pow(10, ceilingDecibels / 20)
  /// Frames in which the gain falls: 5 ms.
  package static let attack = 240
  /// Frames for which the gain stays down: 10 ms, half a period of the lowest voice, so that the
  /// gain does not follow the wave itself.
  static let hold = 480
  /// Frames in which what is left of the attenuation falls to 1/e: 200 ms.
  static let release: Int64 = 9600

  private static let blockLength = Soundtrack.blockLength
  private static let averageLength = attack / 2
  /// Frames between the one that is turned down and the newest one.
  private static let delay = TruePeak.lookahead + 2 * (averageLength - 1)
  /// The attenuation 1, silence, in 8.24 fixed point.
  private static let unit: Int64 = 1 << 24
  private static let perAttenuation =
    1 / (Double(unit) * Double(averageLength) * Double(averageLength))

  /// The block before the current one and the current one: interleaved left and right samples.
  private var frames = [Float](repeating: 0, count: 4 * blockLength)
  private var held = SlidingMaximum(length: 2 * (averageLength - 1) + 1 + hold)
  private var released: Int64 = 0
  private var firstAverage = MovingSum(length: averageLength)
  private var secondAverage = MovingSum(length: averageLength)
  private var previousPeak: Float = 0

  private var smallestGain: Float = 1

  /// By how many decibels the sound was turned down at most; 0 where it never was.
  package var largestReduction: Float { -20 * log10(smallestGain) }

  /// A limiter that has heard only silence.
  package init() {}

  /// Takes one block of interleaved stereo sound and replaces it by the one before it, limited.
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

  /// Whether nothing is being turned down and nothing is about to be.
  private var isIdle: Bool {
    released == 0 && firstAverage.sum == 0 && secondAverage.sum == 0
  }

  private mutating func limit() {
    for newest in Self.blockLength..<2 * Self.blockLength {
      let needed = Self.attenuation(forPeak: TruePeak.level(frames.span, newest: newest))
      released = max(held.push(needed), released - released / Self.release - 1, 0)
      let sum = secondAverage.push(firstAverage.push(released))
      guard sum > 0 else { continue }
      let gain = Float(1 - Double(sum) * Self.perAttenuation)
      smallestGain = min(smallestGain, gain)
      let frame = newest - Self.delay
      frames[2 * frame] *= gain
      frames[2 * frame + 1] *= gain
    }
  }

  /// How much a frame with that peak has to be turned down, rounded up.
  private static func attenuation(forPeak peak: Float) -> Int64 {
    guard peak > ceiling else { return 0 }
    return Int64(saturating: Double(1 - ceiling / peak) * Double(unit)) + 1
  }
}
