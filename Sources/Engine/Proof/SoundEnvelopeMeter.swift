package import Foundation

/// Measures the level of audio in three frequency bands over time.
///
/// First-order low-pass filters separate the bands: 20 to 300 Hz, 300 Hz to 2 kHz, 2 to 9 kHz.
/// Frequencies below and above do not matter for speech, and encoders drop them. A level is the
/// mean power of both channels, in half decibels above -120 dBFS.
package struct SoundEnvelopeMeter: Sendable {
  /// The sample rate of the input, in Hz.
  package static let sampleRate = 48_000
  /// The number of frequency bands.
  package static let bandCount = 3
  /// The default number of steps per second.
  package static let steps = 100
  /// The number of levels per decibel.
  package static let scale = 2.0
  /// The level below which nothing is measured, in dBFS.
  package static let floor = -120.0

  /// The mean power of each band in each step, the bands of a step in a row.
  package private(set) var powers: [Float] = []
  private let stepLength: Int
  private let isMono: Bool
  private var count = 0
  private var sums: (Float, Float, Float) = (0, 0, 0)
  private var (left, right) = (ChannelFilters(), ChannelFilters())

  /// The state of one channel's filters.
  private struct ChannelFilters {
    private var (bottom, low, middle, top): (Float, Float, Float, Float) = (0, 0, 0, 0)

    /// Filters one sample and returns it split into the three bands.
    @inline(__always) mutating func take(_ sample: Float) -> (Float, Float, Float) {
      bottom += SoundEnvelopeMeter.bottom * (sample - bottom)
      let sample = sample - bottom
      low += SoundEnvelopeMeter.low * (sample - low)
      middle += SoundEnvelopeMeter.high * (sample - middle)
      top += SoundEnvelopeMeter.top * (sample - top)
      return (low, middle - low, top - middle)
    }
  }

  /// The smoothing factors of the low-pass filters at 20 Hz, 300 Hz, 2 kHz and 9 kHz.
  private static let bottom = Float(1 - exp(-2 * Double.pi * 20 / Double(sampleRate)))
  private static let low = Float(1 - exp(-2 * Double.pi * 300 / Double(sampleRate)))
  private static let high = Float(1 - exp(-2 * Double.pi * 2000 / Double(sampleRate)))

  private static let top = Float(1 - exp(-2 * Double.pi * 9000 / Double(sampleRate)))

  /// Creates an empty envelope.
  ///
  /// - Parameters:
  ///   - steps: The number of steps per second, a divisor of ``sampleRate``.
  ///   - isMono: True if the output is mono: the mean of both channels is measured.
  package init(steps: Int = SoundEnvelopeMeter.steps, isMono: Bool = false) {
    (stepLength, self.isMono) = (Self.sampleRate / steps, isMono)
  }

  /// Measures interleaved stereo samples.
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

  /// Ends the last step, even if it is shorter than the others.
  package mutating func finish() { if count > 0 { endStep() } }

  package mutating func removeFirst(_ steps: Int) {
    powers.removeFirst(min(powers.count, steps * Self.bandCount))
  }

  private mutating func endStep() {
    let scale = 1 / Float(2 * count)
    powers += [sums.0 * scale, sums.1 * scale, sums.2 * scale]
    (sums, count) = ((0, 0, 0), 0)
  }

  /// The levels of all steps as stored in a proof, one byte per band.
  package var levels: Data { Data(powers.map(Self.level)) }

  /// Converts a power to a level.
  package static func level(_ power: Float) -> UInt8 {
    guard power > 0 else { return 0 }
    return UInt8(min(255, max(0, scale * (10 * log10(Double(power)) - floor)).rounded()))
  }

  /// Converts a level to decibels relative to full scale.
  package static func decibels(_ level: UInt8) -> Double { Double(level) / scale + floor }
}
