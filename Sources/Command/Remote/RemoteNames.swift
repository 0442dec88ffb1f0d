import Foundation
import SystemPackage
import TesseraDelivery
import TesseraSystem

/// What a run on fetched files tells the process that fetched them, and the names that people know
/// them by.
struct RemoteNames: Codable {
  /// The variable with the path of the file that holds this.
  static let variable = "TESSERA_REMOTE"

  /// Folders and files of this machine, and what people call them.
  var names = PlaceNames()
  /// The file that gets the line about how it ended, where messages are JSON; nil in the process
  /// that has fetched.
  var result: String?

  /// Whether another process has fetched what this one runs on.
  static var areGiven: Bool { current.withLock { $0?.result } != nil }

  /// Those of this process; nil where nothing was fetched for it.
  private static let current = Monitor(given)

  private static var given: RemoteNames? {
    guard let path = ProcessInfo.processInfo.environment[variable],
      let data = FileManager.default.contents(atPath: path)
    else { return nil }
    return try? JSONDecoder().decode(RemoteNames.self, from: data)
  }

  /// Where the line about how it ended goes instead of to standard error; nil for there.
  static var resultPath: String? { current.withLock { $0?.result } }

  /// What people call the fetched file at `path`; nil where it was not fetched.
  static func name(of path: String) -> String? { current.withLock { $0 }?.names.name(of: path) }

  /// From now on, messages call the file at `path` by `name`.
  static func learn(_ path: String, name: String) {
    current.withLock { current in
      var names = current ?? RemoteNames()
      names.names.add(path, name)
      current = names
    }
  }

  /// `text` with the names that people know.
  static func known(_ text: String) -> String {
    current.withLock { $0 }?.names.known(text) ?? text
  }

  /// A JSON text with the names that people know.
  static func knownInJSON(_ text: String) -> String {
    current.withLock { $0 }?.names.inJSON(text) ?? text
  }

  /// `data`, a text, with the names that people know.
  static func known(_ data: Data) -> Data {
    current.withLock { $0 } == nil
      ? data : Data(known(String(decoding: data, as: UTF8.self)).utf8)
  }
}
