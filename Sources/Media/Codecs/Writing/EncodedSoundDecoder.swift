import CTesseraFFmpeg

/// Decodes the output of an ``AudioEncoder`` as a player does.
@safe package struct EncodedSoundDecoder: ~Copyable {
  private let owner: CodecContext
  private let frame: Frame
  private let name: String

  private var context: UnsafeMutablePointer<AVCodecContext> { unsafe owner.raw }

  /// Opens a decoder for the packets of `encoder`.
  package static func open(
    for encoder: borrowing AudioEncoder
  ) throws(FFmpegError) -> EncodedSoundDecoder { try open(try encoder.parameters()) }

  /// Opens a decoder for a stream that an ``AudioEncoder`` produced.
  package static func open(
    _ stream: CodecParameters
  ) throws(FFmpegError) -> EncodedSoundDecoder {
    let name = stream.codec
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(name),
      let codec = unsafe avcodec_find_decoder(descriptor.pointee.id),
      let owner = unsafe CodecContext(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_DECODER_NOT_FOUND, operation: "find the decoder of", path: name)
    }
    let context = unsafe owner.raw
    let decoder = EncodedSoundDecoder(owner: owner, frame: try Frame.allocate(), name: name)
    guard let parameters = unsafe avcodec_parameters_alloc() else {
      throw .outOfMemory("set up the decoder of", name)
    }
    var owned: UnsafeMutablePointer<AVCodecParameters>? = unsafe parameters
    defer { unsafe avcodec_parameters_free(&owned) }
    try unsafe stream.apply(to: parameters, path: name)
    try check(
      unsafe avcodec_parameters_to_context(context, parameters), "set up the decoder of", name)
    unsafe context.pointee.pkt_timebase = stream.timeBase.rational
    unsafe context.pointee.thread_count = 1
    try check(unsafe avcodec_open2(context, codec, nil), "open the decoder of", name)
    return decoder
  }

  /// Decodes `packet`, or flushes the decoder if it is `nil`. Calls `body` with each block of
  /// interleaved stereo and the position of its first sample, counted from the first encoded sample
  /// (negative for priming).
  package func decode(
    _ packet: EncodedPacket?, _ body: (Int64, [Float]) -> Void
  ) throws(FFmpegError) {
    let raw = unsafe packet?.packet.raw
    try check(
      unsafe avcodec_send_packet(context, raw), "decode the sound that was encoded by", name)
    while true {
      let result = unsafe avcodec_receive_frame(context, frame.raw)
      guard result != CFF_ERROR_EOF, result != cff_averror(EAGAIN) else { return }
      try check(result, "decode the sound that was encoded by", name)
      body(unsafe frame.raw.pointee.pts.ticks ?? 0, samples)
      frame.clear()
    }
  }

  /// The frame's samples as interleaved stereo, converted from planar float (lossy codecs) or
  /// interleaved 32-bit integers (lossless).
  private var samples: [Float] {
    let raw = unsafe frame.raw
    let count = Int(unsafe raw.pointee.nb_samples)
    let channels = Int(unsafe raw.pointee.ch_layout.nb_channels)
    guard channels > 0 else { return [] }
    let format = unsafe raw.pointee.format
    let isWhole = format == AV_SAMPLE_FMT_S32.rawValue
    guard isWhole || format == AV_SAMPLE_FMT_FLTP.rawValue else { return [] }
    var samples = [Float](repeating: 0, count: 2 * count)
    for side in 0..<2 {
      let channel = min(side, channels - 1)
      let plane = unsafe raw.pointee.extended_data[isWhole ? 0 : channel]
      if isWhole {
        unsafe plane?.withMemoryRebound(to: Int32.self, capacity: channels * count) { plane in
          for index in 0..<count {
            unsafe samples[2 * index + side] = Float(plane[channels * index + channel]) / 0x1p31
          }
        }
      } else {
        unsafe plane?.withMemoryRebound(to: Float.self, capacity: count) { plane in
          for index in 0..<count { unsafe samples[2 * index + side] = plane[index] }
        }
      }
    }
    return samples
  }
}
