package import TesseraCaptions
package import TesseraTimeline

/// What was said, as a file has it.
package struct TranscriptInput: Hashable, Sendable {
  /// Where it comes from, for messages.
  package var name: String
  /// The words, at the file's own times.
  package var transcript: Transcript
  /// Whose words they are, named as in ``CallRequest/local``; nil where the transcript says it.
  package var person: String?
  /// Where its times begin on the call's timeline. Nil is where the person's first sound begins –
  /// or that of the recording that ``person`` names – by that recording's own clock, and zero where
  /// they are nobody's own.
  package var start: MediaTime?

  /// The words of the file `name`.
  package init(
    _ transcript: Transcript, name: String, person: String? = nil, start: MediaTime? = nil
  ) {
    (self.transcript, self.name, self.person, self.start) = (transcript, name, person, start)
  }
}
