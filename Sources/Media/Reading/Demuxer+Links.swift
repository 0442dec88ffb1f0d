import CTesseraFFmpeg
import TesseraTimeline

/// Reading files that may be chained.
extension Demuxer {
  /// Moves the next packet into `packet`: one that was read ahead or, at the end of these, of the
  /// file.
  func takeNext(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
    if backlog.takeFirst(into: packet) { return true }
    if let failure = backlog.failure {
      backlog.failure = nil
      throw failure
    }
    return try readNext(into: packet)
  }

  /// Whether the packet is a header, which come with every link: those of Theora begin with a set
  /// bit, those of Opus with its name. Other codecs' decoders know their headers.
  func isHeader(_ packet: borrowing Packet) -> Bool {
    switch unsafe stream(packet.streamIndex)?.pointee.codecpar.pointee.codec_id {
    case AV_CODEC_ID_THEORA: packet.firstByte ?? 0 > 0x7f
    case AV_CODEC_ID_OPUS: packet.begins(with: "OpusHead") || packet.begins(with: "OpusTags")
    default: false
    }
  }

  /// Moves the packet's times to the one clock of a chained file.
  func move(_ packet: borrowing Packet, by links: LinkClock) {
    guard let time = time(of: packet, links) else { return }
    let added = links.offset(of: time) { judge(&$0, links) }
    guard added != .zero, let stream = unsafe stream(packet.streamIndex) else { return }
    packet.move(by: added.ticks(timeBase: Ratio(unsafe stream.pointee.time_base)))
  }

  /// When the packet stands in the file; nil for what is neither pictures nor sound.
  private func time(of packet: borrowing Packet, _ links: LinkClock) -> PacketTime? {
    guard let stream = unsafe stream(packet.streamIndex),
      unsafe [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(
        stream.pointee.codecpar.pointee.codec_type)
    else { return nil }
    let timeBase = Ratio(unsafe stream.pointee.time_base)
    let (decoding, presentation) = (packet.decodingTicks, packet.presentationTicks)
    // Decoding times are in order, but libav* makes them up where the format has none.
    let ticks = links.isChainFormat ? decoding ?? presentation : presentation ?? decoding
    guard let time = ticks.flatMap({ MediaTime(ticks: $0, timeBase: timeBase) }) else { return nil }
    return PacketTime(
      stream: packet.streamIndex, time: time,
      duration: MediaTime(ticks: packet.durationTicks, timeBase: timeBase) ?? .zero,
      isKeyframe: packet.isKeyframe)
  }

  /// Reads ahead until the trial has a verdict. Who is not seen to return stays.
  private func judge(_ trial: inout LinkTrial, _ links: LinkClock) -> LinkTrial.Verdict {
    for index in 0..<Self.longestBacklog {
      guard index < backlog.count || backlog.byteCount < Self.largestBacklog && readAhead() else {
        break
      }
      let following = backlog.look(at: index) { isHeader($0) ? nil : time(of: $0, links) }
      if let verdict = following.flatMap({ trial.verdict($0) }) { return verdict }
    }
    return .stays
  }

  /// The most packets that are read ahead, and about the most bytes.
  private static let longestBacklog = 500
  private static let largestBacklog = 64 << 20

  private func readAhead() -> Bool {
    guard backlog.failure == nil else { return false }
    do throws(FFmpegError) {
      let packet = try Packet.allocate()
      guard try readNext(into: packet) else { return false }
      backlog.append(packet)
      return true
    } catch {
      backlog.failure = error
      return false
    }
  }
}

extension Packet {
  /// Its first byte; nil where it is empty.
  fileprivate var firstByte: UInt8? { unsafe size > 0 ? raw.pointee.data?.pointee : nil }

  /// Whether its payload begins with `text`.
  fileprivate func begins(with text: String) -> Bool {
    guard let data = unsafe raw.pointee.data, size >= text.utf8.count else { return false }
    return unsafe UnsafeBufferPointer(start: data, count: text.utf8.count)
      .elementsEqual(text.utf8)
  }

  /// Adds so many ticks to its times.
  fileprivate func move(by ticks: Int64) {
    unsafe raw.pointee.dts = decodingTicks.map { $0 &+ ticks } ?? CFF_NOPTS
    unsafe raw.pointee.pts = presentationTicks.map { $0 &+ ticks } ?? CFF_NOPTS
    // Of movie fragments that go back, libav* marks those of the first one so.
    unsafe raw.pointee.flags &= ~AV_PKT_FLAG_DISCARD
  }
}
