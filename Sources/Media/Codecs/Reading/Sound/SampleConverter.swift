import CTesseraFFmpeg

/// Converts blocks of one format to interleaved 32-bit float stereo, without a change of the sample
/// rate.
///
/// The downmix uses libswresample's matrix, which is that of ITU-R BS.775: the center and each
/// surround channel at -3 dB on their sides, without the low-frequency effects. The mix is neither
/// normalized nor clipped: a dialogue channel keeps its level, and a limiter handles sums above
/// full scale. A mono voice goes to both sides at unity (libswresample would lower it by 3 dB), so
/// that it is as loud as a microphone recorded in stereo. More than two channels without a layout
/// are microphones, and each is treated like a mono voice.
@safe struct SampleConverter: ~Copyable {
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

  /// Creates a converter for blocks in the format of `frame`. `channel` selects one channel,
  /// counted from 0, which is treated like a mono voice; by default all are mixed.
  static func make(
    for frame: borrowing Frame, channel: Int? = nil, path: String
  ) throws(FFmpegError) -> SampleConverter {
    var context: OpaquePointer?
    let result = unsafe cff_converter_alloc(&context, frame.raw, CInt(channel ?? -1))
    guard let context = unsafe context else {
      throw FFmpegError(code: result, operation: "set up the conversion of sound", path: path)
    }
    let converter = unsafe SampleConverter(owning: context, for: frame, path: path)
    try check(result, "set up the conversion of sound", path)
    try check(unsafe swr_init(context), "set up the conversion of sound", path)
    return converter
  }

  /// True if the block in `frame` has this converter's input format.
  func accepts(_ frame: borrowing Frame) -> Bool {
    let frame = unsafe frame.raw
    return unsafe format == frame.pointee.format && sampleRate == frame.pointee.sample_rate
      && channelCount == frame.pointee.ch_layout.nb_channels
      && channelMask == cff_channel_mask(&frame.pointee.ch_layout)
  }

  /// Converts the block in `frame` and appends its samples to `samples`.
  func convert(_ frame: borrowing Frame, into samples: inout [Float]) throws(FFmpegError) {
    let raw = unsafe frame.raw
    let count = unsafe raw.pointee.nb_samples
    let data = unsafe UnsafeMutablePointer(mutating: raw.pointee.extended_data)
    let written = unsafe withUnsafeTemporaryAllocation(
      of: Float.self, capacity: 2 * Int(count)
    ) { buffer in
      var output = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?
        .assumingMemoryBound(to: UInt8.self)
      let written = unsafe cff_resample(context, &output, count, data, count)
      unsafe samples.append(contentsOf: buffer.prefix(2 * Int(max(0, written))))
      return written
    }
    try check(written, "convert sound", path)
  }
}
