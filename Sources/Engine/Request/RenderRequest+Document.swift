package import TesseraDocuments
import TesseraLettering
import TesseraMessages
import TesseraRecordings
package import TesseraSystem

extension RenderRequest {
  /// Reads a request: an object with `version`, `inputs`, `outputs` and any options of a render by
  /// their names.
  ///
  /// - Throws: ``DocumentError`` with one sentence that names `file` and the invalid key.
  package init(_ document: DocumentValue, file: String) throws(DocumentError) {
    var cursor = try DocumentMemberReader(document, file: file, kind: "a request")
    let version = cursor.take("version")
    guard version?.numeral?.integer == Self.version else {
      throw DocumentError(
        file: file, path: "version",
        reason: version == nil
          ? "is missing: begin with \"version\": \(Self.version)"
          : "must be \(Self.version), the supported version")
    }
    let inputs = try cursor.texts("inputs")
    self.init(try cursor.required(inputs, "inputs"), to: [])
    let wishes = try SessionOutput.list(takenFrom: &cursor)
    for (index, wish) in try cursor.required(wishes, "outputs").enumerated() {
      do throws(RenderError) {
        outputs.append(try OutputRequest(wish))
      } catch {
        throw DocumentError(
          file: file, path: "outputs[\(index)]", reason: "is wrong: \(error)")
      }
    }
    for name in cursor.keys where Self.option(name) != nil {
      guard let texts = cursor.take(name)?.optionTexts else {
        throw cursor.invalid(name, "text, a number, true or false, or a list of these")
      }
      do throws(OptionError) {
        try set(name, texts)
      } catch {
        let reason = error.reason.commandLine
        throw DocumentError(
          file: file, path: name,
          reason: UserMessage(reason.hasSuffix(".") ? String(reason.dropLast()) : reason))
      }
    }
    for name in Self.optionNames { _ = cursor.take(name) }
    try cursor.finish()
  }

  /// Returns the request as a document that ``init(_:file:)`` reads.
  ///
  /// - Throws: ``RenderError`` if the request contains a value without a text form, such as a
  ///   layout policy of the program.
  package func document() throws(RenderError) -> DocumentValue {
    try requireText()
    var members = DocumentValue.Members()
    members.append("version", .number(DecimalLiteral(Self.version)))
    members.append("inputs", .list(inputs.map(DocumentValue.text)))
    members.append("outputs", .list(outputs.map(\.document)))
    for (row, texts) in givenOptions { members.append(row.name, DocumentValue(texts, of: row)) }
    return .object(members)
  }

  /// Throws if the request contains a layout policy or theme that only this process has.
  private func requireText() throws(RenderError) {
    for options in [outputDefaults] + outputs.map(\.options) {
      if case .policy = options.layout {
        throw RenderError(
          .usage,
          "a layout policy of the program's own cannot be given to other processes: render with "
            + "threads, or name a layout.")
      }
      if case .theme(let theme) = options.theme, Theme.named(theme.name) != theme {
        throw RenderError(
          .usage,
          "a theme of the program's own cannot be given to other processes: render with threads, or "
            + "name a theme or its file.")
      }
    }
  }
}

extension RenderRequest: Codable {
  /// Decodes a request written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let document = try decoder.singleValueContainer().decode(DocumentValue.self)
    try self.init(document, file: "the request")
  }

  /// Encodes the request as an object with `version`, `inputs`, `outputs` and all options that are
  /// set, by their names.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(try document())
  }
}
