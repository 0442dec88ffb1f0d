import ArgumentParser

/// Speakers and transcripts, and the files written about them.
struct SpeakerOptions: ParsableArguments {
  @Option("speaker-source") var speakerSource: String?
  @Option("speakers") var speakers: String?

  @OptionGroup
  var said: SaidOptions

  @Option("transcript-out") var transcriptOut: [String]
  @Option("chapters") var chapters: String?
  @Option("chapters-from") var chaptersFrom: String?
}

/// What is said.
struct SaidOptions: ParsableArguments {
  @Option("transcript") var transcript: [String]
  @Option("transcriber") var transcriber: String?
}
