/// A sentence for people that stores option names as values: `"give \(option: "jobs") a smaller
/// number."`
///
/// The command line and programs spell options differently (see ``commandLine`` and `description`).
package struct Message: Hashable, Sendable, Codable, ExpressibleByStringInterpolation {
  /// Literal texts, alternating with the names of options between them.
  private var parts: [String]

  /// Creates the message `text`, without options.
  package init(_ text: String) { parts = [text] }

  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The message with options as on the command line: `give --jobs a smaller number.`
  package var commandLine: String { text { "--\($0)" } }

  /// Applies `change` to the message's texts, but not to its option names.
  package func mapTexts(_ change: (String) -> String) -> Message {
    var mapped = self
    for index in stride(from: 0, to: parts.count, by: 2) {
      mapped.parts[index] = change(parts[index])
    }
    return mapped
  }

  /// Joins the parts; `spell` formats each option name.
  private func text(_ spell: (String) -> String) -> String {
    parts.enumerated().map { $0.isMultiple(of: 2) ? $1 : spell($1) }.joined()
  }

  package static func + (first: Message, second: Message) -> Message { "\(first)\(second)" }

  /// Collects the parts of a string literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts = [""]

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) { parts[parts.count - 1] += text }

    package mutating func appendInterpolation(_ value: some Any) { appendLiteral("\(value)") }

    /// Appends the parts of `message`, keeping its options as values.
    package mutating func appendInterpolation(_ message: Message) {
      appendLiteral(message.parts.first ?? "")
      parts += message.parts.dropFirst()
    }

    /// Appends the option `name`, as it is named in requests.
    package mutating func appendInterpolation(option name: String) { parts += [name, ""] }
  }
}

extension Message: CustomStringConvertible {
  /// The message with options as members of requests, for programs: `give "jobs" a smaller number.`
  package var description: String { text { "\"\($0)\"" } }
}

extension DefaultStringInterpolation {
  /// Deprecated to warn about an interpolation of a ``Message`` into a `String`, which would lose
  /// its options.
  @available(*, deprecated, message: "interpolate it into a Message, or take its commandLine")
  package mutating func appendInterpolation(_ message: Message) {
    appendInterpolation(message.description)
  }
}
