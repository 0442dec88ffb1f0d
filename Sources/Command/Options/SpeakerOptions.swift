import ArgumentParser

/// Options for speakers, transcripts and chapters, and for the files written from them.
struct SpeakerOptions: ParsableArguments {
  @Option("speaker-source") var speakerSource: String?
  @Option("speakers") var speakers: String?

  @OptionGroup
  var transcriptOptions: TranscriptOptions

  @Option("transcript-out") var transcriptOut: [String]
  @Option("chapters") var chapters: String?
  @Option("chapters-from") var chaptersFrom: String?
}

/// Options for transcripts to read and for the program that transcribes.
struct TranscriptOptions: ParsableArguments {
  @Option("transcript") var transcript: [String]
  @Option("transcriber") var transcriber: String?
}
