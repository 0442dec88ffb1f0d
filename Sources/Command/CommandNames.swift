import ArgumentParser
import Foundation
import TesseraDocuments
import TesseraSystem

/// The word that says which command it is.
enum CommandNames {
  /// True if the command may fork workers; workers themselves and batches, which run other commands, do not. Reads the
  /// first word of the command line without copying any other, which may be a secret.
  static var haveWorkers: Bool {
    guard CommandLine.argc > 1, let word = unsafe CommandLine.unsafeArgv[1] else { return false }
    let name = unsafe String(cString: word)
    return !name.hasPrefix("-") && !["worker", "read", "batch", "help"].contains(name)
  }

  private static var names: [String] {
    Program.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .compactMap { $0.configuration.commandName }
  }

  private static var hidden: [String] {
    Program.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// Whether everything that is printed is to be JSON: the parser may not come so far as to say so.
  static func wantJSON(_ words: [String]) -> Bool {
    words.contains("--progress=json")
      || zip(words, words.dropFirst()).contains { $0 == "--progress" && $1 == "json" }
  }

  /// Refuses a first word that is not a command, before the parser looks at the options after it.
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
      "there is no command \"\(word)\": "
        + (hint ?? "the commands are \(names.joined(separator: ", ")).")
    )
  }
}
