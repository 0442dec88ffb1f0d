package import TesseraTimeline

/// A file that says who said what.
package struct TranscriptSource: Hashable, Sendable, Codable {
  /// The path of the file, relative to the recording's folder.
  package var file: String
  /// Whose words they are; nil where the file says it.
  package var participant: Participant.ID?
  /// Where its times begin on the timeline; may be negative. Nil is where the participant's first
  /// sound begins, by that recording's own clock, or zero where they are nobody's own.
  package var start: MediaTime?

  /// The words in `file`.
  package init(file: String, participant: Participant.ID? = nil, start: MediaTime? = nil) {
    (self.file, self.participant, self.start) = (file, participant, start)
  }
}
