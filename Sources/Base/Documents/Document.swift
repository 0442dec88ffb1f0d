/// A value read from JSON or YAML of which nothing is known yet.
package enum Document: Hashable, Sendable {
  /// Nothing, which says the same as a member that is not there.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as it was written.
  case number(Numeral)
  /// Text.
  case text(String)
  /// Values in their order.
  case list([Document])
  /// Values with names, in the order in which they were written.
  case object(Members)

  /// The members of an object, in their order. No name is there twice.
  package struct Members: Hashable, Sendable {
    /// A value and its name.
    package struct Member: Hashable, Sendable {
      /// Its name.
      package var key: String
      /// What it is.
      package var value: Document

      /// The member `key`.
      package init(_ key: String, _ value: Document) {
        self.key = key
        self.value = value
      }
    }

    /// All members.
    package private(set) var all: [Member] = []

    /// No members.
    package init() {}

    /// The names, in their order.
    package var keys: [String] { all.map(\.key) }

    /// Adds a member whose name is not there yet.
    package mutating func append(_ key: String, _ value: Document) {
      all.append(Member(key, value))
    }

    /// The value named `key`, unless it is null.
    package subscript(key: String) -> Document? {
      guard let value = all.first(where: { $0.key == key })?.value, value != .null else {
        return nil
      }
      return value
    }
  }

  /// The deepest nesting of lists and objects that is read.
  package static let maximumDepth = 64
  /// The most bytes that are read of JSON.
  package static let maximumSize = 16 << 20
  /// The most bytes that are read of YAML, whose reader needs a hundred times as many.
  package static let maximumYAMLSize = 2 << 20
  /// The most values that are read of one file.
  package static let maximumCount = 2_000_000
}

extension Document {
  /// The text, where it is text.
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The number, where it is one.
  package var numeral: Numeral? { if case .number(let value) = self { value } else { nil } }
  /// The truth, where it is `true` or `false`.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The values, where it is a list.
  package var list: [Document]? { if case .list(let value) = self { value } else { nil } }
  /// The members, where it is an object.
  package var object: Members? { if case .object(let value) = self { value } else { nil } }

  /// The member named `key`, where it is an object that has one.
  package subscript(key: String) -> Document? { object?[key] }

  /// Text, or a number as it was written: identifiers are often numbers.
  package var identifier: String? { text ?? numeral?.text }
}
