import Foundation
import TesseraDocuments
import TesseraSystem

/// A session file that names recordings or images in buckets or at `https` addresses.
struct SessionAddresses {
  /// The addresses, each once, in their order.
  private(set) var addresses: [String] = []
  /// The paths, likewise.
  private(set) var paths: [String] = []
  private let document: Document
  private let folder: String

  /// The keys whose values are paths.
  private static let keys: Set = ["file", "avatar", "image"]

  /// nil where the file at `path` is something else, also where it names no address and is not
  /// wanted then.
  init?(_ path: String, isWantedWithout: Bool = false) {
    guard let syntax = Document.Syntax(fileName: path),
      let bytes = try? RegularFile.bytes(path, atMost: Document.maximumSize + 1),
      let document = try? Document(bytes, syntax, file: path),
      document.object?["participants"]?.list != nil, document.object?["version"]?.numeral != nil
    else { return nil }
    self.document = document
    folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var (found, paths): ([String], [String]) = ([], [])
    _ = Self.mapPaths(document) { text in
      if Self.isAddress(text) {
        if !found.contains(text) { found.append(text) }
      } else {
        paths.append(text)
      }
      return text
    }
    guard isWantedWithout || !found.isEmpty else { return nil }
    (addresses, self.paths) = (found, paths)
  }

  /// The first address or path that is not one of what lies below `prefix`, where the session itself
  /// lies; nil where all are.
  func outside(_ prefix: String) -> String? {
    addresses.first { !$0.hasPrefix(prefix) || $0.split(separator: "/").contains("..") }
      ?? paths.first { $0.hasPrefix("/") || $0.split(separator: "/").contains("..") }
  }

  private static func isAddress(_ text: String) -> Bool {
    ["s3://", "https://", "http://"].contains { text.lowercased().hasPrefix($0) }
  }

  /// The session with files instead of addresses, for whatever folder: as JSON.
  func json(_ files: [String: String]) -> String {
    Self.mapPaths(document) { text in
      files[text] ?? (text.hasPrefix("/") ? text : "\(folder)/\(text)")
    }.json(isIndented: true)
  }

  private static func mapPaths(_ value: Document, _ map: (String) -> String) -> Document {
    switch value {
    case .list(let items): return .list(items.map { mapPaths($0, map) })
    case .object(let members):
      var mapped = Document.Members()
      for member in members.all {
        if keys.contains(member.key), case .text(let text) = member.value {
          mapped.append(member.key, .text(map(text)))
        } else {
          mapped.append(member.key, mapPaths(member.value, map))
        }
      }
      return .object(mapped)
    default: return value
    }
  }
}
