import TesseraMessages
package import TesseraTimeline

/// A reader of an object that takes members one by one.
///
/// Each function for a type of member throws ``DocumentError`` if the member has another type.
/// ``finish()`` rejects the members that were not taken, by name.
package struct DocumentMemberReader: Sendable {
  /// The name of the file for error messages.
  package let file: String
  /// The kind of file for error messages, such as `a layout file`.
  private let kind: String
  /// The path of the object for error messages; empty at the top.
  package let path: String
  /// The members that were not taken yet.
  private var members: [String: DocumentValue]
  /// The keys in the order of the file.
  private var order: [String]
  /// The keys that callers looked up, present or absent: the spelling suggestions for unknown keys.
  private var known: [String] = []

  /// Creates a reader of the members of `document`; throws ``DocumentError`` if it is not an
  /// object.
  package init(_ document: DocumentValue, file: String, kind: String) throws(DocumentError) {
    guard let object = document.object else {
      throw DocumentError(file: file, reason: "it is not an object with keys")
    }
    self.init(object, file: file, kind: kind, path: "")
  }

  private init(_ object: DocumentValue.Members, file: String, kind: String, path: String) {
    (self.file, self.kind, self.path) = (file, kind, path)
    // A null member equals an absent one.
    let present = object.all.filter { $0.value != .null }
    order = present.map(\.key)
    members = Dictionary(present.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// The keys that were not taken yet, in the order of the file.
  package var keys: [String] { order.filter { members[$0] != nil } }

  /// Returns the path of a member for error messages, such as `main.x_pos`.
  package func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Takes a member of any kind; `nil` if it is absent.
  package mutating func take(_ key: String) -> DocumentValue? {
    known.append(key)
    return members.removeValue(forKey: key)
  }

  /// Takes a member of any kind and drops it.
  package mutating func ignore(_ key: String) { _ = take(key) }

  /// Takes an object; `nil` if it is absent.
  package mutating func object(_ key: String) throws(DocumentError) -> DocumentMemberReader? {
    guard let value = take(key) else { return nil }
    return try cursor(value, path: name(key))
  }

  /// Takes a list of objects; `nil` if it is absent.
  package mutating func objects(_ key: String) throws(DocumentError) -> [DocumentMemberReader]? {
    guard let value = take(key) else { return nil }
    guard let list = value.list else { throw invalid(key, "a list") }
    var cursors: [DocumentMemberReader] = []
    for (index, value) in list.enumerated() {
      cursors.append(try cursor(value, path: "\(name(key))[\(index)]"))
    }
    return cursors
  }

  private func cursor(_ value: DocumentValue, path: String) throws(DocumentError)
    -> DocumentMemberReader
  {
    guard let object = value.object else {
      throw DocumentError(file: file, path: path, reason: "must be an object")
    }
    return DocumentMemberReader(object, file: file, kind: kind, path: path)
  }

  /// Takes text; `nil` if it is absent.
  package mutating func text(_ key: String) throws(DocumentError) -> String? {
    try value(key, "text", \.text)
  }

  /// Takes text, or a number as it was written; `nil` if it is absent.
  package mutating func identifier(_ key: String) throws(DocumentError) -> String? {
    try value(key, "text", \.identifier)
  }

  /// Takes `true` or `false`, or the texts `on` or `off`; `nil` if it is absent.
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

  /// Takes an integer in `range`; `nil` if it is absent.
  package mutating func integer(
    _ key: String, in range: ClosedRange<Int>
  ) throws(DocumentError) -> Int? {
    try value(key, Self.wholeNumber(range)) { Self.integer($0, in: range) }
  }

  /// Takes a number in `range`; `nil` if it is absent.
  package mutating func number(
    _ key: String, in range: ClosedRange<Double>
  ) throws(DocumentError) -> Double? {
    let expected =
      "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))"
    return try value(key, expected) { value in
      value.numeral.map(\.double).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Takes a time: seconds as a number, or text such as `1:02.5`; `nil` if it is absent.
  package mutating func time(_ key: String) throws(DocumentError) -> MediaTime? {
    try value(key, "a time: seconds, or text such as \"1:02.5\"") { value in
      switch value {
      case .number(let numeral): numeral.time(.seconds)
      case .text(let text): MediaTime(text)
      default: nil
      }
    }
  }

  /// Takes a list of texts; `nil` if it is absent.
  package mutating func texts(_ key: String) throws(DocumentError) -> [String]? {
    try value(key, "a list of texts") { Self.all($0.list, \.text) }
  }

  /// Takes a list of integers in `range`; `nil` if it is absent.
  package mutating func integers(
    _ key: String, in range: ClosedRange<Int>
  ) throws(DocumentError) -> [Int]? {
    try value(key, "a list of whole numbers from \(range.lowerBound) to \(range.upperBound)") {
      Self.all($0.list) { Self.integer($0, in: range) }
    }
  }

  /// Takes the raw value of an enumeration's case; `nil` if it is absent.
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

  /// Returns `value`, or throws if the required member `key` is missing.
  package func required<Value>(_ value: Value?, _ key: String) throws(DocumentError) -> Value {
    guard let value else {
      throw DocumentError(file: file, path: name(key), reason: missing(key))
    }
    return value
  }

  /// Returns the reason for the missing member `key`, with an unknown key that may be a misspelling
  /// of it.
  private func missing(_ key: String) -> UserMessage {
    let written = keys.filter { !known.contains($0) }
    guard let mistyped = key.nearest(among: written) else {
      return "is missing: add \"\(key): …\" there"
    }
    return "is missing: is \"\(mistyped.shortened)\" meant for it?"
  }

  /// Rejects the first member that was not taken, with the likeliest intended key.
  package func finish() throws(DocumentError) {
    guard let first = keys.first else { return }
    let hint =
      first.nearest(among: known).map { "did you mean \"\($0)\"?" }
      ?? "the keys are \(known.joined(separator: ", "))"
    throw DocumentError(
      file: file, path: name(first.shortened), reason: "is not a key of \(kind): \(hint)")
  }

  /// Returns the error that member `key` must be `expected`.
  package func invalid(_ key: String, _ expected: String) -> DocumentError {
    DocumentError(file: file, path: name(key), reason: "must be \(expected)")
  }
}

extension DocumentMemberReader {
  /// Takes a member and converts it with `read`; throws that it must be `expected` if that fails.
  private mutating func value<Value>(
    _ key: String, _ expected: String, _ read: (DocumentValue) -> Value?
  ) throws(DocumentError) -> Value? {
    guard let member = take(key) else { return nil }
    guard let value = read(member) else { throw invalid(key, expected) }
    return value
  }

  private static func integer(_ value: DocumentValue, in range: ClosedRange<Int>) -> Int? {
    value.numeral?.integer.flatMap { range.contains($0) ? $0 : nil }
  }

  private static func all<Value>(
    _ list: [DocumentValue]?, _ read: (DocumentValue) -> Value?
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
