import CTesseraFFmpeg
import Glibc
public import TesseraSystem
import TesseraTimeline

/// An open recording, read packet by packet. Only plain files in accepted formats can be opened;
/// nothing that a file names is followed.
@safe public struct Demuxer: ~Copyable {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let cancellation: Cancellation
  /// The one clock of all links, where the format may chain several.
  let links: LinkClock?
  let backlog = PacketBacklog()
  /// The file that it reads.
  public let path: String

  private init(
    owning context: UnsafeMutablePointer<AVFormatContext>, path: String, mayBeChained: Bool,
    cancellation: Cancellation
  ) {
    unsafe self.context = unsafe context
    self.path = path
    self.cancellation = cancellation
    let isChainFormat = unsafe context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
    let name = unsafe context.pointee.iformat.pointee.name.map { unsafe String(cString: $0) }
    links =
      isChainFormat || mayBeChained
      ? LinkClock(
        isChainFormat: isChainFormat, isInterleaved: name?.hasPrefix("mov") != true)
      : nil
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&context)
  }

  /// The formats that are accepted, for messages.
  public static let acceptedFormats =
    "WebM, Matroska, MP4, MOV, Ogg, FLV, IVF, Y4M, WAV, AVI, MPEG-TS, MP3, AAC, FLAC, "
    + "raw H.264, HEVC or AV1"

  /// libav*'s names of the accepted demuxers.
  private static let acceptedDemuxers = [
    "matroska", "webm", "mov", "mp4", "ogg", "flv", "ivf", "yuv4mpegpipe", "wav", "w64", "avi",
    "mpegts", "mp3", "aac", "flac", "h264", "hevc", "obu", "m4v",
  ].joined(separator: ",")

  /// The most pixels that a picture may have; a larger one is not decoded.
  static let largestPicture = 64 << 20
  /// The most pixels that a side of a picture may have.
  static let longestSide = 16384

  /// Opens `path` and reads what its streams are. `cancellation` interrupts this and every later
  /// call.
  ///
  /// Where the file `mayBeChained`, links are looked for also in formats that are not made for
  /// them; it must then be read from its beginning.
  public static func open(
    _ path: String, mayBeChained: Bool = false, cancellation: Cancellation
  ) throws(MediaError) -> Demuxer {
    _ = FFmpegLog.installed
    _ = FFmpegLog.takeLastLine()
    try requireRegularFile(path)
    guard let context = unsafe avformat_alloc_context() else {
      throw MediaError(path: path, reason: .unreadable("out of memory"))
    }
    unsafe context.pointee.interrupt_callback = cancellation.interruptCallback
    var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    unsafe av_dict_set(&options, "format_whitelist", acceptedDemuxers, 0)
    unsafe av_dict_set(&options, "protocol_whitelist", "file", 0)
    let result = unsafe avformat_open_input(&opened, "file:" + path, nil, &options)
    guard result >= 0, let pointer = unsafe opened else {
      throw openError(result, path: path, cancellation)
    }
    let demuxer = unsafe Demuxer(
      owning: pointer, path: path, mayBeChained: mayBeChained, cancellation: cancellation)
    try demuxer.readStreamHeaders()
    return demuxer
  }

  private static func requireRegularFile(_ path: String) throws(MediaError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 && access(path, R_OK) == 0 else {
      let why = unsafe String(cString: strerror(errno))
      throw MediaError(path: path, reason: .unreadable(why))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw MediaError(path: path, reason: .notARegularFile)
    }
    guard status.st_size > 0 else { throw MediaError(path: path, reason: .empty) }
  }

  private static func openError(
    _ result: CInt, path: String, _ cancellation: Cancellation
  ) -> MediaError {
    let error = FFmpegError(code: result, operation: "open the file", path: path)
    // Going on would render without recordings that nothing is wrong with.
    for number in [EMFILE, ENFILE] where result == cff_averror(number) {
      cancellation.cancel(because: number)
      return MediaError(path: path, reason: .cancelled)
    }
    if error.isCancellation { return MediaError(path: path, reason: .cancelled) }
    let isRefusedFormat =
      result == CFF_ERROR_INVALID_DATA && error.logLine == nil
      || error.logLine?.contains("whitelist") == true
    let isNoMovie = error.logLine == "moov atom not found" && !MovieBoxes.begin(path)
    if isRefusedFormat || isNoMovie { return MediaError(path: path, reason: .notAMediaFile) }
    return MediaError(path: path, reason: .damagedHeader(error.logLine ?? error.reason))
  }

  private func readStreamHeaders() throws(MediaError) {
    let count = Int(unsafe context.pointee.nb_streams)
    var options: [OpaquePointer?] = unsafe Array(repeating: nil, count: count)
    for index in unsafe options.indices {
      unsafe av_dict_set(&options[index], "threads", "1", 0)
      unsafe av_dict_set(&options[index], "max_pixels", "\(Self.largestPicture)", 0)
    }
    let result = unsafe options.withUnsafeMutableBufferPointer { buffer in
      unsafe avformat_find_stream_info(context, buffer.baseAddress)
    }
    for index in unsafe options.indices { unsafe av_dict_free(&options[index]) }
    defer { _ = FFmpegLog.takeLastLine() }
    guard result < 0 else { return }
    throw Self.openError(result, path: path, cancellation)
  }

  /// libav*'s short name of the container: `matroska,webm`.
  public var formatName: String {
    unsafe context.pointee.iformat.pointee.name.map { unsafe String(cString: $0) } ?? ""
  }

  /// What streams the file has, by index.
  public var streams: [StreamInfo] {
    (0..<Int(unsafe context.pointee.nb_streams)).compactMap { index in
      guard let stream = unsafe context.pointee.streams[index] else { return nil }
      return unsafe StreamInfo(stream, index: index)
    }
  }

  /// The title that the file carries, or nil.
  public var title: String? {
    guard let entry = unsafe av_dict_get(context.pointee.metadata, "title", nil, 0) else {
      return nil
    }
    return unsafe String(cString: entry.pointee.value)
  }

  /// Skips all streams but `index` from now on.
  public func select(stream index: Int) {
    if let links {
      links.selected = index
      return
    }
    for other in 0..<Int(unsafe context.pointee.nb_streams) {
      unsafe context.pointee.streams[other]?.pointee.discard =
        other == index ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads the next packet of any selected stream; false at the end of the file.
  public func read(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
    while true {
      guard try takeNext(into: packet) else { return false }
      // What was read ahead when the file was opened comes whatever is selected.
      let stream = unsafe stream(packet.streamIndex)
      if unsafe stream?.pointee.discard != AVDISCARD_ALL {
        guard let links, unsafe stream != nil else { return true }
        guard !isHeader(packet) else {
          packet.clear()
          continue
        }
        move(packet, by: links)
        if links.selected ?? packet.streamIndex == packet.streamIndex { return true }
      }
      packet.clear()
    }
  }

  /// Reads what comes next in the file, whatever it is; false at its end.
  func readNext(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
    let result = unsafe av_read_frame(context, packet.raw)
    guard result != CFF_ERROR_EOF else { return false }
    try check(result, "read on", path)
    return true
  }

  /// Whether times may begin anew within the file: then only reading from its beginning tells
  /// where a packet stands.
  var mayRestart: Bool { links != nil }

  /// Whether times have begun anew or were mended so far.
  var hasChangedTimes: Bool { links?.hasChanged ?? false }

  /// Moves to the last keyframe of `stream` at or before `ticks`; false where the format cannot.
  public func seek(stream: Int, ticks: Int64) -> Bool {
    links?.reset()
    backlog.clear()
    return unsafe av_seek_frame(context, CInt(stream), ticks, AVSEEK_FLAG_BACKWARD) >= 0
  }

  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    guard index >= 0, index < Int(unsafe context.pointee.nb_streams) else { return nil }
    return unsafe context.pointee.streams[index]
  }
}
