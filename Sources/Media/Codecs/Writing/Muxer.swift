import CTesseraFFmpeg
import Glibc
package import TesseraSystem
import TesseraTimeline

/// Writes one output file. Order of calls: streams and chapters, ``begin(tags:)``, packets,
/// ``finish()``.
///
/// The index of an MP4 file is moved to the front at the end, so that playback can start during the
/// download.
@safe package struct Muxer: ~Copyable {
  private let context: UnsafeMutablePointer<AVFormatContext>
  /// The path of the output file.
  package let path: String
  package let container: OutputContainer
  private var streamCount = 0

  private let cancellation: Cancellation

  deinit {
    unsafe avio_closep(&context.pointee.pb)
    unsafe avformat_free_context(context)
  }

  /// Creates the file at `path`. `cancellation` interrupts every later call.
  package static func create(
    _ path: String, container: OutputContainer = .mp4, cancellation: Cancellation
  ) throws(FFmpegError) -> Muxer {
    _ = FFmpegLog.installed
    var context: UnsafeMutablePointer<AVFormatContext>? = nil
    try check(
      unsafe avformat_alloc_output_context2(
        &context, nil, container.muxerName, "file:" + path),
      "set up the file", path)
    guard let context = unsafe context else { throw .outOfMemory("set up the file", path) }
    let muxer = unsafe Muxer(
      context: context, path: path, container: container, cancellation: cancellation)
    var interrupt = unsafe cancellation.interruptCallback
    try check(
      unsafe avio_open2(
        &context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, &interrupt, nil),
      "create the file", path)
    return muxer
  }

  /// Adds the stream of `encoder` and returns its index.
  package mutating func addStream(_ encoder: borrowing AudioEncoder) throws(FFmpegError) -> Int {
    try addStream(try encoder.parameters())
  }

  /// Adds a stream and returns its index. `tags` are its metadata, such as `language`. `isDefault`
  /// marks captions that players show without being asked.
  package mutating func addStream(
    _ parameters: CodecParameters, tags: [String: String] = [:], isDefault: Bool = false
  ) throws(FFmpegError) -> Int {
    let stream = try unsafe Self.addStream(
      parameters, to: context, container: container, path: path)
    for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
      unsafe av_dict_set(&stream.pointee.metadata, name, value, 0)
    }
    if isDefault { unsafe stream.pointee.disposition |= AV_DISPOSITION_DEFAULT }
    streamCount += 1
    return streamCount - 1
  }

  /// Adds a stream to the file that `context` describes, with adjustments for `container`.
  @unsafe static func addStream(
    _ parameters: CodecParameters, to context: UnsafeMutablePointer<AVFormatContext>,
    container: OutputContainer, path: String
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    guard let stream = unsafe avformat_new_stream(context, nil) else {
      throw .outOfMemory("add a stream", path)
    }
    try unsafe parameters.apply(to: stream.pointee.codecpar, path: path)
    unsafe stream.pointee.time_base = parameters.timeBase.rational
    if let rate = parameters.frameRate {
      unsafe stream.pointee.avg_frame_rate = rate.rational
      unsafe stream.pointee.r_frame_rate = rate.rational
    }
    if container == .mp4, let tag = parameters.tag {
      unsafe stream.pointee.codecpar.pointee.codec_tag = Self.tag(tag)
    }
    if [.webm, .matroska].contains(container) {
      // RFC 9559: players choose among the default tracks, and DisplayUnit is pixels only if the
      // pixels are square.
      let value = unsafe stream.pointee.codecpar.pointee
      let (type, codec) = unsafe (value.codec_type, value.codec_id)
      if type != AVMEDIA_TYPE_SUBTITLE {
        unsafe stream.pointee.disposition |= AV_DISPOSITION_DEFAULT
      }
      if type == AVMEDIA_TYPE_VIDEO, parameters.hasSquarePixels {
        unsafe stream.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
      }
      if codec != AV_CODEC_ID_OPUS {
        unsafe stream.pointee.codecpar.pointee.initial_padding = 0
      }
    }
    return unsafe stream
  }

  /// Adds a chapter from `start` to `end`, in milliseconds. Must be called before ``begin(tags:)``.
  package mutating func addChapter(
    _ title: String, number: Int, start: Int64, end: Int64
  ) throws(FFmpegError) {
    try check(
      unsafe cff_add_chapter(
        context, Int64(number), AVRational(num: 1, den: 1000), start, end, title),
      "add a chapter", path)
  }

  private static func tag(_ name: String) -> UInt32 {
    name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Writes the header. `tags` are the file's metadata in libavformat's terms: `title`, and
  /// `encoding_tool`, which is read back as `encoder`.
  package func begin(tags: [String: String]) throws(FFmpegError) {
    // Sorted, so that equal tags produce equal bytes.
    for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
      unsafe av_dict_set(&context.pointee.metadata, name, value, 0)
    }
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    switch container {
    case .mp4, .m4a:
      unsafe av_dict_set(&options, "movflags", "+faststart", 0)
      // Groups packets of one stream into chunks of half a second. Each change of streams takes an
      // entry in the index: 33 kB per minute if streams alternate with each packet.
      unsafe context.pointee.max_chunk_duration = 500_000
      // Required for FLAC, which libavformat treats as experimental in MP4 although it is
      // specified.
      unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    case .webm, .matroska:
      // Otherwise the segment UID is random. The flag also suppresses libavformat's own encoder
      // tag.
      unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
      unsafe av_dict_set(&options, "cues_to_front", "1", 0)
    case .opus:
      // Otherwise the serial numbers of streams are random.
      unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    case .wav, .flac, .mp3: break
    }
    try check(unsafe avformat_write_header(context, &options), "begin the file", path)
  }

  /// Returns the offset of timestamps for old versions of libavformat that shift all streams if one
  /// starts before 0. Readers of Matroska subtract the delay of Opus from its track alone, so
  /// pictures would be late by that much.
  private func delay(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64 {
    guard [.webm, .matroska].contains(container), avformat_version() >> 16 < 61,
      unsafe parameters.pointee.codec_id == AV_CODEC_ID_OPUS
    else { return 0 }
    return Int64(unsafe parameters.pointee.initial_padding)
  }

  /// Writes a packet of the stream with index `stream` and takes over its content.
  package func write(_ packet: EncodedPacket, stream: Int) throws(FFmpegError) {
    let raw = unsafe packet.packet.raw
    guard let target = unsafe context.pointee.streams[stream],
      let parameters = unsafe target.pointee.codecpar
    else { return }
    // In Matroska, only Opus states its delay. Readers would play the priming of other codecs, and
    // all other streams would shift.
    let (type, codec) = unsafe (parameters.pointee.codec_type, parameters.pointee.codec_id)
    if container == .matroska, type == AVMEDIA_TYPE_AUDIO, codec != AV_CODEC_ID_OPUS,
      unsafe raw.pointee.pts < 0
    {
      return
    }
    let delay = unsafe av_rescale_q(
      self.delay(parameters), AVRational(num: 1, den: 48_000), packet.timeBase)
    unsafe (raw.pointee.pts, raw.pointee.dts) = (raw.pointee.pts +| delay, raw.pointee.dts +| delay)
    unsafe av_packet_rescale_ts(raw, packet.timeBase, target.pointee.time_base)
    unsafe raw.pointee.stream_index = CInt(stream)
    try check(unsafe av_interleaved_write_frame(context, raw), "write to the file", path)
  }

  /// Writes the trailer, moves the index to the front and closes the file.
  package func finish() throws(FFmpegError) {
    try check(unsafe av_write_trailer(context), "finish the file", path)
    try check(unsafe avio_closep(&context.pointee.pb), "close the file", path)
  }
}
