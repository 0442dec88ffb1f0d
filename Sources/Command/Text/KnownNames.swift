import Foundation
import TesseraDelivery
import TesseraSystem

/// The process-wide table of display names: local files that stand in for remote ones are shown by
/// their addresses.
enum KnownNames {
  private static let names = Monitor(PlaceNames())

  /// Shows the file at `path` as `name` in all later messages.
  static func learn(_ path: String, name: String) { names.update { $0.add(path, name) } }

  /// Adds the display names of `other`.
  static func learn(_ other: PlaceNames) {
    names.update { names in for name in other.names { names.add(name.path, name.name) } }
  }

  /// Returns the display name of the file at `path`; `nil` if it has none.
  static func name(of path: String) -> String? { names.withLock { $0.name(of: path) } }

  /// Returns `text` with paths replaced by display names.
  static func known(_ text: String) -> String { names.withLock { $0.known(text) } }

  /// Returns the JSON `text` with paths replaced by display names.
  static func knownInJSON(_ text: String) -> String { names.withLock { $0.inJSON(text) } }

  /// Returns the UTF-8 text `data` with paths replaced by display names.
  static func known(_ data: Data) -> Data {
    names.withLock { names in
      names.names.isEmpty ? data : Data(names.known(String(decoding: data, as: UTF8.self)).utf8)
    }
  }
}
