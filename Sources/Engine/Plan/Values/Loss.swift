package import TesseraCodecs
package import TesseraSoundtrack
public import TesseraTimeline

/// Something that was recorded, or should have been, and is not seen or heard.
///
/// A value: sentences are made of it only where people read them.
public struct Loss: Hashable, Sendable, Codable {
  /// Why it is missing.
  package enum Cause: Hashable, Sendable, Codable {
    /// What reading the file came to.
    case media(MediaLoss)
    /// How much of the sound lies where other sound lies already, in seconds.
    case overlap(Double)
    /// Why the file cannot be read, and what somebody lacks without it where only a manifest says
    /// so.
    case unreadable(MediaError, missing: Missing? = nil)
    /// Why its sound is not heard.
    case unheard(VoiceReport.Failure)
    /// How it was placed as its sound does not say where it lies.
    case unplaced(Unplaced)
    /// No file has the evidence that a preference of `--align` asks for.
    case unevidenced(String)
    /// Nothing of the tile lies on the canvas.
    case offCanvas
    /// Decoding it ended the worker twice, in this manner.
    case crash(String)
  }

  /// What somebody lacks.
  package struct Missing: Hashable, Sendable, Codable {
    /// What the person is called.
    package var name: String
    /// What the file should hold.
    package var kind: Kind

    /// What the person called `name` lacks.
    package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
  }

  /// Somebody whose recordings cannot be placed by their sound.
  package struct Unplaced: Hashable, Sendable, Codable {
    /// Where they are instead.
    package enum Manner: String, Hashable, Sendable, Codable {
      /// As the wall clocks say, with the others' beginning, or as if they were heard at once.
      case clock, start, near
    }

    /// The name of the person, or of the file if the person has several.
    package var name: String
    /// Whose recording is most like it; nil where there is nothing to hear.
    package var other: String?
    /// How many passages were compared, and how many agree.
    package var passages: Int
    package var agreeing: Int
    package var manner: Manner
    /// The property of the recordings that left nothing to compare; `nil` if they only differ.
    package var lack: Lack?

    /// A reason why no passages of two recordings could be compared.
    package enum Lack: String, Hashable, Sendable, Codable { case short, quiet }

    /// The person called `name` is placed in that `manner`.
    package init(name: String, other: String?, passages: Int, agreeing: Int, manner: Manner) {
      (self.name, self.other, self.manner) = (name, other, manner)
      (self.passages, self.agreeing) = (passages, agreeing)
    }
  }

  /// What a file of a call holds.
  package enum Kind: String, Hashable, Sendable, Codable {
    case camera, microphone, screen, screenAudio, still, media
  }

  /// The track that it is of; nil for all of the participant.
  package var track: TrackID?
  /// Whose it is.
  package var participant: ParticipantID
  /// What sentences call the recording: its file.
  public var source: String
  /// When it is missing; nil where that is all along, or not known.
  public var intervals: [TimeRange]
  /// The same in the output, where parts of the call are cut; nil where none are.
  public var shown: [TimeRange]?
  /// Why.
  package var cause: Cause

  /// A loss of `track` of `participant`, read from `source`.
  package init(
    _ cause: Cause, track: TrackID? = nil, of participant: ParticipantID, source: String,
    intervals: [TimeRange] = []
  ) {
    (self.cause, self.track, self.participant) = (cause, track, participant)
    // A run of segments is read like a file, but people know the playlist.
    (self.source, self.intervals) = (SegmentedFile.name(of: source), intervals)
  }
}

extension Loss {
  private enum CodingKeys: String, CodingKey {
    case cause, track, participant, source, intervals, shown, code, message, from, to
  }

  /// Besides what a plan needs, reports carry what programs and people want of a loss: `code`,
  /// `from`, `to` (seconds) and `message`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(sentence, forKey: .message)
    try container.encode(cause, forKey: .cause)
    try container.encodeIfPresent(track, forKey: .track)
    try container.encode(participant, forKey: .participant)
    try container.encode(source, forKey: .source)
    try container.encode(intervals, forKey: .intervals)
    try container.encodeIfPresent(shown, forKey: .shown)
    try container.encodeIfPresent(intervals.first?.start.seconds, forKey: .from)
    try container.encodeIfPresent(intervals.last?.end.seconds, forKey: .to)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    cause = try container.decode(Cause.self, forKey: .cause)
    track = try container.decodeIfPresent(TrackID.self, forKey: .track)
    participant = try container.decode(ParticipantID.self, forKey: .participant)
    source = try container.decode(String.self, forKey: .source)
    intervals = try container.decode([TimeRange].self, forKey: .intervals)
    shown = try container.decodeIfPresent([TimeRange].self, forKey: .shown)
  }
}

extension Loss {
  /// The loss with its times in an output that has those `times`; nil where all of it is cut.
  package func located(at times: CutTimes) -> Loss? {
    guard !intervals.isEmpty else { return self }
    var located = self
    // A loss of a moment counts in the frame that shows it.
    located.shown = intervals.compactMap {
      times.output(
        TimeRange(start: $0.start, end: max($0.end, $0.start + MediaTime(nanoseconds: 1))))
    }
    return located.shown?.isEmpty == true ? nil : located
  }
}
