import CTesseraFFmpeg

/// Converts blocks of one format to interleaved stereo in 32-bit floating point at the rate that
/// they have.
///
/// Channels are mixed down by libswresample's matrix, which is that of ITU-R BS.775: the centre
/// and each surround at -3 dB on the sides that they belong to, the low-frequency effects left
/// out. It is not normalised and not clipped: a dialogue channel keeps its level, and what adds up
/// above full scale is left to a limiter. A mono voice goes to both sides as it is (libswresample
/// would lower it by 3 dB), so that it is as loud as the same microphone recorded in stereo. Channels
/// without a layout, if there are more than two, are microphones: each is heard like a mono voice.
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

  /// A converter for blocks like the one in `frame`, of all channels or the one numbered `channel`
  /// from 0, which is heard like a mono voice.
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

  /// Whether the block in `frame` has the format that this converter was made for.
  func accepts(_ frame: borrowing Frame) -> Bool {
    let frame = unsafe frame.raw
    return unsafe format == frame.pointee.format && sampleRate == frame.pointee.sample_rate
      && channelCount == frame.pointee.ch_layout.nb_channels
      && channelMask == cff_channel_mask(&frame.pointee.ch_layout)
  }

  /// Converts the block in `frame` and appends its samples to `samples`, as many as it has.
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
