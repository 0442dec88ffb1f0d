import CTesseraFFmpeg

/// A decoder of one stream on the calling thread: packets in, frames in presentation order out.
/// One thread only, because frame threads are not repeatable on damaged input.
///
/// Each frame names the packet that it comes from: the packets' numbers travel as their times.
/// libavcodec itself cuts off priming, pre-skip and padding where the container marks them, and
/// adds what it cuts off to the time; so the number of a packet of sound stands in its upper half.
@safe struct StreamDecoder: ~Copyable {
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// What the decoder does, in words.
  private let operation: String
  private let path: String
  private let complaints: Complaints
  /// The decoder of the opacity that the container stores beside the pictures; nil for other streams.
  private let alpha: AlphaDecoder?
  /// Facts that packets of its pictures state in clear.
  let coding: PictureCoding
  private let colors: ColorTags

  /// The most samples, per channel, that one packet may hold: FLAC's largest block is 65535.
  private static let largestBlock: Int64 = 1 << 17

  /// Units of a second in which what is cut off a packet of sound is counted: whole numbers of
  /// them make a sample at all common rates.
  static let soundUnits = 7_056_000

  private init(
    owning context: UnsafeMutablePointer<AVCodecContext>, _ alpha: AlphaDecoder?,
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, operation: String, path: String
  ) {
    unsafe self.context = unsafe context
    (self.alpha, self.operation, self.path) = (alpha, operation, path)
    (coding, colors) = unsafe (PictureCoding(parameters), ColorTags(parameters))
    complaints = Complaints()
    unsafe context.pointee.opaque = unsafe UnsafeMutableRawPointer(complaints.raw)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// A decoder for stream `index` of `demuxer`. Where it `keepsAll`, it cuts nothing off sound. One that
  /// `isCoarse` skips pictures on which no others depend, and the loop filter.
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
      // Streams need not say it, and the decoder then finds out too late.
      unsafe context.pointee.has_b_frames = unsafe max(
        context.pointee.has_b_frames, CInt(reorderDepth))
      // Without it, one picture at the end that depends on missing ones ends the emptying of all.
      unsafe context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
    } else if unsafe codec.pointee.id == AV_CODEC_ID_VP8 {
      try check(unsafe cff_fill_pictures(context), "take memory for a picture", path)
    }
    if keepsAll { unsafe context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL }
    if isCoarse {
      unsafe context.pointee.skip_frame = AVDISCARD_NONREF
      unsafe context.pointee.skip_loop_filter = AVDISCARD_ALL
    }
    unsafe context.pointee.err_recognition |= Damage.recognition
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.max_pixels = Int64(Demuxer.largestPicture)
    unsafe context.pointee.max_samples = largestBlock
    try check(unsafe avcodec_open2(context, codec, nil), "open the decoder", path)
    return decoder
  }

  /// True if the container says that packets may carry opacity. Chromium's say so of every recording.
  private static func hasAlpha(_ stream: UnsafeMutablePointer<AVStream>?) -> Bool {
    guard let stream = unsafe stream,
      let mode = unsafe av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0),
      [AV_CODEC_ID_VP8, AV_CODEC_ID_VP9].contains(unsafe stream.pointee.codecpar.pointee.codec_id)
    else { return false }
    return unsafe String(cString: mode.pointee.value) == "1"
  }

  /// Gives the decoder packet number `number` of its stream, and returns whether it complained of
  /// that. An error means that the packet could not be decoded, or sound only with a complaint; the
  /// next one may be.
  @discardableResult
  func send(_ packet: borrowing Packet, number: Int) throws(FFmpegError) -> Bool {
    let isSound = unsafe context.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    let isAlphaDamaged = alpha?.send(packet, number: number) ?? false
    packet.number(isSound ? Int64(number) << 32 : Int64(number))
    unsafe complaints.raw.pointee.packet = Int64(number)
    let result = unsafe avcodec_send_packet(context, packet.raw)
    let isComplaining = complaints.take() != nil
    // Headers of Vorbis may come again, and hold nothing.
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

  /// Lets the decoder know that no packet follows, so that it returns what it holds back.
  func finish() { unsafe avcodec_send_packet(context, nil) }

  /// Forgets all pictures; keeps what it learnt of the stream.
  func flush() {
    unsafe avcodec_flush_buffers(context)
    alpha?.reset()
    complaints.forget()
  }

  /// Whether a frame came out; false when the decoder wants the next packet or has ended.
  func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
    let result = unsafe avcodec_receive_frame(context, frame.raw)
    guard result != CFF_ERROR_EOF, result != cff_averror(EAGAIN) else { return false }
    try check(result, operation, path, packet: unsafe Int(complaints.raw.pointee.packet))
    try alpha?.add(to: frame)
    colors.apply(to: frame)
    return true
  }
}
