import ArgumentParser
import Foundation
import TesseraJobs
import TesseraPlan
public import TesseraPlanning
import TesseraRendering

/// Who speaks, and what is written about it.
struct SpeakerOptions: ParsableArguments {
  @Option(
    help: """
      Where active speakers come from: audio (the voices), events (the recorder), auto (the \
      recorder where it names them, else the voices) or none.
      """)
  var speakerSource = SpeakerSource.auto

  @Option(
    help: ArgumentHelp("Write the speakers' turns into this file.", valueName: "file.vtt"),
    completion: .file(extensions: ["vtt"]))
  var speakers: String?

  @Option(help: ArgumentHelp("Whether the file has chapters (on).", valueName: "on|off"))
  var chapters = Switch.on

  func validate() throws {
    if speakers != nil, speakerSource == .none {
      throw ValidationError(
        "--speakers needs active speakers, which --speaker-source none turns off; leave one out.")
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
