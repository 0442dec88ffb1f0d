import TesseraTimeline

extension Document {
  /// The ways in which documents are written.
  package enum Syntax: String, Sendable, CaseIterable {
    /// JSON as RFC 8259 has it.
    case json
    /// JSON with comments and with commas after the last member.
    case jsonc
    /// YAML 1.2 with its core schema: one document, no anchors and aliases.
    case yaml

    /// The syntax that a file's extension says; nil where it says none of them.
    package init?(fileName: String) {
      switch fileName.split(separator: ".").last?.lowercased() {
      case "json": self = .json
      case "jsonc": self = .jsonc
      case "yaml", "yml": self = .yaml
      default: return nil
      }
    }
  }

  /// Reads `bytes`, which must be UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - syntax: how it is written.
  ///   - file: what the file is called in messages.
  /// - Throws: where it is not what `syntax` says, has a key twice, or is larger or deeper than
  ///   what is read.
  package init(_ bytes: [UInt8], _ syntax: Syntax, file: String) throws(DocumentError) {
    let bytes = Array(bytes.withoutByteOrderMark)
    // JSON is YAML, and its reader needs less.
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
        file: file, reason: "it is larger than \(limit >> 20) MB, which is the most that is read")
    }
    switch syntax {
    case .json: self = try JSONReader.read(bytes, file: file, isLenient: false)
    case .jsonc: self = try JSONReader.read(bytes, file: file, isLenient: true)
    case .yaml: self = try YAMLReader.read(bytes, file: file)
    }
  }

  /// Reads `text`, as ``init(_:_:file:)`` reads bytes.
  package init(_ text: String, _ syntax: Syntax, file: String) throws(DocumentError) {
    try self.init(Array(text.utf8), syntax, file: file)
  }
}
