import TesseraMessages
import TesseraTimeline

extension DocumentValue {
  package enum Syntax: String, Sendable, CaseIterable {
    /// JSON according to RFC 8259.
    case json
    /// JSON with comments and trailing commas.
    case jsonc
    /// YAML 1.2 with its core schema: a single document without anchors and aliases.
    case yaml

    /// Chooses the syntax by a file's extension; `nil` for any other extension.
    package init?(fileName: String) {
      switch fileName.split(separator: ".").last?.lowercased() {
      case "json": self = .json
      case "jsonc": self = .jsonc
      case "yaml", "yml": self = .yaml
      default: return nil
      }
    }
  }

  /// Parses `bytes`, which must be UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - syntax: The syntax of the file.
  ///   - file: The name of the file for error messages.
  /// - Throws: ``DocumentError`` if the file violates `syntax`, has a duplicate key, or exceeds the
  ///   limits of size or depth.
  package init(_ bytes: [UInt8], _ syntax: Syntax, file: String) throws(DocumentError) {
    let bytes = Array(bytes.withoutByteOrderMark)
    // JSON is a subset of YAML, and its reader needs less memory.
    if syntax == .yaml, bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      bytes.count <= Self.maximumSize,
      let json = try? JSONReader.read(bytes, file: file, isLenient: false)
    {
      self = json
      return
    }
    let limit = syntax == .yaml ? Self.maximumYAMLSize : Self.maximumSize
    guard bytes.count <= limit else {
      throw DocumentError(
        file: file, reason: "it is larger than the limit of \(limit >> 20) MB")
    }
    switch syntax {
    case .json: self = try JSONReader.read(bytes, file: file, isLenient: false)
    case .jsonc: self = try JSONReader.read(bytes, file: file, isLenient: true)
    case .yaml: self = try YAMLReader.read(bytes, file: file)
    }
  }

  /// Parses `text` as ``init(_:_:file:)`` parses bytes.
  package init(_ text: String, _ syntax: Syntax, file: String) throws(DocumentError) {
    try self.init(Array(text.utf8), syntax, file: file)
  }
}
