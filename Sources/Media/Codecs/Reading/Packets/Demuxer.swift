import CTesseraFFmpeg
import Glibc
package import TesseraSystem
package import TesseraTimeline

/// An open recording that is read packet by packet. Opens only regular files in accepted formats,
/// and never follows references to other files inside them.
@safe package struct Demuxer: ~Copyable {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let cancellation: Cancellation
  /// The path of the file, or of the run of a playlist's segments.
  package let path: String
  /// The properties of the container format.
  let traits: ContainerTraits
  /// The custom input for segments and for files that are still being downloaded; `nil` for
  /// complete files.
  private let input: MediaIOContext?
  private let complaints: DecoderDiagnostics

  private init(
    owning context: UnsafeMutablePointer<AVFormatContext>, path: String, _ input: MediaIOContext?,
    _ complaints: DecoderDiagnostics, cancellation: Cancellation
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

  /// The maximum number of pixels of a picture. Larger pictures are not decoded.
  static let largestPicture = 64 << 20
  /// The maximum width and height of a picture, in pixels.
  static let longestSide = 16384

  /// Opens the file at `path` and reads the stream headers. `cancellation` interrupts this and
  /// every later call.
  ///
  /// - Throws: ``MediaError`` if the file cannot be opened or is not an accepted recording.
  package static func open(
    _ path: String, cancellation: Cancellation
  ) throws(MediaError) -> Demuxer {
    _ = FFmpegLog.installed
    _ = FFmpegLog.takeLastLine()
    let input = try MediaIOContext.open(path, cancellation)
    if input?.isSegmented != true { try requireRegularFile(path) }
    guard let context = unsafe avformat_alloc_context() else {
      throw MediaError(path: path, reason: .unreadable("out of memory"))
    }
    unsafe context.pointee.interrupt_callback = cancellation.interruptCallback
    if let input { unsafe context.pointee.pb = unsafe input.context }
    let complaints = DecoderDiagnostics()
    unsafe context.pointee.opaque = unsafe UnsafeMutableRawPointer(complaints.raw)
    var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    unsafe av_dict_set(&options, "format_whitelist", ContainerTraits.acceptedNames, 0)
    unsafe av_dict_set(&options, "protocol_whitelist", "file", 0)
    unsafe av_dict_set(&options, "skip_estimate_duration_from_pts", "1", 0)
    let result = unsafe avformat_open_input(&opened, "file:" + path, nil, &options)
    guard result >= 0, let pointer = unsafe opened else {
      throw openError(result, path: path, input, cancellation)
    }
    let demuxer = unsafe Demuxer(
      owning: pointer, path: path, input, complaints, cancellation: cancellation)
    if !demuxer.traits.hasHeader || demuxer.lacksParameters { try demuxer.readStreamHeaders() }
    demuxer.select { demuxer.streams[$0].kind != .other }
    return demuxer
  }

  /// Returns the demuxer's first error line since the last call, or `nil`.
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

  /// True if the file at `path` begins with text, which libav* may take for a damaged file of any
  /// format.
  private static func isText(_ path: String) -> Bool {
    guard let head = try? RegularFile.bytes(path, atMost: 4096) else { return false }
    // The last characters may be cut off.
    return (0..<4).contains { String(file: head.dropLast($0)) != nil }
      && head.allSatisfy { $0 >= 0x20 || [0x09, 0x0a, 0x0d].contains($0) }
  }

  /// Translates libav*'s error to the reason that a user needs.
  private static func openError(
    _ result: CInt, path: String, _ input: MediaIOContext?, _ cancellation: Cancellation
  ) -> MediaError {
    let error = FFmpegError(code: result, operation: "open the file", path: path)
    // Continuing would silently render without intact recordings.
    for number in [EMFILE, ENFILE] where result == cff_averror(number) {
      cancellation.cancel(because: number)
      return MediaError(path: path, reason: .cancelled)
    }
    if error.isCancellation { return MediaError(path: path, reason: .cancelled) }
    if MovieBoxParser.isSegment(path), MovieBoxParser.initialization(of: path) == nil {
      return MediaError(path: path, reason: .part(isSegment: true))
    }
    // Matroska that starts with a cluster, or in the middle of one.
    let head = (try? RegularFile.bytes(path, atMost: 4)) ?? []
    let lacksHeader = error.words == FFmpegLog.noMatroskaHeader && head != [0x1a, 0x45, 0xdf, 0xa3]
    if lacksHeader || head == [0x1f, 0x43, 0xb6, 0x75] {
      return MediaError(path: path, reason: .part(isSegment: false))
    }
    let refusal = FFmpegLog.refusal(error.logLine)
    let isUnknown = result == CFF_ERROR_INVALID_DATA && error.logLine == nil
    let isNoMovie = refusal == .noMovie && !MovieBoxParser.begin(path)
    let isText = input?.isSegmented != true && isText(path)
    if isText || isUnknown || isNoMovie || refusal == .format {
      let foreign = UnsupportedFormat.name(of: path)
      return MediaError(path: path, reason: foreign.map { .foreignFormat($0) } ?? .notAMediaFile)
    }
    return MediaError(path: path, reason: .damagedHeader(error.words))
  }

  /// True if samples are encrypted: protected sample entries of MP4, or MPEG-TS with the stream
  /// types of SAMPLE-AES.
  var isEncrypted: Bool {
    if traits.end == .boxes {
      return MovieMetadataParser(path).tracks.contains(where: \.isEncrypted)
    }
    return formatName == "mpegts"
      && (0..<Int(unsafe context.pointee.nb_streams)).contains { index in
        let tag = unsafe stream(index)?.pointee.codecpar.pointee.codec_tag
        return [0xc1, 0xc2, 0xcf, 0xdb].contains(tag ?? 0)
      }
  }

  /// True if the header lacks parameters that a decoder needs.
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

  /// Decodes the first packets to find parameters that the header lacks.
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
    // libavcodec's VP8 decoder invents color tags.
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let parameters = unsafe stream(index)?.pointee.codecpar,
        unsafe parameters.pointee.codec_id == AV_CODEC_ID_VP8
      else { continue }
      unsafe parameters.pointee.color_space = AVCOL_SPC_UNSPECIFIED
      unsafe parameters.pointee.color_range = AVCOL_RANGE_UNSPECIFIED
    }
    defer { _ = FFmpegLog.takeLastLine() }
    guard result < 0 else { return }
    throw Self.openError(result, path: path, input, cancellation)
  }

  private static func name(_ context: UnsafeMutablePointer<AVFormatContext>) -> String {
    unsafe context.pointee.iformat.pointee.name.map { unsafe String(cString: $0) } ?? ""
  }

  /// libav*'s short name of the container: `matroska,webm`.
  package var formatName: String { unsafe Self.name(context) }

  /// The streams of the file, by index.
  package var streams: [StreamInfo] {
    (0..<Int(unsafe context.pointee.nb_streams)).compactMap { index in
      guard let stream = unsafe context.pointee.streams[index] else { return nil }
      return unsafe StreamInfo(stream, index: index)
    }
  }

  /// The tags of each stream, by index, with keys in lower case. Includes the `name` boxes of MP4
  /// tracks, which libavformat does not read.
  package var streamTags: [[String: String]] {
    let names = traits.end == .boxes ? MovieMetadataParser(path).tracks.map(\.name) : []
    return (0..<Int(unsafe context.pointee.nb_streams)).map { index in
      var tags = unsafe Self.tags(context.pointee.streams[index]?.pointee.metadata)
      if names.indices.contains(index), !names[index].isEmpty { tags["name"] = names[index] }
      return tags
    }
  }

  /// The tags that can state when and by whom the file was recorded: the container's, then each
  /// stream's.
  package var tags: [[String: String]] {
    ([unsafe Self.tags(context.pointee.metadata)] + streamTags).map { tags in
      tags.filter { !Self.ignoredTags.contains($0.key) && $0.value.utf8.count < 4096 }
    }
  }

  /// Tags without information on the recorder.
  private static let ignoredTags: Set<String> = [
    "language", "vendor_id", "minor_version", "lyrics",
  ]

  /// The earliest presentation time in the first packets, in the container's time; `nil` if these
  /// have none. Reading continues after those packets.
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

  /// The number of packets in which ``firstTime`` searches.
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

  /// Returns the start and end time of a stream, in the container's time, that the header declares;
  /// `nil` if it declares none.
  package func declaredInterval(_ index: Int) -> TimeRange? {
    guard let stream = unsafe stream(index), let first = unsafe stream.pointee.start_time.ticks,
      let length = unsafe stream.pointee.duration.ticks, length > 0,
      let start = MediaTime(ticks: first, timeBase: Ratio(unsafe stream.pointee.time_base)),
      let duration = MediaTime(ticks: length, timeBase: Ratio(unsafe stream.pointee.time_base))
    else { return nil }
    return TimeRange(start: start, end: start + duration)
  }

  /// True for files of Chromium's MediaRecorder: fragmented MP4 without an encoder tag.
  var isByChromium: Bool {
    guard traits.end == .boxes, text("encoder") == nil else { return false }
    let brands = text("compatible_brands") ?? ""
    return text("major_brand") == "isom" && brands.contains("iso6iso2")
  }

  /// Returns a metadata tag of the file, such as `title`; `nil` if it is missing.
  func text(_ name: String) -> String? {
    guard let entry = unsafe av_dict_get(context.pointee.metadata, name, nil, 0) else {
      return nil
    }
    return unsafe String(cString: entry.pointee.value)
  }

  /// Selects the streams whose index `isWanted` accepts. Packets of all others are skipped from now
  /// on.
  func select(_ isWanted: (Int) -> Bool) {
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      unsafe context.pointee.streams[index]?.pointee.discard =
        isWanted(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Reads the next packet of a selected stream. Returns false at the end of the file.
  ///
  /// - Throws: ``FFmpegError`` if reading fails.
  package func read(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
    while true {
      packet.clear()
      let result = unsafe av_read_frame(context, packet.raw)
      guard result != CFF_ERROR_EOF else { return false }
      try check(result, "read on", path)
      // Packets that were buffered while opening arrive despite the selection.
      let stream = unsafe stream(packet.streamIndex)
      if unsafe packet.size > 0 && stream?.pointee.discard != AVDISCARD_ALL && !isHeader(packet) {
        return true
      }
    }
  }

  /// True if the packet is a header that each chained recording in an Ogg file repeats. Headers of
  /// Opus start with its name; decoders of other codecs recognize their own.
  private func isHeader(_ packet: borrowing Packet) -> Bool {
    let codec = unsafe stream(packet.streamIndex)?.pointee.codecpar.pointee.codec_id
    guard traits.isChain, codec == AV_CODEC_ID_OPUS else { return false }
    return unsafe packet.withPayload { payload in
      unsafe payload.starts(with: "OpusHead".utf8) || payload.starts(with: "OpusTags".utf8)
    }
  }

  /// Seeks to `place`: a byte offset, or a decoding timestamp of stream `index`, as
  /// ``ContainerTraits/positioning`` defines. Returns false if the format cannot seek.
  func seek(to place: Int64, stream index: Int) -> Bool {
    switch traits.positioning {
    case .byte:
      return unsafe av_seek_frame(context, CInt(index), place, AVSEEK_FLAG_BYTE) >= 0
    case .index:
      return unsafe av_seek_frame(context, CInt(index), place, AVSEEK_FLAG_BACKWARD) >= 0
    case .cluster:
      // The demuxer seeks by its index and does not search beyond the last entry.
      guard let stream = unsafe stream(index) else { return false }
      for ticks in [0 -| Self.farTicks, Self.farTicks] {
        unsafe av_add_index_entry(stream, place, ticks, 0, 0, AVINDEX_KEYFRAME)
      }
      return unsafe av_seek_frame(context, CInt(index), 0 -| Self.farTicks, AVSEEK_FLAG_ANY) >= 0
    }
  }

  /// A timestamp that no packet has.
  private static let farTicks: Int64 = 1 << 50

  /// Returns the byte offset of the cluster of `packet`, or of an earlier one; `nil` if the format
  /// has no clusters.
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

  /// True if the codec may output pictures in another order than that of their packets.
  func mayReorder(_ index: Int) -> Bool {
    guard let codec = unsafe stream(index)?.pointee.codecpar.pointee.codec_id,
      let descriptor = unsafe avcodec_descriptor_get(codec)
    else { return false }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_REORDER != 0
  }

  /// Returns the declared end of stream `index` or of the file, in ticks; `nil` if none is
  /// declared. `start` is the first timestamp of the stream's packets, because versions of libav*
  /// differ in `start_time`.
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
    // For a stream that started earlier, libav* reports the last page's time as the duration.
    if traits.end == .pages, start > 0, duration > start { return duration }
    let (end, overflows) = start.addingReportingOverflow(duration)
    return overflows ? nil : end
  }

  /// Returns the end of stream `index` that the header or an index declares, even if the file ends
  /// earlier; `nil` if none is declared. In ticks of the stream, or a frame count where the
  /// container counts ticks.
  func promisedEnd(_ index: Int) -> Int64? {
    let stream = unsafe stream(index)
    guard traits.countsTicks else {
      return declaredEnd(index, start: unsafe stream?.pointee.start_time.ticks)
    }
    let count = unsafe stream?.pointee.nb_frames ?? 0
    return count > 0 ? count : nil
  }

  /// The duration that the header declares; `nil` if it declares none.
  package var declaredDuration: MediaTime? {
    let isEstimate =
      unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    guard !isEstimate, let microseconds = unsafe context.pointee.duration.ticks, microseconds > 0
    else { return nil }
    return MediaTime(nanoseconds: microseconds *| 1000)
  }
}
