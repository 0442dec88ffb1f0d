import Foundation
import TesseraMedia
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

/// A call that is rendered as one of many.
struct BatchJob: Sendable {
  /// An option of render with its value; nil for a flag.
  struct Setting: Hashable, Sendable {
    var name: String
    var value: String?

    /// It as one word of a command line.
    var word: String { value.map { "--\(name)=\($0)" } ?? "--\(name)" }
  }

  /// Its place in the list, from 0.
  var number: Int
  /// What people and programs know it by; no other job of the list has it.
  var id: String
  /// What render reads.
  var inputs: [String]
  /// What render makes: the first is its output.
  var outputs: [String]
  /// Jobs with a higher one begin before others.
  var priority = 0
  /// What else render is asked for.
  var settings: [BatchJob.Setting]

  /// The words of the command that renders it.
  var words: [String] {
    let inputs = inputs.map { $0.hasPrefix("-") ? "./\($0)" : $0 }
    return ["render"] + inputs + ["--output=\(outputs.first ?? "")"]
      + outputs.dropFirst().map { "--also=\($0)" } + settings.map(\.word)
  }

  /// The value that render is given for an option; the last one counts.
  func value(of option: String) -> String? {
    settings.last { $0.name == option }?.value
  }

  /// The files and folders that the outputs are; those after the first may have options.
  var outputFiles: [String] {
    let also = settings.filter { $0.name == "also" }.compactMap(\.value)
    return outputs.prefix(1)
      + (outputs.dropFirst() + also).map { AlsoOutput(argument: $0)?.wish.file ?? $0 }
  }

  /// The files that are made beside the outputs.
  var besides: [String] {
    let names: Set = ["report", "page", "speakers", "transcript-out", "stems"]
    return settings.filter { names.contains($0.name) }.compactMap(\.value).filter { $0 != "-" }
  }

  /// What is there of the outputs once they are made; a folder for HTTP Live Streaming is named
  /// by its playlist, as render names it.
  var made: [String] {
    outputFiles.map { path in
      let entry = Self.plain("\(path)/\(StreamFolder.entry)")
      return FileSystem.exists(entry) ? entry : path
    }
  }

  /// The folders of this machine that the outputs and what is made beside them lie in.
  var folders: Set<String> {
    Set(
      (outputFiles + besides).filter { !$0.contains("://") }
        .map { URL(fileURLWithPath: $0).deletingLastPathComponent().path })
  }

  /// `path` with one slash where several follow each other, which changes no file of this machine.
  static func plain(_ path: String) -> String {
    guard path.contains("//"), !path.contains("://") else { return path }
    var plain = path
    while plain.contains("//") { plain = plain.replacing("//", with: "/") }
    return plain
  }

  /// The name of a recording's file or folder, without its ending.
  static func name(of input: String) -> String {
    URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
  }

  /// `text` with this job's `{id}` and `{name}`.
  func filling(_ text: String) -> String {
    guard text.contains("{") else { return text }
    let name = inputs.first.map(Self.name) ?? id
    return text.replacing("{id}", with: fileName).replacing(
      "{name}", with: name.asFileName ?? fileName)
  }

  /// What files of its own are called, without their endings.
  var fileName: String { id.asFileName ?? "job-\(number + 1)" }
}
