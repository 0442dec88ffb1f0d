package import Foundation

/// How loud sound is in three bands, step by step.
///
/// The bands are what two first-order low passes leave: below 300 Hz, up to 2 kHz, above. A level is that of both
/// sides together, in half decibels over -120 dBFS.
package struct SoundEnvelope: Sendable {
  /// Samples a second of what is measured.
  package static let sampleRate = 48_000
  /// How many bands there are.
  package static let bandCount = 3
  /// Steps a second of what is kept.
  package static let steps = 100
  /// Levels a decibel.
  package static let scale = 2.0
  /// What is no level any more.
  package static let floor = -120.0

  /// The power of each band in each step, those of a step in a row.
  package private(set) var powers: [Float] = []
  private let stepLength: Int
  private var count = 0
  private var sums: (Float, Float, Float) = (0, 0, 0)
  private var states: ((Float, Float), (Float, Float)) = ((0, 0), (0, 0))

  private static let low = Float(1 - exp(-2 * Double.pi * 300 / Double(sampleRate)))
  private static let high = Float(1 - exp(-2 * Double.pi * 2000 / Double(sampleRate)))

  /// An envelope of nothing with that many steps a second, a divisor of the sample rate.
  package init(steps: Int = SoundEnvelope.steps) { stepLength = Self.sampleRate / steps }

  /// Takes interleaved stereo.
  package mutating func append(_ samples: Span<Float>) {
    var place = 0
    while place + 1 < samples.count {
      let end = min(samples.count - 1, place + 2 * (stepLength - count))
      var (a, b, c) = sums
      var ((l1, l2), (r1, r2)) = states
      let start = place
      while place < end {
        let (left, right) = (samples[place], samples[place + 1])
        l1 += Self.low * (left - l1)
        l2 += Self.high * (left - l2)
        r1 += Self.low * (right - r1)
        r2 += Self.high * (right - r2)
        let (leftMiddle, rightMiddle, leftTop, rightTop) = (l2 - l1, r2 - r1, left - l2, right - r2)
        a += l1 * l1 + r1 * r1
        b += leftMiddle * leftMiddle + rightMiddle * rightMiddle
        c += leftTop * leftTop + rightTop * rightTop
        place += 2
      }
      (sums, states) = ((a, b, c), ((l1, l2), (r1, r2)))
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
