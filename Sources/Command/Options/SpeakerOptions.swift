public import ArgumentParser
import Foundation
public import TesseraRendering

/// Who speaks, and what is written about it.
struct SpeakerOptions: ParsableArguments {
  @Option(
    help: """
      What says who speaks: audio (the voices), events (the recorder), auto (the recorder where it \
      does, else the voices) or none.
      """)
  var speakerSource = SpeakerSource.auto

  @Option(
    help: ArgumentHelp("Write who speaks when into this file.", valueName: "file.vtt"),
    completion: .file(extensions: ["vtt"]))
  var speakers: String?

  @Option(help: ArgumentHelp("Whether the file has chapters (on).", valueName: "on|off"))
  var chapters = Switch.on

  func validate() throws {
    if speakers != nil, speakerSource == .none {
      throw ValidationError(
        "--speakers writes who speaks, which --speaker-source none leaves open.")
    }
  }

  /// Makes sure early that the file of `--speakers` can be made.
  func require(protecting files: [String]) throws(RenderError) {
    if let speakers { try OutputFile.require(speakers, protecting: files) }
  }

  /// Writes the file of `--speakers`, if one is wanted.
  func write(_ plan: Plan, protecting files: [String]) throws(RenderError) {
    guard let speakers else { return }
    var file = try OutputFile(speakers, protecting: files + plan.files)
    try file.write(Data(plan.speakersWebVTT.utf8))
  }

  /// Asks for what is said here.
  func apply(to request: inout RenderRequest) {
    request.speakerSource = speakerSource
    request.wantsTurns = speakers != nil
    request.hasChapters = chapters == .on
  }
}

extension SpeakerSource: ExpressibleByArgument {}
