import CTesseraFFmpeg

/// Converts blocks of one format to interleaved 48 kHz stereo in 32-bit floating point.
///
/// libswresample's delay is compensated: the first sample out of a run lies where its first
/// sample in does. Channels are mixed down by libswresample's matrix, not normalised and not
/// clipped: a dialogue channel keeps its level, and what adds up above full scale is left to a
/// limiter. A mono voice goes to both sides as it is (libswresample would lower it by 3 dB), so
/// that it is as loud as the same microphone recorded in stereo.
@safe struct AudioResampler: ~Copyable {
  static let sampleRate = 48_000

  private let context: OpaquePointer
  private let path: String
  private let format: CInt
  private let sampleRate: CInt
  private let channelCount: CInt
  private let channelMask: UInt64

  private init(owning context: OpaquePointer, for frame: borrowing Frame, path: String) {
    unsafe self.context = unsafe context
    self.path = path
    self.format = unsafe frame.raw.pointee.format
    self.sampleRate = unsafe frame.raw.pointee.sample_rate
    self.channelCount = unsafe frame.raw.pointee.ch_layout.nb_channels
    self.channelMask = unsafe cff_channel_mask(&frame.raw.pointee.ch_layout)
  }

  deinit {
    var context: OpaquePointer? = unsafe context
    unsafe swr_free(&context)
  }

  /// A converter for blocks like the one in `frame`.
  static func make(
    for frame: borrowing Frame, path: String
  ) throws(FFmpegError) -> AudioResampler {
    var context: OpaquePointer?
    let result = unsafe cff_resampler_alloc(&context, frame.raw, CInt(sampleRate))
    guard let context = unsafe context else {
      throw FFmpegError(code: result, operation: "set up the resampler", path: path)
    }
    let resampler = unsafe AudioResampler(owning: context, for: frame, path: path)
    try check(result, "set up the resampler", path)
    try resampler.beginRun()
    return resampler
  }

  /// Whether the block in `frame` has the format that this converter was made for.
  func accepts(_ frame: borrowing Frame) -> Bool {
    let frame = unsafe frame.raw
    return unsafe format == frame.pointee.format && sampleRate == frame.pointee.sample_rate
      && channelCount == frame.pointee.ch_layout.nb_channels
      && channelMask == cff_channel_mask(&frame.pointee.ch_layout)
  }

  /// Forgets what it holds of the run before.
  func beginRun() throws(FFmpegError) {
    try check(unsafe swr_init(context), "set up the resampler", path)
  }

  /// Converts the block in `frame` and appends what comes out to `samples`.
  func convert(_ frame: borrowing Frame, into samples: inout [Float]) throws(FFmpegError) {
    let raw = unsafe frame.raw
    try unsafe append(
      UnsafeMutablePointer(mutating: raw.pointee.extended_data),
      count: raw.pointee.nb_samples, to: &samples)
  }

  /// Appends the last samples of the run, which the filter held back.
  func finishRun(into samples: inout [Float]) throws(FFmpegError) {
    try unsafe append(nil, count: 0, to: &samples)
  }

  /// Spreads `difference` more (or fewer, where negative) samples over the next `distance`.
  func stretch(by difference: Int, over distance: Int) throws(FFmpegError) {
    try check(
      unsafe swr_set_compensation(context, CInt(difference), CInt(distance)),
      "correct clock drift", path)
  }

  private func append(
    _ data: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, count: CInt,
    to samples: inout [Float]
  ) throws(FFmpegError) {
    let bound = try check(unsafe swr_get_out_samples(context, count), "resample sound", path)
    let written = unsafe withUnsafeTemporaryAllocation(
      of: Float.self, capacity: 2 * Int(bound)
    ) { buffer in
      var output = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?
        .assumingMemoryBound(to: UInt8.self)
      let written = unsafe cff_resample(context, &output, bound, data, count)
      unsafe samples.append(contentsOf: buffer.prefix(2 * Int(max(0, written))))
      return written
    }
    try check(written, "resample sound", path)
  }
}
