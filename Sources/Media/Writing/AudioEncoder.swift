import CTesseraFFmpeg

/// Encodes interleaved 48 kHz stereo, in order, into packets of one AAC stream.
///
/// The stream begins with ``priming`` samples that are not part of the sound; the packets' times
/// say so (the first one is negative), which in an MP4 file becomes an edit list.
@safe public struct AudioEncoder: ~Copyable {
  let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: Frame
  private var position: Int64 = 0

  /// The number of samples, per channel, that a packet takes.
  public static let blockLength = 1024
  /// Samples a second of what is encoded.
  static let sampleRate = 48_000
  /// The bit rates, in bits a second, that stereo AAC is worth encoding at.
  public static let bitRates = 32_000...512_000

  private init(owning context: UnsafeMutablePointer<AVCodecContext>, frame: consuming Frame) {
    unsafe self.context = unsafe context
    self.frame = frame
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// Opens the encoder for `bitRate` bits a second.
  public static func open(bitRate: Int) throws(FFmpegError) -> AudioEncoder {
    _ = FFmpegLog.installed
    guard let codec = unsafe avcodec_find_encoder_by_name("aac"),
      let context = unsafe avcodec_alloc_context3(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_ENCODER_NOT_FOUND, operation: "find the audio encoder", path: "aac")
    }
    let encoder = unsafe AudioEncoder(owning: context, frame: try Frame.allocate())
    let rate = CInt(sampleRate)
    unsafe context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    unsafe context.pointee.sample_rate = rate
    unsafe context.pointee.time_base = AVRational(num: 1, den: rate)
    unsafe context.pointee.bit_rate = Int64(bitRate)
    unsafe av_channel_layout_default(&context.pointee.ch_layout, 2)
    unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    // The encoder's default, a two-loop search, now and then puts out peaks 3 dB above its input;
    // this one stays within 0.6 dB of crowded speech, and is faster.
    // Noise substitution and intensity stereo do not keep to the waveform either.
    for (name, value) in [("aac_coder", "fast"), ("aac_pns", "0"), ("aac_is", "0")] {
      unsafe av_dict_set(&options, name, value, 0)
    }
    try check(unsafe avcodec_open2(context, codec, &options), "open the encoder", "aac")
    return encoder
  }

  /// The number of samples, per channel, before the first one that was given.
  public var priming: Int { Int(unsafe context.pointee.initial_padding) }

  /// Encodes the next block of interleaved samples: ``blockLength`` of them for each channel, or
  /// fewer in the last one.
  public mutating func encode(_ samples: Span<Float>) throws(FFmpegError) -> [EncodedPacket] {
    let count = samples.count / 2
    let raw = unsafe frame.raw
    unsafe raw.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    unsafe raw.pointee.nb_samples = CInt(count)
    unsafe raw.pointee.sample_rate = context.pointee.sample_rate
    unsafe av_channel_layout_default(&raw.pointee.ch_layout, 2)
    defer { frame.clear() }
    try check(unsafe av_frame_get_buffer(raw, 0), "take memory for sound", "aac")
    unsafe raw.pointee.pts = position
    for channel in 0..<2 {
      let plane = unsafe raw.pointee.extended_data[channel]
      unsafe plane?.withMemoryRebound(to: Float.self, capacity: count) { plane in
        for index in 0..<count { unsafe plane[index] = samples[2 * index + channel] }
      }
    }
    try check(unsafe avcodec_send_frame(context, raw), "encode sound", "aac")
    position += Int64(count)
    return try takePackets()
  }

  /// Ends the stream and answers what the encoder held back.
  public func finish() throws(FFmpegError) -> [EncodedPacket] {
    try check(unsafe avcodec_send_frame(context, nil), "finish the sound", "aac")
    return try takePackets()
  }

  private func takePackets() throws(FFmpegError) -> [EncodedPacket] {
    try unsafe EncodedPacket.take(from: context, "encode sound", "aac")
  }
}
