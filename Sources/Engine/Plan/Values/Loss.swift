package import TesseraCodecs
package import TesseraSoundtrack
public import TesseraTimeline

/// A part of a recording that is missing from the output, although it was or should have been
/// recorded.
///
/// Losses are stored as values. Sentences are only composed for display.
public struct Loss: Hashable, Sendable, Codable {
  package enum Cause: Hashable, Sendable, Codable {
    /// Reading the file lost packets or found damage.
    case media(MediaLoss)
    /// Samples overlap earlier samples of the track and are left out, in seconds.
    case overlap(Double)
    /// The file cannot be opened. `missing` describes the missing content if only the manifest
    /// states it.
    case unreadable(MediaError, missing: MissingFile? = nil)
    /// The sound cannot be mixed.
    case unheard(VoiceReport.Failure)
    /// Audio alignment could not place the recording. A fallback placement is used.
    case unplaced(UnalignedParticipant)
    /// No file has the timing data that this value of `--align` needs.
    case unevidenced(String)
    /// The tile is completely outside the canvas.
    case offCanvas
    /// Decoding the track crashed a worker twice. The text describes how the worker ended.
    case crash(String)
  }

  /// The content that a participant lacks because a file cannot be opened.
  package struct MissingFile: Hashable, Sendable, Codable {
    /// The name of the participant whose recording is missing.
    package var name: String
    package var kind: RecordingKind

    package init(name: String, kind: RecordingKind) { (self.name, self.kind) = (name, kind) }
  }

  /// A participant that audio alignment could not place.
  package struct UnalignedParticipant: Hashable, Sendable, Codable {
    /// The fallback placement of recordings that audio alignment could not place.
    package enum Fallback: String, Hashable, Sendable, Codable {
      /// Placed by wall clock, aligned with the start of the first recording, or placed as if heard
      /// without latency.
      case clock, start, near
    }

    /// The participant's name, or the file's name if the participant has several recordings.
    package var name: String
    /// The participant whose recording matches best; nil if no sound can be compared.
    package var other: String?
    /// Number of compared passages, and number of those that agree.
    package var passages: Int
    package var agreeing: Int
    package var manner: Fallback
    /// The property of the recordings that left nothing to compare; `nil` if they only differ.
    package var lack: ComparisonFailure?

    /// A reason why no passages of two recordings could be compared.
    package enum ComparisonFailure: String, Hashable, Sendable, Codable { case short, quiet }

    package init(name: String, other: String?, passages: Int, agreeing: Int, manner: Fallback) {
      (self.name, self.other, self.manner) = (name, other, manner)
      (self.passages, self.agreeing) = (passages, agreeing)
    }
  }

  /// The kind of a recording.
  package enum RecordingKind: String, Hashable, Sendable, Codable {
    case camera, microphone, screen, screenAudio, still, media
  }

  /// The affected track; nil if the whole participant is affected.
  package var track: TrackID?
  /// The participant whose recording is affected.
  package var participant: ParticipantID
  /// The name of the recording's file, as sentences show it.
  public var source: String
  /// The times of the call at which the recording is missing; empty if it is all of it, or unknown.
  public var intervals: [TimeRange]
  /// The missing times in the output; nil if no part of the call is cut.
  public var shown: [TimeRange]?
  package var cause: Cause

  /// Creates a loss of `track` of `participant`, which is read from `source`.
  package init(
    _ cause: Cause, track: TrackID? = nil, of participant: ParticipantID, source: String,
    intervals: [TimeRange] = []
  ) {
    (self.cause, self.track, self.participant) = (cause, track, participant)
    // Segments of a playlist are read like one file. Users only know the playlist's name.
    (self.source, self.intervals) = (SegmentedFile.name(of: source), intervals)
  }
}

extension Loss {
  private enum ReportKeys: CodingKey { case code, message, from, to }

  /// Encodes the loss for plans and reports. For readers of reports it adds `code`, `message`, and
  /// the seconds `from` and `to`.
  public func encode(to encoder: any Encoder) throws {
    var report = encoder.container(keyedBy: ReportKeys.self)
    try report.encode(code, forKey: .code)
    try report.encode(sentence, forKey: .message)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(cause, forKey: .cause)
    try container.encodeIfPresent(track, forKey: .track)
    try container.encode(participant, forKey: .participant)
    try container.encode(source, forKey: .source)
    try container.encode(intervals, forKey: .intervals)
    try container.encodeIfPresent(shown, forKey: .shown)
    try report.encodeIfPresent(intervals.first?.start.seconds, forKey: .from)
    try report.encodeIfPresent(intervals.last?.end.seconds, forKey: .to)
  }
}

extension Loss {
  /// Returns the loss with its times in an output, which `times` maps; nil if all of it is cut.
  package func located(at times: CutTimeMapping) -> Loss? {
    guard !intervals.isEmpty else { return self }
    var located = self
    // A loss without duration counts in the frame at its time.
    located.shown = intervals.compactMap {
      times.output(
        TimeRange(start: $0.start, end: max($0.end, $0.start + MediaTime(nanoseconds: 1))))
    }
    return located.shown?.isEmpty == true ? nil : located
  }
}
