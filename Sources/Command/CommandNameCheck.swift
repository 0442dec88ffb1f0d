import ArgumentParser
import Foundation
import TesseraDocuments
import TesseraJobs
import TesseraMessages
import TesseraSystem

/// Checks of the command line's first word, before the argument parser runs.
enum CommandNameCheck {
  /// True if the command may fork workers. Batches, which start other commands, do not; of workers,
  /// only those of a batch do.
  ///
  /// Reads the first word of the command line without copying the others, which may be secrets.
  static var haveWorkers: Bool {
    guard CommandLine.argc > 1, let word = unsafe CommandLine.unsafeArgv[1] else { return false }
    let name = unsafe String(cString: word)
    if name == WorkerSetup.command { return ProcessorSlotClient.isShared }
    return !name.hasPrefix("-") && !["batch", "help"].contains(name)
  }

  private static var names: [String] {
    Program.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .compactMap { $0.configuration.commandName }
  }

  private static var hidden: [String] {
    Program.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// True if `words` ask for `--progress json`. Messages are JSON then, even if parsing fails.
  static func wantJSON(_ words: [String]) -> Bool {
    words.contains("--progress=json")
      || zip(words, words.dropFirst()).contains { $0 == "--progress" && $1 == "json" }
  }

  /// Rejects a first word that is not a command, before the parser sees the options after it.
  ///
  /// - Throws: A usage error with the nearest command, or with the command that renders a file.
  static func check(_ words: [String]) throws(RenderError) {
    let word = words.first == "help" ? words.dropFirst().first : words.first
    guard let word, !word.hasPrefix("-"), !(names + hidden).contains(word) else { return }
    if FileManager.default.fileExists(atPath: word) || word.contains(".") || word.contains("/") {
      throw RenderError(
        .usage,
        "\"\(word)\" is not a command: to render it, try \"tessera render \(word) -o call.mp4\".")
    }
    let hint = word.nearest(among: names).map { "did you mean \"tessera \($0)\"?" }
    throw RenderError(
      .usage,
      "unknown command \"\(word)\": "
        + "\(hint ?? "the commands are \(names.joined(separator: ", ")).")"
    )
  }
}
