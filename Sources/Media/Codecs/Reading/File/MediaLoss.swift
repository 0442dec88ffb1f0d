package import TesseraMessages
package import TesseraTimeline

/// A part of a recording that is missing or could not be read.
package struct MediaLoss: Hashable, Sendable, Codable {
  /// The kind of a loss, with its extent.
  package enum Cause: Hashable, Sendable, Codable {
    /// The file was truncated: it ends before its last box or chunk does. At least `missingBytes`
    /// are missing.
    case cutOff(missingBytes: Int64)
    /// The file has become shorter since it was scanned.
    case shrunk(missingBytes: Int64)
    /// Reading stopped before the end; libav*'s message.
    case stoppedEarly(String?)
    /// A part of the file is damaged; the reason, such as libav*'s message.
    case damaged(UserMessage)
    /// The number of packets that cannot be decoded; libav*'s message for the first.
    case undecodablePackets(Int, String?)
    /// The number of pictures in which the decoder concealed errors.
    case damagedPictures(Int)
    /// The number of pictures that packets announce but the decoder does not return.
    case missingPictures(Int)
    /// The number of pictures that cannot be decoded because their parameter sets are not in the
    /// file.
    case missingParameters(Int)
    /// Nothing in a stream can be decoded; libav*'s message.
    case nothingDecodable(String?)
    /// The number of packets with wrong timestamps, which are shown or heard with their neighbors.
    case wrongTimes(Int)
    /// The number of pictures that are not shown because they come after pictures with later
    /// timestamps.
    case latePictures(Int)
    /// Pictures at the start that depend on references that are not in the file.
    case missingKeyframe
    /// The decoder returns only `percent` of the audio that the packets contain.
    case partlyDecoded(percent: Int)
    /// A part of a stream, from ``MediaLoss/start`` to ``MediaLoss/end``, that the header, an index
    /// or the other streams declare but the file does not contain.
    case missing
    /// The number of segments that a playlist lists but that do not exist, and the name of the
    /// first. Without a name, the segments precede the first listed one.
    case missingSegments(Int, String?)
    /// The number of bytes at the end of the file that cannot be read.
    case unread(Int64)
    /// Another recording follows in the file and is not read.
    case anotherRecordingFollows
  }

  /// The kind of the loss.
  package var cause: Cause
  /// The kind of the affected stream; `nil` if the loss concerns the whole file.
  package var kind: StreamInfo.Kind?
  /// The index of the affected stream; `nil` if the loss concerns the whole file.
  package var stream: Int?
  /// The affected interval relative to the start of the file; `nil` if unknown.
  package var start, end: ExactTime?

  /// Creates a loss of `stream`, or of the whole file if `stream` is `nil`.
  package init(
    _ cause: Cause, _ stream: StreamInfo? = nil, start: ExactTime? = nil, end: ExactTime? = nil
  ) {
    (self.cause, self.kind, self.stream) = (cause, stream?.kind, stream?.index)
    (self.start, self.end) = (start, end)
  }
}

extension MediaLoss {
  /// Returns the affected interval on a timeline where the file starts at `origin` and lasts `rate`
  /// times as long; empty if unknown.
  package func intervals(from origin: ExactTime, rate: Ratio) -> [TimeRange] {
    guard let start, let end else { return [] }
    let first = max(.zero, (origin + start * rate).rounded)
    return [TimeRange(start: first, end: max(first, (origin + end * rate).rounded))]
  }

  /// The stable identifier of the cause in reports: `cut-off`.
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
  /// Merges two lists of losses. Counts of equal causes in one stream are added up.
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
  /// Adds the count of `other` to this cause. Returns false if the causes differ in kind.
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

/// A loss that concerns a single packet of a stream.
package struct PacketLoss: Hashable, Sendable {
  package var packet: Int
  /// The kind of the loss.
  package var cause: MediaLoss.Cause

  package init(packet: Int, _ cause: MediaLoss.Cause) {
    (self.packet, self.cause) = (packet, cause)
  }
}

/// Counts the losses of one ``SoundReader`` as they occur.
struct SoundLossCounter: Hashable, Sendable {
  var undecodablePackets = 0
  var shrunkBytes: Int64 = 0
  private var firstWords: String?
  private var end: (String?)?
  /// The numbers of the first and last packet that could not be decoded; `nil` if unknown.
  private var packets: ClosedRange<Int>?

  mutating func notePacket(_ error: FFmpegError) {
    undecodablePackets += 1
    firstWords = firstWords ?? error.words
    guard let packet = error.packet else { return }
    packets =
      min(packet, packets?.lowerBound ?? packet)...max(packet, packets?.upperBound ?? packet)
  }

  mutating func noteEnd(_ error: FFmpegError) { end = .some(error.words) }

  /// Returns the counted losses of the track in `source`, one per kind.
  func losses(of source: SoundSource) -> [MediaLoss] {
    var causes: [MediaLoss.Cause] = []
    if shrunkBytes > 0 { causes.append(.shrunk(missingBytes: shrunkBytes)) }
    if let end { causes.append(.stoppedEarly(end)) }
    var losses = causes.map { MediaLoss($0, source.track.stream) }
    guard undecodablePackets > 0 else { return losses }
    var loss = MediaLoss(
      .undecodablePackets(undecodablePackets, firstWords), source.track.stream)
    if let packets {
      // Decoded packets overlap with their neighbors.
      let (first, next) = (max(0, packets.lowerBound - 1), packets.upperBound + 2)
      loss.start = source.time(of: first)
      loss.end =
        next < source.track.packets.upperBound ? source.time(of: next) : source.track.end
    }
    losses.append(loss)
    return losses
  }
}
