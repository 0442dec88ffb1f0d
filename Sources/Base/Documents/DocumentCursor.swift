package import TesseraTimeline

/// An object whose members are taken one by one; what remains is refused by name.
package struct DocumentCursor: Sendable {
  /// What the file is called in messages.
  package let file: String
  /// What kind of file it is, for messages: `a layout file`.
  private let kind: String
  /// The way to this object, for messages.
  package let path: String
  private var members: [String: Document]
  private var order: [String]
  private var known: [String] = []

  /// The members of `document`, which must be an object.
  package init(_ document: Document, file: String, kind: String) throws(DocumentError) {
    guard let object = document.object else {
      throw DocumentError(file: file, reason: "it is not an object with keys")
    }
    self.init(object, file: file, kind: kind, path: "")
  }

  private init(_ object: Document.Members, file: String, kind: String, path: String) {
    (self.file, self.kind, self.path) = (file, kind, path)
    // A null member says the same as none.
    let present = object.all.filter { $0.value != .null }
    order = present.map(\.key)
    members = Dictionary(present.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// The keys that have not been taken, in the order in which they were written.
  package var keys: [String] { order.filter { members[$0] != nil } }

  /// The path of a member, for messages: `main.x_pos`.
  package func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Takes whatever is there.
  package mutating func take(_ key: String) -> Document? {
    known.append(key)
    return members.removeValue(forKey: key)
  }

  /// Takes whatever it is and does not look at it.
  package mutating func ignore(_ key: String) { _ = take(key) }

  /// Takes an object.
  package mutating func object(_ key: String) throws(DocumentError) -> DocumentCursor? {
    guard let value = take(key) else { return nil }
    return try cursor(value, path: name(key))
  }

  /// Takes a list of objects.
  package mutating func objects(_ key: String) throws(DocumentError) -> [DocumentCursor]? {
    guard let value = take(key) else { return nil }
    guard let list = value.list else { throw invalid(key, "a list") }
    var cursors: [DocumentCursor] = []
    for (index, value) in list.enumerated() {
      cursors.append(try cursor(value, path: "\(name(key))[\(index)]"))
    }
    return cursors
  }

  private func cursor(_ value: Document, path: String) throws(DocumentError) -> DocumentCursor {
    guard let object = value.object else {
      throw DocumentError(file: file, path: path, reason: "must be an object")
    }
    return DocumentCursor(object, file: file, kind: kind, path: path)
  }

  /// Takes text.
  package mutating func text(_ key: String) throws(DocumentError) -> String? {
    try value(key, "text", \.text)
  }

  /// Takes text, or a number as it was written.
  package mutating func identifier(_ key: String) throws(DocumentError) -> String? {
    try value(key, "text", \.identifier)
  }

  /// Takes `true` or `false`; `on` and `off` say the same.
  package mutating func bool(_ key: String) throws(DocumentError) -> Bool? {
    try value(key, "true or false") { value in
      switch value {
      case .bool(let value): value
      case .text("on"): true
      case .text("off"): false
      default: nil
      }
    }
  }

  /// Takes a whole number.
  package mutating func integer(
    _ key: String, in range: ClosedRange<Int>
  ) throws(DocumentError) -> Int? {
    try value(key, Self.wholeNumber(range)) { Self.integer($0, in: range) }
  }

  /// Takes a number.
  package mutating func number(
    _ key: String, in range: ClosedRange<Double>
  ) throws(DocumentError) -> Double? {
    let expected =
      "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
    return try value(key, expected) { value in
      value.numeral.map(\.double).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Takes a time: seconds as a number, or text such as `1:02.5`.
  package mutating func time(_ key: String) throws(DocumentError) -> MediaTime? {
    try value(key, "a time: seconds, or text such as \"1:02.5\"") { value in
      switch value {
      case .number(let numeral): numeral.time(.seconds)
      case .text(let text): MediaTime(text)
      default: nil
      }
    }
  }

  /// Takes a list of texts.
  package mutating func texts(_ key: String) throws(DocumentError) -> [String]? {
    try value(key, "a list of texts") { Self.all($0.list, \.text) }
  }

  /// Takes a list of whole numbers.
  package mutating func integers(
    _ key: String, in range: ClosedRange<Int>
  ) throws(DocumentError) -> [Int]? {
    try value(key, "a list of whole numbers from \(range.lowerBound) to \(range.upperBound)") {
      Self.all($0.list) { Self.integer($0, in: range) }
    }
  }

  /// Takes one of the cases of an enumeration.
  package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ key: String, of type: Choice.Type = Choice.self
  ) throws(DocumentError) -> Choice? {
    guard let value = take(key) else { return nil }
    guard let choice = value.text.flatMap(Choice.init(rawValue:)) else {
      let names = Choice.allCases.map(\.rawValue)
      let hint = value.text?.nearest(among: names).map { ": did you mean \"\($0)\"?" } ?? ""
      throw invalid(key, "one of \(names.joined(separator: ", "))\(hint)")
    }
    return choice
  }

  /// What a member must be that cannot be missing.
  package func required<Value>(_ value: Value?, _ key: String) throws(DocumentError) -> Value {
    guard let value else {
      throw DocumentError(file: file, path: name(key), reason: missing(key))
    }
    return value
  }

  /// What to do about the missing member `key`: a key that no one knows may be meant for it.
  private func missing(_ key: String) -> String {
    let written = keys.filter { !known.contains($0) }
    guard let mistyped = key.nearest(among: written) else {
      return "is missing: add \"\(key): …\" there"
    }
    return "is missing: is \"\(mistyped.shortened)\" meant for it?"
  }

  /// Refuses what no one took.
  package func finish() throws(DocumentError) {
    guard let first = keys.first else { return }
    let hint =
      first.nearest(among: known).map { "did you mean \"\($0)\"?" }
      ?? "the keys are \(known.joined(separator: ", "))"
    throw DocumentError(
      file: file, path: name(first.shortened), reason: "is not a key of \(kind): \(hint)")
  }

  /// The error that the member should be `expected`.
  package func invalid(_ key: String, _ expected: String) -> DocumentError {
    DocumentError(file: file, path: name(key), reason: "must be \(expected)")
  }
}

extension DocumentCursor {
  private mutating func value<Value>(
    _ key: String, _ expected: String, _ read: (Document) -> Value?
  ) throws(DocumentError) -> Value? {
    guard let member = take(key) else { return nil }
    guard let value = read(member) else { throw invalid(key, expected) }
    return value
  }

  private static func integer(_ value: Document, in range: ClosedRange<Int>) -> Int? {
    value.numeral?.integer.flatMap { range.contains($0) ? $0 : nil }
  }

  private static func all<Value>(
    _ list: [Document]?, _ read: (Document) -> Value?
  ) -> [Value]? {
    let values = list?.compactMap(read)
    return values?.count == list?.count ? values : nil
  }

  private static func wholeNumber(_ range: ClosedRange<Int>) -> String {
    "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }

  private static func short(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e15
      ? "\(Int(saturating: number))" : "\(number)"
  }
}
