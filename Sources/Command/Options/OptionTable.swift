import ArgumentParser
import Foundation

/// The options of a command, as its own help knows them.
struct OptionTable {
  /// An option or a flag.
  struct Entry: Hashable, Sendable {
    /// Its long name, without dashes.
    var name: String
    /// Whether it has no value.
    var isFlag: Bool
    /// Whether it may be given several times.
    var isRepeating: Bool
    /// Whether all words up to the next option are its values.
    var takesMany: Bool
  }

  private var entries: [String: Entry] = [:]
  /// Long names by short ones.
  private var short: [String: String] = [:]

  /// The options of `command`.
  init(of command: any ParsableCommand.Type) {
    let text = Data(command._dumpHelp().utf8)
    let arguments = (try? JSONDecoder().decode(Dump.self, from: text))?.command.arguments ?? []
    for argument in arguments where argument.kind != "positional" {
      let names = argument.names ?? []
      guard let long = names.first(where: { $0.kind == "long" })?.name else { continue }
      entries[long] = Entry(
        name: long, isFlag: argument.kind == "flag", isRepeating: argument.isRepeating,
        takesMany: argument.parsingStrategy == "upToNextOption")
      for name in names where name.kind == "short" { short[name.name] = long }
    }
  }

  /// The option of that long name.
  subscript(name: String) -> Entry? { entries[name] }

  /// All long names.
  var names: [String] { entries.keys.sorted() }

  /// The option that a word of a command line names, `--size`, `--size=64x64` or `-o`, and the
  /// value in the word.
  func entry(of word: String) -> (entry: Entry, value: String?)? {
    guard word.hasPrefix("-"), word.count > 1 else { return nil }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].drop { $0 == "-" }
    let long = word.hasPrefix("--") ? String(name) : short[String(name)]
    guard let entry = long.flatMap({ entries[$0] }) else { return nil }
    return (entry, parts.count > 1 ? String(parts[1]) : nil)
  }

  private struct Dump: Decodable {
    var command: Command
    struct Command: Decodable { var arguments: [Argument]? }
    struct Argument: Decodable {
      var kind: String
      var names: [Name]?
      var isRepeating: Bool
      var parsingStrategy: String?
    }
    struct Name: Decodable { var kind, name: String }
  }
}
