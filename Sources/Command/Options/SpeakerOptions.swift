public import ArgumentParser
import Foundation
import TesseraJobs
import TesseraPlan
public import TesseraPlanning
import TesseraRendering

/// Who speaks and what is said, and what is written about it.
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

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      What was said: WebVTT or SubRip, or the JSON of Whisper, WhisperX, whisper.cpp or Vosk; of one \
      person by that recording's own clock, or from a time of the call on; may be repeated.
      """, valueName: "[person=]file[:start=…]"),
    completion: .file(extensions: ["vtt", "srt", "json"]))
  var transcript: [TranscriptOption] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Write what was said into this file; may be repeated.", valueName: "file.vtt|.txt|.md"),
    completion: .file(extensions: TranscriptOutput.endings))
  var transcriptOut: [TranscriptOutput] = []

  @Option(help: ArgumentHelp("Whether the file has chapters (on).", valueName: "on|off"))
  var chapters = Switch.on

  func validate() throws {
    if speakers != nil, speakerSource == .none {
      throw ValidationError(
        "--speakers needs active speakers, which --speaker-source none turns off; leave one out.")
    }
  }

  /// The files that are read.
  var files: [String] { transcript.map(\.path) }

  /// The files that are written.
  var outputs: [String] { [speakers].compactMap { $0 } + transcriptOut.map(\.path) }

  /// Makes sure early that the files can be made.
  func require(protecting files: [String], overwriting: Bool) throws(RenderError) {
    for (index, output) in outputs.enumerated() {
      try OutputFile.require(
        output, protecting: files + outputs[..<index], overwriting: overwriting)
    }
  }

  /// Writes the files that are wanted.
  func write(
    _ plan: Plan, protecting files: [String], overwriting: Bool
  ) throws(RenderError) {
    let texts =
      (speakers.map { [($0, plan.speakersWebVTT)] } ?? [])
      + transcriptOut.map { ($0.path, $0.text(plan)) }
    for (path, text) in texts {
      var file = try OutputFile(
        path, protecting: files + plan.files, overwriting: overwriting)
      try file.write(Data(text.utf8))
    }
  }

  /// Asks for what is said here.
  func apply(to call: inout CallRequest) throws(RenderError) {
    for option in transcript { call.transcripts.append(try option.input(&call.notes)) }
    if !transcriptOut.isEmpty { call.wantsTranscript = true }
    call.speakerSource = speakerSource
    call.wantsTurns = speakers != nil
  }
}

extension SpeakerSource: ExpressibleByArgument {}
