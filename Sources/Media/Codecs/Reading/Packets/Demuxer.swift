import CTesseraFFmpeg
import Glibc
package import TesseraSystem
package import TesseraTimeline

/// An open recording, read packet by packet. Only plain files in accepted formats can be opened;
/// nothing that a file names is followed.
@safe package struct Demuxer: ~Copyable {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let cancellation: Cancellation
  /// The file that it reads, or the run of segments.
  package let path: String
  /// What is known of its container.
  let traits: ContainerTraits
  /// What reads the file where that is being fetched.
  private let input: MediaInput?
  private let complaints: Complaints

  private init(
    owning context: UnsafeMutablePointer<AVFormatContext>, path: String, _ input: MediaInput?,
    _ complaints: Complaints, cancellation: Cancellation
  ) {
    unsafe self.context = unsafe context
    self.complaints = complaints
    (self.path, self.input, self.cancellation) = (path, input, cancellation)
    traits = unsafe ContainerTraits(Self.name(context))
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&context)
  }

  /// The most pixels that a picture may have; a larger one is not decoded.
  static let largestPicture = 64 << 20
  /// The most pixels that a side of a picture may have.
  static let longestSide = 16384

  /// Opens `path` and reads what its streams are. `cancellation` interrupts this and every later
  /// call.
  package static func open(
    _ path: String, cancellation: Cancellation
  ) throws(MediaError) -> Demuxer {
    _ = FFmpegLog.installed
    _ = FFmpegLog.takeLastLine()
    let input = try MediaInput.open(path, cancellation)
    if input?.isSegmented != true { try requireRegularFile(path) }
    guard let context = unsafe avformat_alloc_context() else {
      throw MediaError(path: path, reason: .unreadable("out of memory"))
    }
    unsafe context.pointee.interrupt_callback = cancellation.interruptCallback
    if let input { unsafe context.pointee.pb = unsafe input.context }
    let complaints = Complaints()
    unsafe context.pointee.opaque = unsafe UnsafeMutableRawPointer(complaints.raw)
    var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    unsafe av_dict_set(&options, "format_whitelist", ContainerTraits.acceptedNames, 0)
    unsafe av_dict_set(&options, "protocol_whitelist", "file", 0)
    unsafe av_dict_set(&options, "skip_estimate_duration_from_pts", "1", 0)
    let result = unsafe avformat_open_input(&opened, "file:" + path, nil, &options)
    guard result >= 0, let pointer = unsafe opened else {
      throw openError(result, path: path, cancellation)
    }
    let demuxer = unsafe Demuxer(
      owning: pointer, path: path, input, complaints, cancellation: cancellation)
    if !demuxer.traits.hasHeader || demuxer.lacksParameters { try demuxer.readStreamHeaders() }
    demuxer.select { demuxer.streams[$0].kind != .other }
    return demuxer
  }

  /// What it complained of since the last call, or nil.
  func takeComplaint() -> String? { complaints.take() }

  private static func requireRegularFile(_ path: String) throws(MediaError) {
    let size: Int
    do throws(SystemError) {
      size = try RegularFile(path).byteCount
    } catch {
      let reason: MediaError.Reason =
        error.isNotRegular ? .notARegularFile : .unreadable(error.reason)
      throw MediaError(path: path, reason: reason)
    }
    guard size > 0 else { throw MediaError(path: path, reason: .empty) }
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
    if MovieBoxes.isSegment(path), MovieBoxes.initialization(of: path) == nil {
      return MediaError(path: path, reason: .part(isSegment: true))
    }
    // Matroska from a cluster on, or from its middle.
    let head = (try? RegularFile.bytes(path, atMost: 4)) ?? []
    let lacksHeader = error.words == FFmpegLog.noMatroskaHeader && head != [0x1a, 0x45, 0xdf, 0xa3]
    if lacksHeader || head == [0x1f, 0x43, 0xb6, 0x75] {
      return MediaError(path: path, reason: .part(isSegment: false))
    }
    let refusal = FFmpegLog.refusal(error.logLine)
    let isUnknown = result == CFF_ERROR_INVALID_DATA && error.logLine == nil
    let isNoMovie = refusal == .noMovie && !MovieBoxes.begin(path)
    if isUnknown || isNoMovie || refusal == .format {
      let foreign = ForeignFormat.name(of: path)
      return MediaError(path: path, reason: foreign.map { .foreignFormat($0) } ?? .notAMediaFile)
    }
    return MediaError(path: path, reason: .damagedHeader(error.words))
  }

  /// True if samples are encrypted: protected entries of movies, or MPEG-TS with the stream types of SAMPLE-AES.
  var isEncrypted: Bool {
    if traits.end == .boxes { return MovieTracks(path).tracks.contains(where: \.isEncrypted) }
    return formatName == "mpegts"
      && (0..<Int(unsafe context.pointee.nb_streams)).contains { index in
        let tag = unsafe stream(index)?.pointee.codecpar.pointee.codec_tag
        return [0xc1, 0xc2, 0xcf, 0xdb].contains(tag ?? 0)
      }
  }

  /// Whether the header does not say all of a stream that a decoder needs.
  private var lacksParameters: Bool {
    let count = Int(unsafe context.pointee.nb_streams)
    return count == 0
      || (0..<count).contains { index in
        guard let parameters = unsafe stream(index)?.pointee.codecpar else { return true }
        let codec = unsafe parameters.pointee.codec_id
        let hasHeader = unsafe parameters.pointee.extradata_size > 0
        switch unsafe parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO:
          let (width, height) = unsafe (parameters.pointee.width, parameters.pointee.height)
          return !(1...CInt(Self.longestSide) ~= width && 1...CInt(Self.longestSide) ~= height)
            || [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(codec) && !hasHeader
        case AVMEDIA_TYPE_AUDIO:
          return unsafe parameters.pointee.sample_rate <= 0
            || parameters.pointee.ch_layout.nb_channels <= 0
        default:
          return false
        }
      }
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
    // libavcodec's decoder of VP8 makes its color tags up.
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let parameters = unsafe stream(index)?.pointee.codecpar,
        unsafe parameters.pointee.codec_id == AV_CODEC_ID_VP8
      else { continue }
      unsafe parameters.pointee.color_space = AVCOL_SPC_UNSPECIFIED
      unsafe parameters.pointee.color_range = AVCOL_RANGE_UNSPECIFIED
    }
    defer { _ = FFmpegLog.takeLastLine() }
    guard result < 0 else { return }
    throw Self.openError(result, path: path, cancellation)
  }

  private static func name(_ context: UnsafeMutablePointer<AVFormatContext>) -> String {
    unsafe context.pointee.iformat.pointee.name.map { unsafe String(cString: $0) } ?? ""
  }

  /// libav*'s short name of the container: `matroska,webm`.
  package var formatName: String { unsafe Self.name(context) }

  /// What streams the file has, by index.
  package var streams: [StreamInfo] {
    (0..<Int(unsafe context.pointee.nb_streams)).compactMap { index in
      guard let stream = unsafe context.pointee.streams[index] else { return nil }
      return unsafe StreamInfo(stream, index: index)
    }
  }

  /// The tags of each stream, by index; keys in lower case. The `name` boxes of movies, which
  /// libavformat does not read, are among them.
  package var streamTags: [[String: String]] {
    let names = traits.end == .boxes ? MovieBoxes.trackNames(path) : []
    return (0..<Int(unsafe context.pointee.nb_streams)).map { index in
      var tags = unsafe Self.tags(context.pointee.streams[index]?.pointee.metadata)
      if names.indices.contains(index), !names[index].isEmpty { tags["name"] = names[index] }
      return tags
    }
  }

  /// The tags that say when and by whom the file was recorded: the container's, then those of its
  /// streams.
  package var tags: [[String: String]] {
    ([unsafe Self.tags(context.pointee.metadata)] + streamTags).map { tags in
      tags.filter { !Self.ignoredTags.contains($0.key) && $0.value.utf8.count < 4096 }
    }
  }

  /// Tags that say nothing of that.
  private static let ignoredTags: Set<String> = [
    "language", "vendor_id", "minor_version", "lyrics",
  ]

  /// The container's time of the first picture or sound, found in the first packets; `nil` if these
  /// have none. Reads on from there.
  package var firstTime: MediaTime? {
    guard let packet = try? Packet.allocate() else { return nil }
    var first: MediaTime?
    for _ in 0..<Self.firstPackets {
      guard (try? read(into: packet)) == true else { break }
      guard let ticks = packet.presentationTicks, let stream = unsafe stream(packet.streamIndex),
        let time = MediaTime(ticks: ticks, timeBase: Ratio(unsafe stream.pointee.time_base))
      else { continue }
      first = min(first ?? time, time)
    }
    return first
  }

  private static let firstPackets = 16

  private static func tags(_ dictionary: OpaquePointer?) -> [String: String] {
    var tags: [String: String] = [:]
    var entry: UnsafeMutablePointer<AVDictionaryEntry>? = nil
    while let next = unsafe av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX),
      tags.count < 200
    {
      let key = unsafe String(cString: next.pointee.key).lowercased()
      tags[key] = unsafe String(cString: next.pointee.value)
      unsafe entry = unsafe next
    }
    return tags
  }

  /// The container's times at which a stream starts and ends, as far as the header states them.
  package func declaredInterval(_ index: Int) -> TimeRange? {
    guard let stream = unsafe stream(index), let first = unsafe stream.pointee.start_time.ticks,
      let length = unsafe stream.pointee.duration.ticks, length > 0,
      let start = MediaTime(ticks: first, timeBase: Ratio(unsafe stream.pointee.time_base)),
      let duration = MediaTime(ticks: length, timeBase: Ratio(unsafe stream.pointee.time_base))
    else { return nil }
    return TimeRange(start: start, end: start + duration)
  }

  /// True for files of Chromium's MediaRecorder: a fragmented movie without an encoder's tag.
  var isByChromium: Bool {
    guard traits.end == .boxes, text("encoder") == nil else { return false }
    let brands = text("compatible_brands") ?? ""
    return text("major_brand") == "isom" && brands.contains("iso6iso2")
  }

  /// A text that the file carries, such as its `title`, or nil.
  func text(_ name: String) -> String? {
    guard let entry = unsafe av_dict_get(context.pointee.metadata, name, nil, 0) else {
      return nil
    }
    return unsafe String(cString: entry.pointee.value)
  }

  /// Skips all streams from now on but those whose number is wanted.
  func select(_ isWanted: (Int) -> Bool) {
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      unsafe context.pointee.streams[index]?.pointee.discard =
        isWanted(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads the next packet of any selected stream that holds pictures or sound; false at the end
  /// of the file.
  package func read(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
    while true {
      packet.clear()
      let result = unsafe av_read_frame(context, packet.raw)
      guard result != CFF_ERROR_EOF else { return false }
      try check(result, "read on", path)
      // What was read ahead when the file was opened comes whatever is selected.
      let stream = unsafe stream(packet.streamIndex)
      if unsafe packet.size > 0 && stream?.pointee.discard != AVDISCARD_ALL && !isHeader(packet) {
        return true
      }
    }
  }

  /// Whether the packet is one of the headers that come with every recording in an Ogg file. Those
  /// of Opus begin with its name; other codecs' decoders know theirs.
  private func isHeader(_ packet: borrowing Packet) -> Bool {
    let codec = unsafe stream(packet.streamIndex)?.pointee.codecpar.pointee.codec_id
    guard traits.isChain, codec == AV_CODEC_ID_OPUS else { return false }
    return unsafe packet.withPayload { payload in
      unsafe payload.starts(with: "OpusHead".utf8) || payload.starts(with: "OpusTags".utf8)
    }
  }

  /// Goes to a byte of the file, or to a decoding time of `stream`, and reads on there; false where
  /// the format cannot.
  func seek(to place: Int64, stream index: Int) -> Bool {
    switch traits.positioning {
    case .byte:
      return unsafe av_seek_frame(context, CInt(index), place, AVSEEK_FLAG_BYTE) >= 0
    case .index:
      return unsafe av_seek_frame(context, CInt(index), place, AVSEEK_FLAG_BACKWARD) >= 0
    case .cluster:
      // The demuxer goes where its index says, and looks no further where there is a later entry.
      guard let stream = unsafe stream(index) else { return false }
      for ticks in [0 -| Self.farTicks, Self.farTicks] {
        unsafe av_add_index_entry(stream, place, ticks, 0, 0, AVINDEX_KEYFRAME)
      }
      return unsafe av_seek_frame(context, CInt(index), 0 -| Self.farTicks, AVSEEK_FLAG_ANY) >= 0
    }
  }

  /// Ticks that no packet has.
  private static let farTicks: Int64 = 1 << 50

  /// The byte where the cluster begins that holds the last packet, or one before; nil where the
  /// format has none.
  func cluster(of packet: borrowing Packet) -> Int64? {
    guard traits.positioning == .cluster, let stream = unsafe stream(packet.streamIndex),
      let ticks = packet.presentationTicks,
      let entry = unsafe avformat_index_get_entry_from_timestamp(
        stream, ticks, AVSEEK_FLAG_BACKWARD)
    else { return nil }
    return unsafe entry.pointee.pos
  }

  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    guard index >= 0, index < Int(unsafe context.pointee.nb_streams) else { return nil }
    return unsafe context.pointee.streams[index]
  }

  /// Whether a codec's pictures may come out of its decoder in another order than they go in.
  func mayReorder(_ index: Int) -> Bool {
    guard let codec = unsafe stream(index)?.pointee.codecpar.pointee.codec_id,
      let descriptor = unsafe avcodec_descriptor_get(codec)
    else { return false }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_REORDER != 0
  }

  /// The end of stream `index`, or of the file, that the container declares, in ticks; `nil` if it declares none. `start` is
  /// the first time of the stream's packets, as versions of libav* differ in `start_time`.
  func declaredEnd(_ index: Int, start: Int64?) -> Int64? {
    guard let stream = unsafe stream(index) else { return nil }
    let isEstimate =
      unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    if traits.promisesFile, !isEstimate, let microseconds = unsafe context.pointee.duration.ticks {
      let (time, overflows) = microseconds.multipliedReportingOverflow(by: 1000)
      guard time > 0, !overflows else { return nil }
      return unsafe MediaTime(nanoseconds: time).ticks(timeBase: Ratio(stream.pointee.time_base))
    }
    guard let duration = unsafe stream.pointee.duration.ticks, let start else { return nil }
    // Of a stream that had begun before, libav* takes the last page's time for the length.
    if traits.end == .pages, start > 0, duration > start { return duration }
    let (end, overflows) = start.addingReportingOverflow(duration)
    return overflows ? nil : end
  }

  /// Where the header or an index says that a stream ends, or all of the file, whether or not the
  /// file goes so far; nil where it does not.
  func promisedEnd(_ index: Int) -> Int64? {
    let stream = unsafe stream(index)
    guard traits.countsTicks else {
      return declaredEnd(index, start: unsafe stream?.pointee.start_time.ticks)
    }
    let count = unsafe stream?.pointee.nb_frames ?? 0
    return count > 0 ? count : nil
  }

  /// How long the header says that the file is; nil where it does not.
  package var declaredDuration: MediaTime? {
    let isEstimate =
      unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    guard !isEstimate, let microseconds = unsafe context.pointee.duration.ticks, microseconds > 0
    else { return nil }
    return MediaTime(nanoseconds: microseconds *| 1000)
  }
}
