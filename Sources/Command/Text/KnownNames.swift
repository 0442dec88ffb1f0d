import Foundation
import TesseraDelivery
import TesseraSystem

/// What people call the files of this machine that stand for places in buckets and at addresses.
enum KnownNames {
  private static let names = Monitor(PlaceNames())

  /// From now on, messages call the file at `path` by `name`.
  static func learn(_ path: String, name: String) { names.update { $0.add(path, name) } }

  /// From now on, messages call files as `other` does.
  static func learn(_ other: PlaceNames) {
    names.update { names in for name in other.names { names.add(name.path, name.name) } }
  }

  /// What people call the file at `path`; nil where that is its path.
  static func name(of path: String) -> String? { names.withLock { $0.name(of: path) } }

  /// `text` with the names that people know.
  static func known(_ text: String) -> String { names.withLock { $0.known(text) } }

  /// A JSON text with the names that people know.
  static func knownInJSON(_ text: String) -> String { names.withLock { $0.inJSON(text) } }

  /// `data`, a text, with the names that people know.
  static func known(_ data: Data) -> Data {
    names.withLock { names in
      names.names.isEmpty ? data : Data(names.known(String(decoding: data, as: UTF8.self)).utf8)
    }
  }
}
