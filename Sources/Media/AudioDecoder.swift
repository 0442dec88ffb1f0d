import CFFmpeg
import Timeline

/// A decoder of one stream of sound on the calling thread: packets in, blocks of samples out.
///
/// It knows the unit of the packets' times, so libavcodec itself cuts off priming, pre-skip and
/// padding where the container marks them, and moves the times accordingly.
@safe struct AudioDecoder: ~Copyable {
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// The unit of the stream's times, in seconds.
  let timeBase: Ratio
  private let path: String

  /// The most samples, per channel, that one packet may hold: FLAC's largest block is 65535.
  private static let largestBlock: Int64 = 1 << 17
  /// The sample rates that are accepted; libswresample's memory grows with their ratio to 48 kHz.
  private static let sampleRates = 4_000...768_000

  private init(
    owning context: UnsafeMutablePointer<AVCodecContext>, timeBase: Ratio, path: String
  ) {
    unsafe self.context = unsafe context
    self.timeBase = timeBase
    self.path = path
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// A decoder for stream `index` of `demuxer`.
  static func open(
    stream index: Int, of demuxer: borrowing Demuxer
  ) throws(FFmpegError) -> AudioDecoder {
    let path = demuxer.path
    guard let stream = unsafe demuxer.stream(index),
      unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO,
      let codec = unsafe avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id),
      let context = unsafe avcodec_alloc_context3(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_DECODER_NOT_FOUND, operation: "find a decoder for stream \(index)",
        path: path)
    }
    let decoder = unsafe AudioDecoder(
      owning: context, timeBase: Ratio(stream.pointee.time_base), path: path)
    try check(
      unsafe avcodec_parameters_to_context(context, stream.pointee.codecpar),
      "set up the decoder", path)
    unsafe context.pointee.pkt_timebase = unsafe stream.pointee.time_base
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.max_samples = largestBlock
    try check(unsafe avcodec_open2(context, codec, nil), "open the decoder", path)
    return decoder
  }

  /// Gives the decoder a packet. An error means that the packet could not be decoded; the next
  /// one may be.
  func send(_ packet: borrowing Packet) throws(FFmpegError) {
    try check(unsafe avcodec_send_packet(context, packet.raw), "decode sound", path)
  }

  /// Tells the decoder that no packet follows, so that it puts out what it holds back.
  func finish() { unsafe avcodec_send_packet(context, nil) }

  /// The next block, its samples in `frame`; nil when the decoder wants a packet or has ended.
  func receive(into frame: borrowing Frame) throws(FFmpegError) -> SoundBlock? {
    let result = unsafe avcodec_receive_frame(context, frame.raw)
    guard result != CFF_ERROR_EOF, result != cff_averror(EAGAIN) else { return nil }
    try check(result, "decode sound", path)
    let (count, rate) = unsafe (Int(frame.raw.pointee.nb_samples), frame.raw.pointee.sample_rate)
    guard Self.sampleRates.contains(Int(rate)) else {
      throw FFmpegError(
        code: CFF_ERROR_INVALID_DATA, operation: "use a sample rate of \(rate) Hz", path: path)
    }
    let ticks = unsafe frame.raw.pointee.best_effort_timestamp.ticks
    let time = ticks.flatMap { MediaTime(ticks: $0, timeBase: timeBase) }
    return SoundBlock(time: time, sampleCount: count, sampleRate: Int(rate))
  }
}
