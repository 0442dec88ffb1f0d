public import ArgumentParser
public import TesseraRendering

/// Who speaks, and what is told of it.
struct SpeakerOptions: ParsableArguments {
  @Option(
    help: """
      What says who speaks: audio (the voices), events (the recorder), auto (the recorder where it \
      does, else the voices) or none.
      """)
  var speakerSource = SpeakerSource.auto

  @Option(help: ArgumentHelp("Write who speaks when into this file.", valueName: "file.vtt"))
  var speakers: String?

  @Option(help: ArgumentHelp("Whether the file has chapters (on).", valueName: "on|off"))
  var chapters = Switch.on

  /// Asks for what is said here.
  func apply(to request: inout RenderRequest) {
    request.speakerSource = speakerSource
    request.wantsTurns = speakers != nil
    request.hasChapters = chapters == .on
  }
}

extension SpeakerSource: ExpressibleByArgument {}
