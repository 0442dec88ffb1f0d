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

  /// The most samples, per channel, that one packet may hold: FLAC's largest block is 65535.
  private static let largestBlock: Int64 = 1 << 17

  /// Units of a second in which what is cut off a packet of sound is counted: whole numbers of
  /// them make a sample at all common rates.
  static let soundUnits = 7_056_000

  private init(
    owning context: UnsafeMutablePointer<AVCodecContext>, operation: String, path: String
  ) {
    unsafe self.context = unsafe context
    self.operation = operation
    self.path = path
    complaints = Complaints()
    unsafe context.pointee.opaque = unsafe UnsafeMutableRawPointer(complaints.raw)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// A decoder for stream `index` of `demuxer`. Where it `keepsAll`, it cuts nothing off sound.
  static func open(
    stream index: Int, of demuxer: borrowing Demuxer, reorderDepth: Int = 0, keepsAll: Bool = false
  ) throws(FFmpegError) -> StreamDecoder {
    let path = demuxer.path
    guard let stream = unsafe demuxer.stream(index),
      let codec = unsafe decoder(for: stream),
      let context = unsafe avcodec_alloc_context3(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_DECODER_NOT_FOUND, operation: "find a decoder for stream \(index)",
        path: path)
    }
    let isSound = unsafe codec.pointee.type == AVMEDIA_TYPE_AUDIO
    let decoder = unsafe StreamDecoder(
      owning: context, operation: isSound ? "decode sound" : "decode a picture", path: path)
    try check(
      unsafe avcodec_parameters_to_context(context, stream.pointee.codecpar),
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
    unsafe context.pointee.err_recognition |= Damage.recognition
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.max_pixels = Int64(Demuxer.largestPicture)
    unsafe context.pointee.max_samples = largestBlock
    try check(unsafe avcodec_open2(context, codec, nil), "open the decoder", path)
    return decoder
  }

  /// libavcodec's own decoders of VP8 and VP9 leave out transparency, which libvpx's have.
  private static func decoder(
    for stream: UnsafeMutablePointer<AVStream>
  ) -> UnsafePointer<AVCodec>? {
    let codec = unsafe stream.pointee.codecpar.pointee.codec_id
    let names = [AV_CODEC_ID_VP8.rawValue: "libvpx", AV_CODEC_ID_VP9.rawValue: "libvpx-vp9"]
    if let name = names[codec.rawValue],
      let mode = unsafe av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0),
      unsafe String(cString: mode.pointee.value) == "1",
      let decoder = unsafe avcodec_find_decoder_by_name(name)
    {
      return unsafe decoder
    }
    return unsafe avcodec_find_decoder(codec)
  }

  /// Gives the decoder packet number `number` of its stream, and returns whether it complained of
  /// that. An error means that the packet could not be decoded, or sound only with a complaint; the
  /// next one may be.
  @discardableResult
  func send(_ packet: borrowing Packet, number: Int) throws(FFmpegError) -> Bool {
    let isSound = unsafe context.pointee.codec_type == AVMEDIA_TYPE_AUDIO
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
    return isComplaining
  }

  /// Lets the decoder know that no packet follows, so that it returns what it holds back.
  func finish() { unsafe avcodec_send_packet(context, nil) }

  /// Forgets all pictures; keeps what it learnt of the stream.
  func flush() {
    unsafe avcodec_flush_buffers(context)
    complaints.forget()
  }

  /// Whether a frame came out; false when the decoder wants the next packet or has ended.
  func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
    let result = unsafe avcodec_receive_frame(context, frame.raw)
    guard result != CFF_ERROR_EOF, result != cff_averror(EAGAIN) else { return false }
    try check(result, operation, path, packet: unsafe Int(complaints.raw.pointee.packet))
    return true
  }
}
