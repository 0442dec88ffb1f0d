import ArgumentParser

/// Who speaks and what is said, and what is written about it.
struct SpeakerOptions: ParsableArguments {
  @Option("speaker-source")
  var speakerSource: String?

  @Option("speakers")
  var speakers: String?

  @Option("transcript")
  var transcript: [String]

  @Option("transcript-out")
  var transcriptOut: [String]

  @Option("chapters")
  var chapters: String?

  @Option("chapters-from")
  var chaptersFrom: String?

  func validate() throws { try requireRows() }
}
