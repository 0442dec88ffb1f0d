/// A sentence for people that stores option names and the paths of files as values:
/// `"cannot open \(file: path); give \(option: "jobs") a smaller number."`
///
/// The command line and programs spell options differently (see ``commandLine`` and `description`).
/// A remote call shows the addresses of its files in place of paths (see ``named(_:)``).
package struct UserMessage: Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Part: Sendable, Codable {
    case text(String)
    case option(String)
    case file(String)
  }

  private var parts: [Part]

  /// Creates the message `text`, without options and files.
  package init(_ text: String) { parts = [.text(text)] }

  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The message with options as on the command line: `give --jobs a smaller number.`
  package var commandLine: String { text { "--\($0)" } }

  /// The paths in the message.
  package var files: [String] {
    parts.compactMap { if case .file(let path) = $0 { path } else { nil } }
  }

  /// Returns the message with the result of `name` in place of each path.
  package func named(_ name: (String) -> String) -> UserMessage {
    var named = self
    named.parts = parts.map { if case .file(let path) = $0 { .file(name(path)) } else { $0 } }
    return named
  }

  /// Joins the parts; `spell` formats each option name.
  private func text(_ spell: (String) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .option(let name): spell(name)
      case .file(let path): path
      }
    }.joined()
  }

  package static func + (first: UserMessage, second: UserMessage) -> UserMessage {
    var sum = first
    sum += second
    return sum
  }

  package static func += (first: inout UserMessage, second: UserMessage) {
    first.parts += second.parts
  }

  /// Collects the parts of a string literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) {
      if !text.isEmpty { parts.append(.text(text)) }
    }

    /// Appends `value`. A message and an error keep their options and files as values.
    package mutating func appendInterpolation(_ value: some Any) {
      switch value {
      case let message as UserMessage: parts += message.parts
      case let value as any MessageConvertible: parts += value.sentence.parts
      default: appendLiteral("\(value)")
      }
    }

    /// Appends the option `name`, as it is named in requests.
    package mutating func appendInterpolation(option name: String) { parts.append(.option(name)) }

    /// Appends the path of a file or folder.
    package mutating func appendInterpolation(file path: String) { parts.append(.file(path)) }
  }
}

/// A value that people read as a message, such as an error.
package protocol MessageConvertible {
  /// The value as a message.
  var sentence: UserMessage { get }
}

extension MessageConvertible where Self: CustomStringConvertible {
  /// The message as on the command line.
  package var description: String { sentence.commandLine }
}

extension UserMessage: Hashable {
  /// Compares the sentences of the command line, however they are divided into parts.
  package static func == (first: UserMessage, second: UserMessage) -> Bool {
    first.commandLine == second.commandLine
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(commandLine) }
}

extension UserMessage: Codable {
  /// The key of a coder's `userInfo` that is `true` for documents which Tessera itself reads: they
  /// keep options and files as values. In documents for people and programs a message is one text.
  package static let keepsParts: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "message-parts") else {
      preconditionFailure("any text is a key")
    }
    return key
  }()

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      parts = [.text(text)]
    } else {
      parts = try container.decode([Part].self)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if encoder.userInfo[Self.keepsParts] as? Bool == true {
      try container.encode(parts)
    } else {
      try container.encode(commandLine)
    }
  }
}

extension UserMessage: CustomStringConvertible {
  /// The message with options as members of requests, for programs: `give "jobs" a smaller number.`
  package var description: String { text { "\"\($0)\"" } }
}

extension Sequence<UserMessage> {
  /// Joins the messages, with `separator` between them.
  package func joined(separator: String) -> UserMessage {
    reduce(into: nil as UserMessage?) { joined, next in
      joined = joined.map { "\($0)\(separator)\(next)" } ?? next
    } ?? ""
  }
}

extension DefaultStringInterpolation {
  /// Deprecated to warn about an interpolation of a ``UserMessage`` into a `String`, which would
  /// lose its options and files.
  @available(*, deprecated, message: "interpolate it into a Message, or take its commandLine")
  package mutating func appendInterpolation(_ message: UserMessage) {
    appendInterpolation(message.description)
  }
}
