import ArgumentParser
import Foundation
import TesseraCaptions
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline

/// What was said, or what one person said: `call.vtt`, `ada=ada.json`,
/// `ada=stems/Ada.json:start=0`.
struct TranscriptOption: ExpressibleByArgument {
  /// The word that stands for the transcript where captions are named.
  static let word = "transcript"

  let path: String
  private let person: String?
  private let start: MediaTime?

  init?(argument: String) {
    var text = argument
    var start: MediaTime?
    if let colon = argument.range(of: ":start=", options: .backwards) {
      text = String(argument[..<colon.lowerBound])
      guard let time = Self.time(argument[colon.upperBound...]) else { return nil }
      start = time
    }
    self.start = start
    // A name may hold the sign, too.
    let signs = text.indices.filter { text[$0] == "=" && $0 > text.startIndex }
    let sign =
      FileManager.default.fileExists(atPath: text)
      ? nil
      : signs.first { FileManager.default.fileExists(atPath: String(text[$0...].dropFirst())) }
        ?? signs.first
    person = sign.map { String(text[..<$0]) }
    path = sign.map { String(text[$0...].dropFirst()) } ?? text
    guard !path.isEmpty else { return nil }
  }

  private static func time(_ text: Substring) -> MediaTime? {
    guard text.hasPrefix("-") else { return MediaTime(String(text)) }
    return MediaTime(String(text.dropFirst())).map { .zero - $0 }
  }

  /// The words in the file; what is left out of them is added to `notes`.
  func input(_ notes: inout [String]) throws(RenderError) -> TranscriptInput {
    let bytes = try InputFile.read(path, "transcript")
    do throws(TranscriptError) {
      let file = try TranscriptFile(bytes, name: path)
      notes += file.notes
      return TranscriptInput(file.transcript, name: path, person: person, start: start)
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }
}

/// A file that a transcript is written to, in the format that its name's ending says.
struct TranscriptOutput: ExpressibleByArgument {
  let path: String
  private let ending: String

  static let endings = ["vtt", "txt", "md"]

  init?(argument: String) {
    path = argument
    ending = URL(fileURLWithPath: argument).pathExtension.lowercased()
    guard Self.endings.contains(ending) else { return nil }
  }

  /// What is said in the rendered part of `plan`.
  func text(_ plan: Plan) -> String {
    switch ending {
    case "vtt": plan.transcript.webVTT
    case "txt": plan.transcript.plainText(title: plan.output.title)
    default: plan.transcript.markdown(title: plan.output.title)
    }
  }
}
