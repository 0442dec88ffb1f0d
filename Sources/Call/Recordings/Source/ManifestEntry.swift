import TesseraDocuments
import TesseraTimeline

/// An object of a manifest of which only some keys are known, with the way to it for messages.
struct ManifestEntry: Sendable {
  let document: Document
  let file: String
  let path: String

  init(_ document: Document, file: String, path: String = "") {
    self.document = document
    self.file = file
    self.path = path
  }

  init(_ manifest: ImportFolder.Manifest) { self.init(manifest.document, file: manifest.path) }

  /// The path of a member, for messages.
  func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// The member `key`, whatever it is; empty where there is none.
  func member(_ key: String) -> ManifestEntry {
    ManifestEntry(document[key] ?? .null, file: file, path: name(key))
  }

  /// The members of the list `key`; none where there is no such list.
  func list(_ key: String) -> [ManifestEntry] { member(key).elements }

  /// The values, where it is a list itself.
  var elements: [ManifestEntry] {
    (document.list ?? []).enumerated().map {
      ManifestEntry($1, file: file, path: "\(path)[\($0)]")
    }
  }

  /// Text that is not empty.
  func text(_ key: String) -> String? {
    guard let text = document[key]?.identifier, !text.isEmpty else { return nil }
    return text
  }

  /// Text that has to be there.
  func requiredText(_ key: String) throws(DocumentError) -> String {
    guard let text = text(key) else {
      throw document[key] == nil ? missing(key, "text") : error(key, "must be text")
    }
    return text
  }

  /// A time in `unit`, as a number or as text with a number.
  func time(_ key: String, _ unit: Numeral.TimeUnit) throws(DocumentError) -> MediaTime? {
    guard let value = document[key] else { return nil }
    guard let numeral = value.numeral ?? value.text.flatMap({ Numeral($0) }) else {
      throw error(key, "must be a number of \(unit)")
    }
    guard let time = numeral.time(unit), time.nanoseconds.magnitude < Self.bound else {
      throw error(key, "is a time too far away for a call: correct it")
    }
    return time
  }

  /// Twice as much still fits into a time.
  private static let bound: UInt64 = 4_000_000_000_000_000_000

  /// A time that has to be there.
  func requiredTime(
    _ key: String, _ unit: Numeral.TimeUnit
  ) throws(DocumentError) -> MediaTime {
    guard let time = try time(key, unit) else { throw missing(key, "a number of \(unit)") }
    return time
  }

  /// A date and time in ISO 8601.
  func date(_ key: String) throws(DocumentError) -> MediaTime? {
    guard let value = document[key] else { return nil }
    guard let time = value.text.flatMap(WallTime.parse) else {
      throw error(key, "must be a date and time such as 2025-10-09T08:53:20Z")
    }
    return time
  }

  /// The error that there is no `key`, which has to be `expected`.
  func missing(_ key: String, _ expected: String) -> DocumentError {
    error(
      key,
      "is missing: add \(expected), or take the media files as they are with --format files")
  }

  /// The error that `reason` is wrong with `key`.
  func error(_ key: String, _ reason: String) -> DocumentError {
    DocumentError(file: file, path: name(key), reason: reason)
  }
}
