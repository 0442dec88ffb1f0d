package import TesseraCaptions
package import TesseraTimeline

/// A transcript read from a file, with its owner and start time.
package struct TranscriptInput: Hashable, Sendable {
  /// The source of the transcript, for messages.
  package var name: String
  /// The transcript, in the file's own times.
  package var transcript: Transcript
  /// The participant whose words the file contains, named as in ``CallRequest/local``; `nil` if the
  /// transcript names the speakers.
  package var person: String?
  /// The time of the call at which the file's times start.
  ///
  /// `nil` for a file of one participant means that its times follow the clock of the participant's
  /// recordings (or of the recording that ``person`` names), from the first sound on. `nil` for a
  /// file without an owner means zero.
  package var start: MediaTime?

  package init(
    _ transcript: Transcript, name: String, person: String? = nil, start: MediaTime? = nil
  ) {
    (self.transcript, self.name, self.person, self.start) = (transcript, name, person, start)
  }
}
