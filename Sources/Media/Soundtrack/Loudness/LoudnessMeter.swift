import CTesseraEbur128
import Glibc

/// A loudness meter by EBU R 128 (ITU-R BS.1770) for stereo at ``Soundtrack/sampleRate``. The only
/// type that calls libebur128.
///
/// Sound that is equal on both channels is measured on one channel, counted twice, at half the
/// cost.
@safe package struct LoudnessMeter: ~Copyable {
  /// The state for sound that is equal on both channels; `nil` without memory.
  private var mono: UnsafeMutablePointer<ebur128_state>?
  /// The state for the sound from the first difference of the channels on; `nil` before that.
  private var stereo: UnsafeMutablePointer<ebur128_state>?
  /// The left channel of the current block.
  private var side: [Float] = []

  /// The length of the window whose level ``add(_:)`` returns, in milliseconds.
  package static let window: UInt = 20

  /// Creates an empty meter. Without memory for its state it measures silence.
  package init() {
    unsafe (mono, stereo) = unsafe (Self.makeState(channels: 1), nil)
    if let mono = unsafe mono {
      unsafe ebur128_set_channel(mono, 0, CInt(EBUR128_DUAL_MONO.rawValue))
    }
  }

  deinit {
    var (mono, stereo) = unsafe (mono, stereo)
    if unsafe mono != nil { unsafe ebur128_destroy(&mono) }
    if unsafe stereo != nil { unsafe ebur128_destroy(&stereo) }
  }

  private static func makeState(channels: CUnsignedInt) -> UnsafeMutablePointer<ebur128_state>? {
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
    return unsafe ebur128_init(channels, CUnsignedLong(Soundtrack.sampleRate), CInt(mode))
  }

  /// Measures interleaved stereo. Returns the loudness of the last ``window`` milliseconds in LUFS,
  /// or negative infinity for silence.
  @discardableResult
  package mutating func add(_ samples: [Float]) -> Double {
    var level = -Double.infinity
    if unsafe stereo == nil, takeSide(samples), let mono = unsafe mono {
      unsafe ebur128_add_frames_float(mono, side, samples.count / 2)
      unsafe ebur128_loudness_window(mono, CUnsignedLong(Self.window), &level)
    } else {
      if unsafe stereo == nil { unsafe stereo = unsafe Self.makeState(channels: 2) }
      guard let stereo = unsafe stereo else { return level }
      unsafe ebur128_add_frames_float(stereo, samples, samples.count / 2)
      unsafe ebur128_loudness_window(stereo, CUnsignedLong(Self.window), &level)
    }
    return level
  }

  /// Copies the left channel to ``side``. Returns false if the right channel differs.
  private mutating func takeSide(_ samples: [Float]) -> Bool {
    let count = samples.count / 2
    if side.count < count { side = [Float](repeating: 0, count: count) }
    var difference: UInt32 = 0
    for frame in 0..<count {
      let (left, right) = (samples[2 * frame], samples[2 * frame + 1])
      side[frame] = left
      difference |= left.bitPattern ^ right.bitPattern
    }
    return difference == 0
  }

  /// The gated loudness of all sound so far in LUFS; `nil` if nothing was louder than -70 LUFS.
  package var integrated: Double? {
    var states = unsafe [mono, stereo]
    unsafe states.removeAll { unsafe $0 == nil }
    var loudness = -Double.infinity
    unsafe ebur128_loudness_global_multiple(&states, states.count, &loudness)
    return loudness.isFinite ? loudness : nil
  }
}
