package import Foundation

/// How loud sound is in three bands, step by step.
///
/// The bands are what first-order low passes leave: from 20 to 300 Hz, up to 2 kHz, up to 9 kHz. What is lower or higher
/// is not heard as speech, and encoders leave it out. A level is that of both sides together, in half decibels over
/// -120 dBFS.
package struct SoundEnvelope: Sendable {
  /// Samples a second of what is measured.
  package static let sampleRate = 48_000
  /// How many bands there are.
  package static let bandCount = 3
  /// Steps a second of what is kept.
  package static let steps = 100
  /// Levels a decibel.
  package static let scale = 2.0
  /// The level below which nothing is measured.
  package static let floor = -120.0

  /// The power of each band in each step, those of a step in a row.
  package private(set) var powers: [Float] = []
  private let stepLength: Int
  private let isMono: Bool
  private var count = 0
  private var sums: (Float, Float, Float) = (0, 0, 0)
  private var (left, right) = (Side(), Side())

  /// What the filters of a side hold.
  private struct Side {
    private var (bottom, low, middle, top): (Float, Float, Float, Float) = (0, 0, 0, 0)

    /// Takes a sample; returns it by bands.
    @inline(__always) mutating func take(_ sample: Float) -> (Float, Float, Float) {
      bottom += SoundEnvelope.bottom * (sample - bottom)
      let sample = sample - bottom
      low += SoundEnvelope.low * (sample - low)
      middle += SoundEnvelope.high * (sample - middle)
      top += SoundEnvelope.top * (sample - top)
      return (low, middle - low, top - middle)
    }
  }

  private static let bottom = Float(1 - exp(-2 * Double.pi * 20 / Double(sampleRate)))
  private static let low = Float(1 - exp(-2 * Double.pi * 300 / Double(sampleRate)))
  private static let high = Float(1 - exp(-2 * Double.pi * 2000 / Double(sampleRate)))

  private static let top = Float(1 - exp(-2 * Double.pi * 9000 / Double(sampleRate)))

  /// An envelope of nothing with that many steps a second, a divisor of the sample rate; of the mean of both sides where
  /// that is what becomes of them.
  package init(steps: Int = SoundEnvelope.steps, isMono: Bool = false) {
    (stepLength, self.isMono) = (Self.sampleRate / steps, isMono)
  }

  /// Takes interleaved stereo.
  package mutating func append(_ samples: Span<Float>) {
    var place = 0
    while place + 1 < samples.count {
      let end = min(samples.count - 1, place + 2 * (stepLength - count))
      var (a, b, c) = sums
      var (left, right) = (left, right)
      let start = place
      while place < end {
        let mean = (samples[place] + samples[place + 1]) / 2
        let first = left.take(isMono ? mean : samples[place])
        let second = right.take(isMono ? mean : samples[place + 1])
        a += first.0 * first.0 + second.0 * second.0
        b += first.1 * first.1 + second.1 * second.1
        c += first.2 * first.2 + second.2 * second.2
        place += 2
      }
      (sums, self.left, self.right) = ((a, b, c), left, right)
      count += (place - start) / 2
      if count == stepLength { endStep() }
    }
  }

  /// Ends a step that is not whole.
  package mutating func finish() { if count > 0 { endStep() } }

  /// Forgets the first `steps` steps.
  package mutating func removeFirst(_ steps: Int) {
    powers.removeFirst(min(powers.count, steps * Self.bandCount))
  }

  private mutating func endStep() {
    let scale = 1 / Float(2 * count)
    powers += [sums.0 * scale, sums.1 * scale, sums.2 * scale]
    (sums, count) = ((0, 0, 0), 0)
  }

  /// The levels, as they are kept.
  package var levels: Data { Data(powers.map(Self.level)) }

  /// The level of a power.
  package static func level(_ power: Float) -> UInt8 {
    guard power > 0 else { return 0 }
    return UInt8(min(255, max(0, scale * (10 * log10(Double(power)) - floor)).rounded()))
  }

  /// The decibels of a level.
  package static func decibels(_ level: UInt8) -> Double { Double(level) / scale + floor }
}
