import Foundation
package import TesseraCaptions
import TesseraJobs
package import TesseraPlan
package import TesseraRequest
package import TesseraSystem

extension SidecarRequest {
  /// The files of texts about the call: turns, and what was said.
  package var texts: [String] { [speakers].compactMap { $0 } + transcriptFiles }

  /// Makes sure early that the texts can be made.
  package func requireTexts(protecting files: [String], overwriting: Bool) throws(RenderError) {
    for (index, text) in texts.enumerated() {
      try OutputFile.require(text, protecting: files + texts[..<index], overwriting: overwriting)
    }
  }

  /// Writes the texts about `plan` of the recording `name`. `media` describes the output to the file of turns at a
  /// path.
  package func writeTexts(
    of plan: Plan, named name: String, media: (String) -> Diarization.Media? = { _ in nil },
    protecting files: [String], overwriting: Bool
  ) throws(RenderError) {
    let texts =
      (speakers.map { [($0, plan.turnsText(for: $0, name: name, media: media($0)))] } ?? [])
      + transcriptOutputs.map { ($0.path, $0.text(plan)) }
    for (path, text) in texts {
      var file = try OutputFile(path, protecting: files + plan.files, overwriting: overwriting)
      try file.write(Data(text.utf8))
    }
  }
}

extension TranscriptOutput {
  /// What is said in the rendered part of `plan`.
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
