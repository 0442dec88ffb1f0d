/// The true peak of stereo sound: the highest level on samples and between them.
///
/// The interpolator is the 4x oversampling filter of ITU-R BS.1770-4, Annex 2: four phases with
/// twelve taps each.
package enum TruePeak {
  /// The taps of the first phase, from the oldest sample to the newest. The fourth phase uses them
  /// in reverse.
  private static let outer: [12 of Float] = [
    -0.008300781250, 0.014892578125, -0.026611328125, 0.047607421875, -0.102294921875,
    0.972167968750, 0.137329101562, -0.059448242188, 0.033203125000, -0.019653320312,
    0.010986328125, 0.001708984375,
  ]
  /// The taps of the second phase, from the oldest sample to the newest. The third phase uses them
  /// in reverse.
  private static let inner: [12 of Float] = [
    -0.018920898438, 0.033081054688, -0.058227539062, 0.101562500000, -0.200317382812,
    0.779785156250, 0.465087890625, -0.166503906250, 0.089111328125, -0.051757812500,
    0.029296875000, -0.029174804688,
  ]

  /// The number of samples on which an interpolated value depends.
  package static let tapCount = 12
  /// The number of samples after a frame that are needed to interpolate the values following it.
  static let lookahead = 6
  /// The largest ratio of an interpolated value to the largest sample: the sum of a phase's
  /// absolute taps, rounded up.
  package static let largestGain: Float = 2.03

  /// Returns the largest magnitude, in either channel, from frame `newest - lookahead` up to the
  /// following frame.
  ///
  /// `frames` are interleaved stereo samples. `newest` is the newest frame that is read, at least
  /// `tapCount - 1`.
  package static func level(_ frames: Span<Float>, newest: Int) -> Float {
    let middle = 2 * (newest - lookahead)
    var peak = max(abs(frames[middle]), abs(frames[middle + 1]))
    for channel in 0...1 {
      var (a, b, c, d): (Float, Float, Float, Float) = (0, 0, 0, 0)
      for tap in 0..<tapCount {
        let sample = frames[2 * (newest - tapCount + 1 + tap) + channel]
        a += outer[tap] * sample
        b += inner[tap] * sample
        c += inner[tapCount - 1 - tap] * sample
        d += outer[tapCount - 1 - tap] * sample
      }
      peak = max(peak, max(max(abs(a), abs(b)), max(abs(c), abs(d))))
    }
    return peak
  }
}
