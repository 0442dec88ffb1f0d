import CTesseraSoxr

/// A sample rate converter for interleaved stereo. The only type that calls libsoxr.
///
/// The filter's delay is compensated: the first output sample is at the place of the first input
/// sample. At a constant ratio, images and aliases are below -120 dB. A variable ratio costs six
/// times as much and stays below -100 dB.
@safe struct SampleRateConverter: ~Copyable {
  private let context: OpaquePointer
  /// The number of output samples for each input sample.
  private(set) var ratio: Double
  /// True if the ratio is constant.
  private let isSteady: Bool

  /// The largest number of frames converted in one call.
  private static let piece = 4096

  /// Creates a resampler that returns `ratio` samples for each input sample.
  ///
  /// Unless `isSteady`, the ratio may later change to any value of at least `lowest`. Returns `nil`
  /// if libsoxr fails.
  init?(ratio: Double, isSteady: Bool, lowest: Double) {
    guard let context = unsafe csoxr_create(ratio, isSteady ? 1 : 0, lowest) else { return nil }
    unsafe self.context = unsafe context
    (self.ratio, self.isSteady) = (ratio, isSteady)
  }

  deinit { unsafe soxr_delete(context) }

  /// Sets the ratio from the next sample on. Has no effect on a resampler with a constant ratio.
  mutating func change(to ratio: Double) {
    guard !isSteady, ratio != self.ratio else { return }
    self.ratio = ratio
    _ = unsafe soxr_set_io_ratio(context, 1 / ratio, 480)
  }

  /// Converts `input` and appends the result to `output`.
  mutating func convert(_ input: [Float], into output: inout [Float]) {
    var position = 0
    while position < input.count {
      let count = min(Self.piece, (input.count - position) / 2)
      guard count > 0 else { return }
      unsafe input.withUnsafeBufferPointer { input in
        let start = unsafe input.baseAddress.map { unsafe $0 + position }
        unsafe drain(start, count, into: &output)
      }
      position += 2 * count
    }
  }

  /// Appends the samples that the filter holds back. The resampler must not be used afterwards.
  mutating func finish(into output: inout [Float]) {
    unsafe drain(nil, 0, into: &output)
  }

  /// Passes `count` frames to libsoxr, or the end of input if `input` is `nil`, and appends all
  /// output.
  private mutating func drain(
    _ input: UnsafePointer<Float>?, _ count: Int, into output: inout [Float]
  ) {
    let capacity = 2 * Self.piece
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * capacity) { buffer in
      var used = 0
      while true {
        var (taken, made) = (0, 0)
        let start = unsafe input.map { unsafe UnsafeRawPointer($0 + 2 * used) }
        let error = unsafe soxr_process(
          context, start, count - used, &taken, buffer.baseAddress, capacity, &made)
        unsafe output.append(contentsOf: buffer.prefix(2 * made))
        used += taken
        if unsafe error != nil || made < capacity && used >= count { return }
      }
    }
  }
}
