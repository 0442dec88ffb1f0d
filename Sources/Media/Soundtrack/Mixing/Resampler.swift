import CTesseraSoxr

/// Changes the sample rate of interleaved stereo; the one place that calls libsoxr.
///
/// The filter's delay is compensated: the first sample out lies where the first sample in does.
/// At a steady ratio images and aliases lie below -120 dB. A ratio that changes costs six times
/// as much and stays below -100 dB.
@safe struct Resampler: ~Copyable {
  private let context: OpaquePointer
  /// Samples out for each sample in.
  private(set) var ratio: Double
  private let isSteady: Bool

  /// Frames that are converted in one call at most.
  private static let piece = 4096

  /// A resampler that makes `ratio` samples for each one that it takes. Where it is not steady
  /// the ratio may be changed later to anything that is at least `lowest`. Nil where libsoxr
  /// refuses.
  init?(ratio: Double, isSteady: Bool, lowest: Double) {
    guard let context = unsafe csoxr_create(ratio, isSteady ? 1 : 0, lowest) else { return nil }
    unsafe self.context = unsafe context
    (self.ratio, self.isSteady) = (ratio, isSteady)
  }

  deinit { unsafe soxr_delete(context) }

  /// Puts out `ratio` samples for each one from the next sample on.
  mutating func change(to ratio: Double) {
    guard !isSteady, ratio != self.ratio else { return }
    self.ratio = ratio
    _ = unsafe soxr_set_io_ratio(context, 1 / ratio, 480)
  }

  /// Converts `input` and appends what comes out to `output`.
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

  /// Appends the last samples, which the filter held back. Nothing can be converted afterwards.
  mutating func finish(into output: inout [Float]) {
    unsafe drain(nil, 0, into: &output)
  }

  /// Gives `count` frames to the library, or the end where `input` is nil, and takes all that
  /// comes out.
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
