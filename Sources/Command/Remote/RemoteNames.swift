import Foundation
import TesseraSystem

/// What a run on fetched files tells the process that fetched them, and the names that people know
/// them by.
struct RemoteNames: Codable {
  /// The variable with the path of the file that holds this.
  static let variable = "TESSERA_REMOTE"

  /// Folders and files of this machine, and what people call them; the longest ones first.
  var names: [Name] = []
  /// The file that gets the line about how it ended, where messages are JSON.
  var result: String

  /// A path and what it is called.
  struct Name: Codable {
    var path: String
    var name: String
  }

  /// Those of this process; nil where nothing was fetched for it.
  static let current: RemoteNames? = {
    guard let path = ProcessInfo.processInfo.environment[variable],
      let data = FileManager.default.contents(atPath: path)
    else { return nil }
    return try? JSONDecoder().decode(RemoteNames.self, from: data)
  }()

  /// `text` with the names that people know.
  static func known(_ text: String) -> String {
    guard let current else { return text }
    return current.names.reduce(text) { $0.replacing($1.path, with: $1.name) }
  }

  /// A JSON text with the names that people know.
  static func knownInJSON(_ text: String) -> String {
    guard let current else { return text }
    return current.names.reduce(text) { text, name in
      text.replacing(name.path, with: PlainJSON.text(name.name).dropFirst().dropLast())
    }
  }

  /// `data`, a text, with the names that people know.
  static func known(_ data: Data) -> Data {
    current == nil ? data : Data(known(String(decoding: data, as: UTF8.self)).utf8)
  }
}
