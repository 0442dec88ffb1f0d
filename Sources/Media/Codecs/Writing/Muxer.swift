import CTesseraFFmpeg
import Glibc
package import TesseraSystem
import TesseraTimeline

/// Writes one file: first the streams and chapters, then the packets, then ``finish()``.
///
/// An MP4 file's index is moved to the front at the end, so that playing can begin while the file
/// is still being fetched.
@safe package struct Muxer: ~Copyable {
  private let context: UnsafeMutablePointer<AVFormatContext>
  /// The file that it writes.
  package let path: String
  /// Its format.
  package let container: OutputContainer
  private var streamCount = 0

  private let cancellation: Cancellation

  private init(
    owning context: UnsafeMutablePointer<AVFormatContext>, path: String,
    container: OutputContainer, cancellation: Cancellation
  ) {
    unsafe self.context = unsafe context
    (self.path, self.container) = (path, container)
    self.cancellation = cancellation
  }

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
      owning: context, path: path, container: container, cancellation: cancellation)
    var interrupt = unsafe cancellation.interruptCallback
    try check(
      unsafe avio_open2(
        &context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, &interrupt, nil),
      "create the file", path)
    return muxer
  }

  /// Adds the encoder's stream and returns its number.
  package mutating func addStream(_ encoder: borrowing VideoEncoder) throws(FFmpegError) -> Int {
    try addStream(try encoder.parameters())
  }

  /// Adds the encoder's stream and returns its number.
  package mutating func addStream(_ encoder: borrowing AudioEncoder) throws(FFmpegError) -> Int {
    try addStream(try encoder.parameters())
  }

  /// Adds a stream and returns its number; `tags` are its metadata, such as `language`. `isDefault` selects captions
  /// without the viewer's doing.
  package mutating func addStream(
    _ parameters: StreamParameters, tags: [String: String] = [:], isDefault: Bool = false
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

  /// Adds a stream to a file of that format, described by `context`.
  @unsafe static func addStream(
    _ parameters: StreamParameters, to context: UnsafeMutablePointer<AVFormatContext>,
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
      // RFC 9559: players choose among the default tracks, and DisplayUnit is pixels only if the pixels are square.
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

  /// Adds a chapter, which lasts from `start` to `end` milliseconds; before ``begin(tags:)``.
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

  /// Writes what stands before the packets. `tags` are the file's metadata in libavformat's terms:
  /// `title`, and `encoding_tool`, which is read back as `encoder`.
  package func begin(tags: [String: String]) throws(FFmpegError) {
    // In order, so that the same tags make the same bytes.
    for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
      unsafe av_dict_set(&context.pointee.metadata, name, value, 0)
    }
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    switch container {
    case .mp4, .m4a:
      unsafe av_dict_set(&options, "movflags", "+faststart", 0)
      // Packets of one stream after each other in half a second: each change of streams stands in
      // the index, 33 kB a minute where they alternate packet by packet.
      unsafe context.pointee.max_chunk_duration = 500_000
      // For FLAC, which libavformat takes for an experiment in MP4 long after it was specified.
      unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    case .webm, .matroska:
      // Without it, the file has an identifier drawn by lot. Its own encoder tag needs it too.
      unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
      unsafe av_dict_set(&options, "cues_to_front", "1", 0)
    case .opus:
      // Without it, streams have serial numbers drawn by lot.
      unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    case .wav, .flac, .mp3: break
    }
    try check(unsafe avformat_write_header(context, &options), "begin the file", path)
  }

  /// What is added to times of packets with that content: what begins before 0 has all streams moved, and readers
  /// of Matroska take the delay of Opus from its own, so pictures would come as much too late.
  private func delay(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Int64 {
    guard [.webm, .matroska].contains(container), avformat_version() >> 16 < 61,
      unsafe parameters.pointee.codec_id == AV_CODEC_ID_OPUS
    else { return 0 }
    return Int64(unsafe parameters.pointee.initial_padding)
  }

  /// Writes a packet of stream `stream`, whose content it takes.
  package func write(_ packet: EncodedPacket, stream: Int) throws(FFmpegError) {
    let raw = unsafe packet.packet.raw
    guard let target = unsafe context.pointee.streams[stream],
      let parameters = unsafe target.pointee.codecpar
    else { return }
    // Only Opus states its delay in Matroska: readers would play the priming of others, and all other streams would move.
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

  /// Writes the rest, moves the index to the front and closes the file.
  package func finish() throws(FFmpegError) {
    try check(unsafe av_write_trailer(context), "finish the file", path)
    try check(unsafe avio_closep(&context.pointee.pb), "close the file", path)
  }
}
