import Foundation
package import TesseraCaptions
import TesseraJobs
package import TesseraPlan
package import TesseraRequest
package import TesseraSystem

extension SidecarRequest {
  /// The paths of the text files about the call: the speaker turns and the transcripts.
  package var texts: [String] { [speakers].compactMap { $0 } + transcriptFiles }

  /// Checks before rendering that the text files can be written and do not replace each other or
  /// one of `files`.
  ///
  /// - Throws: ``RenderError`` if a path is unusable.
  package func requireTexts(protecting files: [String], overwriting: Bool) throws(RenderError) {
    for (index, text) in texts.enumerated() {
      try OutputFile.require(text, protecting: files + texts[..<index], overwriting: overwriting)
    }
  }

  /// Writes the speaker turns and the transcripts of `plan`.
  ///
  /// - Parameters:
  ///   - plan: the plan of the main output.
  ///   - name: the recording's name, as the texts show it.
  ///   - media: describes the output to the speaker file at a path; `nil` for no description.
  ///   - files: paths that must not be replaced, besides the plan's own files.
  ///   - overwriting: true to replace files that Tessera did not make.
  /// - Throws: ``RenderError`` if a file cannot be written.
  package func writeTexts(
    of plan: Plan, named name: String,
    media: (String) -> Diarization.MediaReference? = { _ in nil },
    protecting files: [String], overwriting: Bool
  ) throws(RenderError) {
    let texts =
      (speakers.map { [($0, plan.turnsText(for: $0, name: name, media: media($0)))] } ?? [])
      + transcriptOutputs.map { ($0.path, $0.text(plan)) }
    for (path, text) in texts {
      let file = try OutputFile(path, protecting: files + plan.files, overwriting: overwriting)
      try file.write(Data(text.utf8))
    }
  }
}

extension TranscriptOutput {
  /// Formats the transcript of the rendered part of `plan` by the file's extension. Other
  /// extensions than `vtt`, `srt`, `json` and `txt` get Markdown.
  fileprivate func text(_ plan: Plan) -> String {
    switch ending {
    case "vtt": plan.transcript.webVTT
    case "srt": plan.transcript.subRip
    case "json": plan.transcript.json
    case "txt": plan.transcript.plainText(title: plan.output.title)
    default: plan.transcriptMarkdown
    }
  }
}
