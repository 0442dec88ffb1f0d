import Foundation
import TesseraRecordings

/// A call that is rendered as one of many.
struct BatchJob: Sendable {
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
  var settings: [BatchWords.Setting]

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
    outputs.prefix(1) + outputs.dropFirst().map { AlsoOutput(argument: $0)?.wish.file ?? $0 }
  }

  /// The files that are made beside the outputs.
  var besides: [String] { ["report", "page", "speakers"].compactMap(value).filter { $0 != "-" } }

  /// The name of a recording's file or folder, without its ending.
  static func name(of input: String) -> String {
    URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
  }

  /// `text` with this job's `{id}` and `{name}`.
  func filling(_ text: String) -> String {
    guard text.contains("{") else { return text }
    return text.replacing("{id}", with: id.replacing("/", with: "_"))
      .replacing("{name}", with: inputs.first.map(Self.name) ?? id)
  }
}
