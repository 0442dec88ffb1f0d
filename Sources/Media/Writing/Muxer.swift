import CTesseraFFmpeg
import Glibc
public import TesseraSystem

/// Writes one file: first the streams, then their packets, then ``finish()``.
///
/// An MP4 file's index is moved to the front at the end, so that playing can begin while the file
/// is still being fetched.
@safe public struct Muxer: ~Copyable {
  private let context: UnsafeMutablePointer<AVFormatContext>
  /// The file that it writes.
  public let path: String
  private var streamCount = 0

  private let cancellation: Cancellation

  private init(
    owning context: UnsafeMutablePointer<AVFormatContext>, path: String, cancellation: Cancellation
  ) {
    unsafe self.context = unsafe context
    self.path = path
    self.cancellation = cancellation
  }

  deinit {
    unsafe avio_closep(&context.pointee.pb)
    unsafe avformat_free_context(context)
  }

  /// Creates the MP4 file at `path`, or, where `container` is given, a file of nothing but sound.
  /// `cancellation` interrupts every later call.
  public static func create(
    _ path: String, container: SoundContainer? = nil, cancellation: Cancellation
  ) throws(FFmpegError) -> Muxer {
    _ = FFmpegLog.installed
    var context: UnsafeMutablePointer<AVFormatContext>? = nil
    let format = container?.muxerName ?? "mp4"
    try check(
      unsafe avformat_alloc_output_context2(&context, nil, format, "file:" + path),
      "set up the file", path)
    guard let context = unsafe context else { throw .outOfMemory("set up the file", path) }
    let muxer = unsafe Muxer(owning: context, path: path, cancellation: cancellation)
    var interrupt = unsafe cancellation.interruptCallback
    try check(
      unsafe avio_open2(
        &context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE, &interrupt, nil),
      "create the file", path)
    return muxer
  }

  /// Adds the encoder's stream and answers its number.
  public mutating func addStream(_ encoder: borrowing VideoEncoder) throws(FFmpegError) -> Int {
    try unsafe addStream(encoder.context)
  }

  mutating func addStream(
    _ encoder: UnsafeMutablePointer<AVCodecContext>
  ) throws(FFmpegError) -> Int {
    guard let stream = unsafe avformat_new_stream(context, nil) else {
      throw .outOfMemory("add a stream", path)
    }
    try check(
      unsafe avcodec_parameters_from_context(stream.pointee.codecpar, encoder), "add a stream",
      path)
    unsafe stream.pointee.time_base = unsafe encoder.pointee.time_base
    unsafe stream.pointee.avg_frame_rate = unsafe encoder.pointee.framerate
    if unsafe encoder.pointee.codec_id == AV_CODEC_ID_HEVC {
      unsafe stream.pointee.codecpar.pointee.codec_tag = Self.tag("hvc1")
    }
    streamCount += 1
    return streamCount - 1
  }

  private static func tag(_ name: String) -> UInt32 {
    name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Writes what stands before the packets. `tags` are the file's metadata in libavformat's terms:
  /// `title`, and `encoding_tool`, which is read back as `encoder`.
  public func begin(tags: [String: String]) throws(FFmpegError) {
    for (name, value) in tags {
      unsafe av_dict_set(&context.pointee.metadata, name, value, 0)
    }
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    // Formats without such an index overlook it.
    unsafe av_dict_set(&options, "movflags", "+faststart", 0)
    try check(unsafe avformat_write_header(context, &options), "begin the file", path)
  }

  /// Writes a packet of stream `stream`, whose content it takes.
  public func write(_ packet: EncodedPacket, stream: Int) throws(FFmpegError) {
    let raw = unsafe packet.packet.raw
    guard let target = unsafe context.pointee.streams[stream] else { return }
    unsafe av_packet_rescale_ts(raw, packet.timeBase, target.pointee.time_base)
    unsafe raw.pointee.stream_index = CInt(stream)
    try check(unsafe av_interleaved_write_frame(context, raw), "write to the file", path)
  }

  /// Writes the rest, moves the index to the front and closes the file.
  public func finish() throws(FFmpegError) {
    try check(unsafe av_write_trailer(context), "finish the file", path)
    try check(unsafe avio_closep(&context.pointee.pb), "close the file", path)
  }
}
