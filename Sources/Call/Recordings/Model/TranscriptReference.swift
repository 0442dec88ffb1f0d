package import TesseraTimeline

/// A transcript file of a recording, with its participant and its place on the timeline.
package struct TranscriptReference: Hashable, Sendable, Codable {
  /// The path of the file, relative to the recording's folder.
  package var file: String
  /// The only speaker in the file; `nil` if the file names its speakers.
  package var participant: Participant.ID?
  /// The file's time zero on the timeline; may be negative.
  ///
  /// `nil` for the participant's first sound, by the clock of that recording, or for zero if the
  /// file has no participant.
  package var start: MediaTime?
}
