import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// An object of a manifest, with its key path for error messages. Unknown keys are ignored.
struct ManifestObject: Sendable {
  let document: DocumentValue
  let file: String
  let path: String

  init(_ document: DocumentValue, file: String, path: String = "") {
    self.document = document
    self.file = file
    self.path = path
  }

  init(_ manifest: ImporterInput.Manifest) { self.init(manifest.document, file: manifest.path) }

  /// Returns the path of a member, for messages.
  func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Returns the member `key` of any type; `.null` if it is missing.
  func member(_ key: String) -> ManifestObject {
    ManifestObject(document[key] ?? .null, file: file, path: name(key))
  }

  /// Returns the elements of the list `key`; empty if there is no such list.
  func list(_ key: String) -> [ManifestObject] { member(key).elements }

  /// The elements, if the value itself is a list.
  var elements: [ManifestObject] {
    (document.list ?? []).enumerated().map {
      ManifestObject($1, file: file, path: "\(path)[\($0)]")
    }
  }

  /// Returns the text of the member `key`; `nil` if it is missing or empty.
  func text(_ key: String) -> String? {
    guard let text = document[key]?.identifier, !text.isEmpty else { return nil }
    return text
  }

  /// Returns the text of the member `key`, which must not be missing or empty.
  func requiredText(_ key: String) throws(DocumentError) -> String {
    guard let text = text(key) else {
      throw document[key] == nil ? missing(key, "text") : error(key, "must be text")
    }
    return text
  }

  /// Returns the time of the member `key` in `unit`, as a number or as text; `nil` if it is
  /// missing.
  func time(_ key: String, _ unit: DecimalLiteral.TimeUnit) throws(DocumentError) -> MediaTime? {
    guard let value = document[key] else { return nil }
    guard let numeral = value.numeral ?? value.text.flatMap({ DecimalLiteral($0) }) else {
      throw error(key, "must be a number of \(unit)")
    }
    guard let time = numeral.time(unit), time.nanoseconds.magnitude < Self.bound else {
      throw error(key, "is a time too far away for a call: correct it")
    }
    return time
  }

  /// The largest time in nanoseconds. Twice this value still fits into a `MediaTime`.
  private static let bound: UInt64 = 4_000_000_000_000_000_000

  /// Returns the time of the member `key` in `unit`, which must not be missing.
  func requiredTime(
    _ key: String, _ unit: DecimalLiteral.TimeUnit
  ) throws(DocumentError) -> MediaTime {
    guard let time = try time(key, unit) else { throw missing(key, "a number of \(unit)") }
    return time
  }

  /// Returns the ISO 8601 date of the member `key`; `nil` if it is missing.
  func date(_ key: String) throws(DocumentError) -> MediaTime? {
    guard let value = document[key] else { return nil }
    guard let time = value.text.flatMap(WallClockFormat.parse) else {
      throw error(key, "must be a date and time such as 2025-10-09T08:53:20Z")
    }
    return time
  }

  /// Returns the error that the member `key` is missing; `expected` describes its value.
  func missing(_ key: String, _ expected: String) -> DocumentError {
    error(
      key,
      "is missing: add \(expected), or take the media files as they are with \(option: "format") files"
    )
  }

  /// Returns the error that the member `key` is wrong for `reason`.
  func error(_ key: String, _ reason: UserMessage) -> DocumentError {
    DocumentError(file: file, path: name(key), reason: reason)
  }
}
