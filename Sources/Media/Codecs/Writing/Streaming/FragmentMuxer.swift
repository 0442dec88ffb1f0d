import CTesseraFFmpeg
import Foundation

/// Muxes one stream into fragments (CMAF, ISO/IEC 23000-19): an initialization segment, then media
/// segments. Each is returned as separate bytes.
@safe struct FragmentMuxer: ~Copyable {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let path: String

  deinit {
    _ = unsafe Self.close(context)
    unsafe avformat_free_context(context)
  }

  /// Starts a stream. `path` is used only in error messages.
  static func begin(
    _ parameters: CodecParameters, path: String
  ) throws(FFmpegError) -> FragmentMuxer {
    _ = FFmpegLog.installed
    var context: UnsafeMutablePointer<AVFormatContext>? = nil
    try check(
      unsafe avformat_alloc_output_context2(&context, nil, "mp4", nil), "set up the file", path)
    guard let context = unsafe context else { throw .outOfMemory("set up the file", path) }
    let muxer = unsafe FragmentMuxer(context: context, path: path)
    try muxer.open()
    _ = try unsafe Muxer.addStream(parameters, to: context, container: .mp4, path: path)
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    // With a delayed `moov`, libavformat knows the start of the stream: audio priming and the delay
    // of reordered pictures become an edit list, which all players support. Some players misread
    // negative offsets as a later start.
    let flags = "+cmaf+frag_custom+delay_moov+skip_trailer"
    unsafe av_dict_set(&options, "movflags", flags, 0)
    unsafe av_dict_set(&options, "use_editlist", "1", 0)
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    // Required for FLAC, as in other MP4 files.
    unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
    try check(unsafe avformat_write_header(context, &options), "begin the file", path)
    return muxer
  }

  /// Adds a packet to the current fragment and takes over its content.
  func write(_ packet: EncodedPacket) throws(FFmpegError) {
    guard let stream = unsafe context.pointee.streams[0] else { return }
    let raw = unsafe packet.packet.raw
    unsafe av_packet_rescale_ts(raw, packet.timeBase, stream.pointee.time_base)
    unsafe raw.pointee.stream_index = 0
    try check(unsafe av_write_frame(context, raw), "write to the file", path)
  }

  /// Ends the current part and returns its bytes. The first call returns the initialization segment
  /// and requires that a packet was written; each later call returns a media segment.
  func take() throws(FFmpegError) -> Data {
    try check(unsafe av_write_frame(context, nil), "write to the file", path)
    let bytes = unsafe Self.close(context)
    try open()
    return bytes
  }

  private func open() throws(FFmpegError) {
    try check(unsafe avio_open_dyn_buf(&context.pointee.pb), "take memory for the file", path)
  }

  @unsafe private static func close(_ context: UnsafeMutablePointer<AVFormatContext>) -> Data {
    guard let output = unsafe context.pointee.pb else { return Data() }
    var bytes: UnsafeMutablePointer<UInt8>? = nil
    let count = unsafe avio_close_dyn_buf(output, &bytes)
    unsafe context.pointee.pb = nil
    defer { unsafe av_free(bytes) }
    guard let bytes = unsafe bytes, count > 0 else { return Data() }
    return unsafe Data(bytes: bytes, count: Int(count))
  }
}
