package import TesseraDocuments

/// Something else that is to be made of a call beside the main output, by the names of options.
package struct OutputWish: Hashable, Sendable, Codable {
  /// What is asked for differently.
  package struct Option: Hashable, Sendable, Codable {
    /// The option, without its dashes.
    package var name: String
    /// Its values; one, but for options that take several.
    package var values: [String]

    /// `name` with `values`.
    package init(_ name: String, _ values: [String]) { (self.name, self.values) = (name, values) }
  }

  /// The file.
  package var file: String
  /// The options, in their order.
  package var options: [Option]

  /// The file `file`, made with `options`.
  package init(_ file: String, _ options: [Option] = []) {
    (self.file, self.options) = (file, options)
  }

  /// The most outputs of a call.
  package static let maximumCount = 64
}

extension OutputWish {
  /// Reads a file that lists outputs: a list of objects, or an object with such a list as `outputs`.
  ///
  /// - Throws: one sentence that names what is wrong.
  package static func list(
    from document: Document, file: String
  ) throws(DocumentError) -> [OutputWish] {
    var object = document
    if document.list != nil {
      var members = Document.Members()
      members.append("outputs", document)
      object = .object(members)
    }
    var cursor = try DocumentCursor(object, file: file, kind: "a list of outputs")
    let outputs = try cursor.outputs("outputs")
    try cursor.finish()
    return try cursor.required(outputs, "outputs")
  }

  /// Takes the list of outputs of an object.
  package static func list(
    takenFrom cursor: inout DocumentCursor
  ) throws(DocumentError) -> [OutputWish]? { try cursor.outputs("outputs") }

  /// The object that says it.
  package var document: Document {
    var members = Document.Members()
    members.append("file", .text(file))
    members.append(options)
    return .object(members)
  }
}

extension DocumentCursor {
  /// Takes a list of outputs; what their options mean is not asked.
  mutating func outputs(_ key: String) throws(DocumentError) -> [OutputWish]? {
    guard let cursors = try objects(key) else { return nil }
    guard cursors.count <= OutputWish.maximumCount else {
      throw wrong(key, "has more than \(OutputWish.maximumCount) outputs")
    }
    var outputs: [OutputWish] = []
    for var cursor in cursors {
      let file = try cursor.text("file")
      var wish = OutputWish(try cursor.required(file, "file"))
      wish.options = try cursor.options()
      outputs.append(wish)
    }
    return outputs
  }
}

extension DocumentCursor {
  /// Takes all other members as options; what they mean is not asked.
  mutating func options() throws(DocumentError) -> [OutputWish.Option] {
    var options: [OutputWish.Option] = []
    for name in keys {
      guard let values = take(name)?.optionTexts else {
        throw invalid(name, "text, a number, true or false, or a list of these")
      }
      options.append(OutputWish.Option(name, values))
    }
    return options
  }
}

extension Document.Members {
  /// Adds options.
  mutating func append(_ options: [OutputWish.Option]) {
    for option in options {
      let values = option.values.map(Document.text)
      append(option.name, values.count == 1 ? values[0] : .list(values))
    }
  }
}

extension Document {
  /// The texts of an option's values, as they are written on a command line; nil for an object.
  package var optionTexts: [String]? {
    if let bool { return [bool ? "on" : "off"] }
    if let identifier { return [identifier] }
    guard let list else { return nil }
    let values = list.map { $0.list == nil ? $0.optionTexts ?? [] : [] }
    return values.allSatisfy { $0.count == 1 } ? values.flatMap { $0 } : nil
  }
}
