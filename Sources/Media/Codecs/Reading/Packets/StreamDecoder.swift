import CTesseraFFmpeg

/// Decodes one stream on the calling thread: packets in, frames in presentation order out. Uses a
/// single thread, because frame threads are not deterministic on damaged input.
///
/// Each frame carries the number of its packet, which is passed through the decoder as the
/// timestamp. libavcodec itself trims priming, pre-skip and padding where the container marks them,
/// and adds the trimmed duration to the timestamp. For audio, the packet number is therefore in the
/// upper 32 bits.
@safe struct StreamDecoder: ~Copyable {
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// The decoder's operation for error messages: `decode a picture`.
  private let operation: String
  private let path: String
  private let complaints: DecoderDiagnostics
  /// The decoder of the alpha channel that Matroska stores beside the pictures; `nil` without
  /// alpha.
  private let alpha: AlphaDecoder?
  /// The header parser for the stream's packets.
  let coding: PictureHeaderParser
  private let colors: ColorTagFilter

  /// The maximum number of samples per channel in one packet: FLAC's largest block is 65535.
  private static let largestBlock: Int64 = 1 << 17

  /// The time base of trimmed audio in ticks per second: divisible by all common sample rates.
  static let soundUnits = 7_056_000

  private init(
    owning context: UnsafeMutablePointer<AVCodecContext>, _ alpha: AlphaDecoder?,
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, operation: String, path: String
  ) {
    unsafe self.context = unsafe context
    (self.alpha, self.operation, self.path) = (alpha, operation, path)
    (coding, colors) = unsafe (PictureHeaderParser(parameters), ColorTagFilter(parameters))
    complaints = DecoderDiagnostics()
    unsafe context.pointee.opaque = unsafe UnsafeMutableRawPointer(complaints.raw)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// Opens a decoder for stream `index` of `demuxer`.
  ///
  /// - Parameters:
  ///   - index: The index of the stream.
  ///   - demuxer: The open file.
  ///   - reorderDepth: The number of pictures that an H.264 decoder must at least hold back.
  ///   - keepsAll: True to keep priming and padding of audio.
  ///   - isOpaque: True to ignore an alpha channel.
  ///   - isCoarse: True to skip non-reference pictures and the loop filter, for speed.
  /// - Returns: A decoder that has received no packet.
  /// - Throws: ``FFmpegError`` if there is no decoder or it cannot be opened.
  static func open(
    stream index: Int, of demuxer: borrowing Demuxer, reorderDepth: Int = 0, keepsAll: Bool = false,
    isOpaque: Bool = false, isCoarse: Bool = false
  ) throws(FFmpegError) -> StreamDecoder {
    let path = demuxer.path
    var alpha: AlphaDecoder?
    if !isOpaque, unsafe hasAlpha(demuxer.stream(index)) {
      alpha = try AlphaDecoder(try open(stream: index, of: demuxer, isOpaque: true))
    }
    guard let stream = unsafe demuxer.stream(index),
      let parameters = unsafe stream.pointee.codecpar,
      let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id),
      let context = unsafe avcodec_alloc_context3(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_DECODER_NOT_FOUND, operation: "find a decoder for stream \(index)",
        path: path)
    }
    let isSound = unsafe codec.pointee.type == AVMEDIA_TYPE_AUDIO
    let decoder = unsafe StreamDecoder(
      owning: context, alpha, parameters, operation: isSound ? "decode sound" : "decode a picture",
      path: path)
    try check(
      unsafe avcodec_parameters_to_context(context, parameters),
      "set up the decoder", path)
    if isSound {
      unsafe context.pointee.pkt_timebase = AVRational(num: 1, den: CInt(soundUnits))
    } else if unsafe codec.pointee.id == AV_CODEC_ID_H264 {
      // Streams need not declare the depth, and the decoder would detect it too late.
      unsafe context.pointee.has_b_frames = unsafe max(
        context.pointee.has_b_frames, CInt(reorderDepth))
      // Otherwise one picture with missing references stops the flush at the end.
      unsafe context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
    } else if unsafe codec.pointee.id == AV_CODEC_ID_VP8 {
      try check(unsafe cff_fill_pictures(context), "take memory for a picture", path)
    }
    if keepsAll { unsafe context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }
    if isCoarse {
      unsafe context.pointee.skip_frame = AVDISCARD_NONREF
      unsafe context.pointee.skip_loop_filter = AVDISCARD_ALL
    }
    unsafe context.pointee.err_recognition |= DamageDetection.recognition
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.max_pixels = Int64(Demuxer.largestPicture)
    unsafe context.pointee.max_samples = largestBlock
    try check(unsafe avcodec_open2(context, codec, nil), "open the decoder", path)
    return decoder
  }

  /// True if the container declares that packets may carry alpha. Chromium declares that for every
  /// recording.
  private static func hasAlpha(_ stream: UnsafeMutablePointer<AVStream>?) -> Bool {
    guard let stream = unsafe stream,
      let mode = unsafe av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0),
      [AV_CODEC_ID_VP8, AV_CODEC_ID_VP9].contains(unsafe stream.pointee.codecpar.pointee.codec_id)
    else { return false }
    return unsafe String(cString: mode.pointee.value) == "1"
  }

  /// Sends packet number `number` of the stream to the decoder and returns true if the decoder
  /// logged an error.
  ///
  /// - Throws: ``FFmpegError`` if the packet could not be decoded, or for audio if the decoder
  ///   logged an error. Later packets may still be decodable.
  @discardableResult
  func send(_ packet: borrowing Packet, number: Int) throws(FFmpegError) -> Bool {
    let isSound = unsafe context.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    let isAlphaDamaged = alpha?.send(packet, number: number) ?? false
    packet.number(isSound ? Int64(number) << 32 : Int64(number))
    unsafe complaints.raw.pointee.packet = Int64(number)
    let result = unsafe avcodec_send_packet(context, packet.raw)
    let isComplaining = complaints.take() != nil
    // Vorbis headers may be repeated; they contain no samples.
    if result < 0, unsafe context.pointee.codec_id == AV_CODEC_ID_VORBIS,
      unsafe packet.withPayload({ unsafe $0.dropFirst().starts(with: "vorbis".utf8) })
    {
      _ = FFmpegLog.takeLastLine()
      return false
    }
    try check(result, operation, path, packet: number)
    if isComplaining, isSound {
      try check(CFF_ERROR_INVALID_DATA, operation, path, packet: number)
    }
    return isComplaining || isAlphaDamaged
  }

  /// Starts the flush: no packet follows, and the decoder returns the frames that it holds back.
  func finish() { unsafe avcodec_send_packet(context, nil) }

  /// Discards all pictures in the decoder, before a seek; stream parameters stay.
  func flush() {
    unsafe avcodec_flush_buffers(context)
    alpha?.reset()
    complaints.forget()
  }

  /// Returns the next frame in `frame`; returns false if the decoder needs another packet or has
  /// ended.
  func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
    let result = unsafe avcodec_receive_frame(context, frame.raw)
    guard result != CFF_ERROR_EOF, result != cff_averror(EAGAIN) else { return false }
    try check(result, operation, path, packet: unsafe Int(complaints.raw.pointee.packet))
    try alpha?.add(to: frame)
    colors.apply(to: frame)
    return true
  }
}
