package import TesseraTimeline

/// Something that a recording lacks, or that could not be read of it.
package struct MediaLoss: Hashable, Sendable, Codable {
  /// What it is, with numbers.
  package enum Cause: Hashable, Sendable, Codable {
    /// The file ends before its last box or chunk does; how many bytes are missing, at least.
    case cutOff(missingBytes: Int64)
    /// The file is shorter than when it was looked at.
    case shrunk(missingBytes: Int64)
    /// Reading stopped before the end; libav*'s words.
    case stoppedEarly(String?)
    /// Something in the file is damaged; libav*'s words.
    case damaged(String)
    /// Packets that cannot be decoded; libav*'s words for the first.
    case undecodablePackets(Int, String?)
    /// Pictures of which the decoder had to make up parts.
    case damagedPictures(Int)
    /// Pictures that packets announce and the decoder does not return.
    case missingPictures(Int)
    /// Pictures whose parameter sets are not in the file.
    case missingParameters(Int)
    /// Nothing of a stream can be decoded; libav*'s words.
    case nothingDecodable(String?)
    /// Packets whose times do not fit those before and after, and are shown or heard with those.
    case wrongTimes(Int)
    /// Pictures that come after ones that are to be shown later, and so are not shown.
    case latePictures(Int)
    /// Pictures that depend on others that are not in the file.
    case missingKeyframe
    /// The decoder returns less sound than the packets hold; that part of it, in percent.
    case partlyDecoded(percent: Int)
    /// What the header, an index or the other streams promise of a stream from
    /// ``MediaLoss/start`` to ``MediaLoss/end``, and the file does not hold.
    case missing
    /// So many segments that a playlist names are not there; the first one's name. Without a name,
    /// they came before the first one that it names.
    case missingSegments(Int, String?)
    /// So many bytes at the end of the file cannot be read.
    case unread(Int64)
    /// Another recording follows in the file and is not read.
    case anotherRecordingFollows
  }

  /// What it is.
  package var cause: Cause
  /// What the stream carries; nil where the loss concerns the whole file.
  package var kind: StreamInfo.Kind?
  /// The stream; nil where the loss concerns the whole file.
  package var stream: Int?
  /// From when to when, relative to the file's beginning; nil where that is not known.
  package var start, end: ExactTime?

  /// A loss of the file, or of one of its streams.
  package init(
    _ cause: Cause, _ stream: StreamInfo? = nil, start: ExactTime? = nil, end: ExactTime? = nil
  ) {
    (self.cause, self.kind, self.stream) = (cause, stream?.kind, stream?.index)
    (self.start, self.end) = (start, end)
  }
}

extension MediaLoss {
  /// When it is on a timeline on which the file begins at `origin` and lasts `rate` times as long;
  /// empty where that is not known.
  package func intervals(from origin: ExactTime, rate: Ratio) -> [TimeRange] {
    guard let start, let end else { return [] }
    let first = max(.zero, (origin + start * rate).rounded)
    return [TimeRange(start: first, end: max(first, (origin + end * rate).rounded))]
  }

  /// A name of the cause that does not change from version to version: `cut-off`.
  package var code: String {
    switch cause {
    case .cutOff: "cut-off"
    case .shrunk: "shrunk"
    case .stoppedEarly: "stopped-early"
    case .damaged: "damaged"
    case .undecodablePackets: "undecodable-packets"
    case .damagedPictures: "damaged-pictures"
    case .missingPictures: "missing-pictures"
    case .missingParameters: "missing-parameters"
    case .nothingDecodable: "nothing-decodable"
    case .wrongTimes: "wrong-times"
    case .latePictures: "late-pictures"
    case .missingKeyframe: "missing-keyframe"
    case .partlyDecoded: "partly-decoded"
    case .missing: "missing"
    case .missingSegments: "missing-segments"
    case .unread: "unread"
    case .anotherRecordingFollows: "another-recording-follows"
    }
  }
}

extension [MediaLoss] {
  /// These losses and `others`; what is counted in both is added up.
  package func merged(with others: [MediaLoss]) -> [MediaLoss] {
    others.reduce(into: self) { all, other in
      let same = all.indices.first {
        all[$0].stream == other.stream && all[$0].cause.add(other.cause)
      }
      if let same { all[same].extend(to: other) } else { all.append(other) }
    }
  }
}

extension MediaLoss.Cause {
  /// Adds up what is counted in both; false where the other cause is another one.
  package mutating func add(_ other: Self) -> Bool {
    switch (self, other) {
    case (.undecodablePackets(let count, let words), .undecodablePackets(let more, let others)):
      self = .undecodablePackets(count + more, words ?? others)
    case (.damagedPictures(let count), .damagedPictures(let more)):
      self = .damagedPictures(count + more)
    case (.missingPictures(let count), .missingPictures(let more)):
      self = .missingPictures(count + more)
    case (.missingParameters(let count), .missingParameters(let more)):
      self = .missingParameters(count + more)
    case (.latePictures(let count), .latePictures(let more)):
      self = .latePictures(count + more)
    default: return self == other
    }
    return true
  }
}

/// Something that was lost with one packet of a stream.
package struct PacketLoss: Hashable, Sendable {
  /// The packet's number.
  package var packet: Int
  /// What was lost with it.
  package var cause: MediaLoss.Cause

  /// `cause`, with packet number `packet`.
  package init(packet: Int, _ cause: MediaLoss.Cause) {
    (self.packet, self.cause) = (packet, cause)
  }
}

/// The losses of one reader, counted as they come.
struct LossCount: Hashable, Sendable {
  var undecodablePackets = 0
  var shrunkBytes: Int64 = 0
  private var firstWords: String?
  private var end: (String?)?
  /// The first and the last packet that could not be decoded, where that is known.
  private var packets: ClosedRange<Int>?

  mutating func notePacket(_ error: FFmpegError) {
    undecodablePackets += 1
    firstWords = firstWords ?? error.words
    guard let packet = error.packet else { return }
    packets =
      min(packet, packets?.lowerBound ?? packet)...max(packet, packets?.upperBound ?? packet)
  }

  mutating func noteEnd(_ error: FFmpegError) { end = .some(error.words) }

  /// The first error in words.
  var words: String? { firstWords ?? end ?? nil }

  /// The same as values, of what is read from `source`.
  func losses(of source: SoundSource) -> [MediaLoss] {
    var causes: [MediaLoss.Cause] = []
    if shrunkBytes > 0 { causes.append(.shrunk(missingBytes: shrunkBytes)) }
    if let end { causes.append(.stoppedEarly(end)) }
    var losses = causes.map { MediaLoss($0, source.track.stream) }
    guard undecodablePackets > 0 else { return losses }
    var loss = MediaLoss(
      .undecodablePackets(undecodablePackets, firstWords), source.track.stream)
    if let packets {
      // Packets overlap those beside them.
      let (first, next) = (max(0, packets.lowerBound - 1), packets.upperBound + 2)
      loss.start = source.time(of: first)
      loss.end =
        next < source.track.packets.upperBound ? source.time(of: next) : source.track.end
    }
    losses.append(loss)
    return losses
  }
}
