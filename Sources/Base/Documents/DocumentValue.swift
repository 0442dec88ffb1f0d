/// An untyped value read from JSON or YAML.
package enum DocumentValue: Hashable, Sendable {
  /// A null value, which equals an absent member.
  case null
  case bool(Bool)
  /// A number as it was written.
  case number(DecimalLiteral)
  case text(String)
  /// A list of values, in order.
  case list([DocumentValue])
  /// An object: named values in the order of the file.
  case object(Members)

  /// The members of an object, in the order of the file, with unique names.
  package struct Members: Hashable, Sendable {
    /// A named value.
    package struct Member: Hashable, Sendable {
      package var key: String
      package var value: DocumentValue
    }

    package private(set) var all: [Member] = []

    package init() {}

    /// The names, in order.
    package var keys: [String] { all.map(\.key) }

    /// Appends a member; `key` must not be in use.
    package mutating func append(_ key: String, _ value: DocumentValue) {
      all.append(Member(key: key, value: value))
    }

    /// The value of `key`; `nil` if it is absent or null.
    package subscript(key: String) -> DocumentValue? {
      guard let value = all.first(where: { $0.key == key })?.value, value != .null else {
        return nil
      }
      return value
    }
  }

  /// The deepest nesting of lists and objects that is accepted.
  package static let maximumDepth = 64
  /// The largest accepted size of JSON, in bytes.
  package static let maximumSize = 16 << 20
  /// The largest accepted size of YAML, in bytes; its parser needs a hundred times as much memory.
  package static let maximumYAMLSize = 2 << 20
  /// The largest accepted number of values in a file.
  package static let maximumCount = 2_000_000
}

extension DocumentValue {
  /// The text; `nil` for any other kind of value.
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The number; `nil` for any other kind of value.
  package var numeral: DecimalLiteral? { if case .number(let value) = self { value } else { nil } }
  /// The Boolean; `nil` for any other kind of value.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The values of a list; `nil` for any other kind of value.
  package var list: [DocumentValue]? { if case .list(let value) = self { value } else { nil } }
  /// The members of an object; `nil` for any other kind of value.
  package var object: Members? { if case .object(let value) = self { value } else { nil } }

  /// The member `key` of an object; `nil` if it is absent or null, or if the value is not an
  /// object.
  package subscript(key: String) -> DocumentValue? { object?[key] }

  /// The text, or a number as it was written, because identifiers are often numbers.
  package var identifier: String? { text ?? numeral?.text }
}
