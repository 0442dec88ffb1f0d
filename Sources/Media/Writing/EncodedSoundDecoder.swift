import CTesseraFFmpeg

/// Decodes what an ``AudioEncoder`` makes, as a listener's player will.
@safe package struct EncodedSoundDecoder: ~Copyable {
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: Frame
  private let name: String

  private init(
    owning context: UnsafeMutablePointer<AVCodecContext>, frame: consuming Frame, name: String
  ) {
    unsafe self.context = unsafe context
    self.frame = frame
    self.name = name
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// A decoder of the packets of `encoder`.
  package static func open(
    for encoder: borrowing AudioEncoder
  ) throws(FFmpegError) -> EncodedSoundDecoder {
    let name = encoder.settings.codec.rawValue
    guard let codec = unsafe avcodec_find_decoder(encoder.context.pointee.codec_id),
      let context = unsafe avcodec_alloc_context3(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_DECODER_NOT_FOUND, operation: "find the decoder of", path: name)
    }
    var parameters = unsafe avcodec_parameters_alloc()
    defer { unsafe avcodec_parameters_free(&parameters) }
    let decoder = unsafe EncodedSoundDecoder(
      owning: context, frame: try Frame.allocate(), name: name)
    try check(
      unsafe avcodec_parameters_from_context(parameters, encoder.context), "set up the decoder of",
      name)
    try check(
      unsafe avcodec_parameters_to_context(context, parameters), "set up the decoder of", name)
    unsafe context.pointee.pkt_timebase = unsafe encoder.context.pointee.time_base
    unsafe context.pointee.thread_count = 1
    try check(unsafe avcodec_open2(context, codec, nil), "open the decoder of", name)
    return decoder
  }

  /// Decodes a packet, or, where it is nil, what the decoder held back. Calls `body` with the place
  /// of each block's first sample, counted from the first one that was encoded (negative for
  /// priming), and the block: interleaved stereo.
  package func decode(
    _ packet: EncodedPacket?, _ body: (Int64, [Float]) -> Void
  ) throws(FFmpegError) {
    let raw = unsafe packet?.packet.raw
    try check(unsafe avcodec_send_packet(context, raw), "decode what was encoded by", name)
    while true {
      let result = unsafe avcodec_receive_frame(context, frame.raw)
      guard result != CFF_ERROR_EOF, result != cff_averror(EAGAIN) else { return }
      try check(result, "decode what was encoded by", name)
      body(unsafe frame.raw.pointee.pts.ticks ?? 0, samples)
      frame.clear()
    }
  }

  /// The samples of the frame; lossy decoders put out planes of floating point.
  private var samples: [Float] {
    let raw = unsafe frame.raw
    let count = Int(unsafe raw.pointee.nb_samples)
    let channels = Int(unsafe raw.pointee.ch_layout.nb_channels)
    guard unsafe raw.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue, channels > 0 else { return [] }
    var samples = [Float](repeating: 0, count: 2 * count)
    for side in 0..<2 {
      let plane = unsafe raw.pointee.extended_data[min(side, channels - 1)]
      unsafe plane?.withMemoryRebound(to: Float.self, capacity: count) { plane in
        for index in 0..<count { unsafe samples[2 * index + side] = plane[index] }
      }
    }
    return samples
  }
}
