public import TesseraTimeline

/// A file that says who said what.
public struct TranscriptSource: Hashable, Sendable, Codable {
  /// The path of the file, relative to the recording's folder.
  public var file: String
  /// Whose words they are; nil where the file says it.
  public var participant: Participant.ID?
  /// Where its times begin on the timeline; may be negative. Nil is where the participant's first
  /// sound begins, by that recording's own clock, or zero where they are nobody's own.
  public var start: MediaTime?

  /// The words in `file`.
  public init(file: String, participant: Participant.ID? = nil, start: MediaTime? = nil) {
    (self.file, self.participant, self.start) = (file, participant, start)
  }
}
