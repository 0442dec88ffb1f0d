package import TesseraDocuments
import TesseraMessages

/// An additional output of a call beside the main one, described by option names and values.
///
/// The type is in Recordings and not in Request, because Recordings is below Request and stores the
/// outputs that a session file asks for. The request's option table interprets the options.
package struct SessionOutput: Hashable, Sendable, Codable {
  /// An option that differs from the main output's.
  package struct Option: Hashable, Sendable, Codable {
    /// The option's name without dashes.
    package var name: String
    /// The option's values: one, or several for options that take a list.
    package var values: [String]

    package init(_ name: String, _ values: [String]) { (self.name, self.values) = (name, values) }
  }

  /// The path of the output file.
  package var file: String
  /// The options, in the order of the file that lists them.
  package var options: [Option]

  package init(_ file: String, _ options: [Option] = []) {
    (self.file, self.options) = (file, options)
  }

  /// The maximum number of outputs of a call.
  package static let maximumCount = 64
}

extension SessionOutput {
  /// Reads a file that lists outputs: a list of objects, or an object with such a list as
  /// `outputs`.
  ///
  /// - Throws: one sentence that names the wrong member.
  package static func list(
    from document: DocumentValue, file: String
  ) throws(DocumentError) -> [SessionOutput] {
    var object = document
    if document.list != nil {
      var members = DocumentValue.Members()
      members.append("outputs", document)
      object = .object(members)
    }
    var cursor = try DocumentMemberReader(object, file: file, kind: "a list of outputs")
    let outputs = try cursor.outputs("outputs")
    try cursor.finish()
    return try cursor.required(outputs, "outputs")
  }

  /// Takes the member `outputs` of an object; `nil` if it is missing.
  package static func list(
    takenFrom cursor: inout DocumentMemberReader
  ) throws(DocumentError) -> [SessionOutput]? { try cursor.outputs("outputs") }

  /// The output as an object: `file` and one member per option.
  package var document: DocumentValue {
    var members = DocumentValue.Members()
    members.append("file", .text(file))
    members.append(options)
    return .object(members)
  }
}

extension DocumentMemberReader {
  /// Takes a list of outputs without interpreting their options.
  mutating func outputs(_ key: String) throws(DocumentError) -> [SessionOutput]? {
    guard let cursors = try objects(key) else { return nil }
    guard cursors.count <= SessionOutput.maximumCount else {
      throw wrong(key, "has more than \(SessionOutput.maximumCount) outputs")
    }
    var outputs: [SessionOutput] = []
    for var cursor in cursors {
      let file = try cursor.text("file")
      var wish = SessionOutput(try cursor.required(file, "file"))
      wish.options = try cursor.options()
      outputs.append(wish)
    }
    return outputs
  }
}

extension DocumentMemberReader {
  /// Takes all remaining members as options without interpreting them.
  mutating func options() throws(DocumentError) -> [SessionOutput.Option] {
    var options: [SessionOutput.Option] = []
    for name in keys {
      guard let values = take(name)?.optionTexts else {
        throw invalid(name, "text, a number, true or false, or a list of these")
      }
      options.append(SessionOutput.Option(name, values))
    }
    return options
  }
}

extension DocumentValue.Members {
  /// Adds one member per option; several values become a list.
  mutating func append(_ options: [SessionOutput.Option]) {
    for option in options {
      let values = option.values.map(DocumentValue.text)
      append(option.name, values.count == 1 ? values[0] : .list(values))
    }
  }
}

extension DocumentValue {
  /// The option's values as a command line spells them; `nil` for an object.
  package var optionTexts: [String]? {
    if let bool { return [bool ? "on" : "off"] }
    if let identifier { return [identifier] }
    guard let list else { return nil }
    let values = list.map { $0.list == nil ? $0.optionTexts ?? [] : [] }
    return values.allSatisfy { $0.count == 1 } ? values.flatMap { $0 } : nil
  }
}
