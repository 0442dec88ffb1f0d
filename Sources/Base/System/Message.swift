/// A sentence for people that names options as values: `"give \(option: "jobs") a smaller number."`
/// Each reader sees them spelled its own way.
package struct Message: Hashable, Sendable, Codable, ExpressibleByStringInterpolation {
  /// Texts and, between each two of them, the name of an option.
  private var parts: [String]

  /// The message `text`, without options.
  package init(_ text: String) { parts = [text] }

  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The message for the command line: `give --jobs a smaller number.`
  package var commandLine: String { text { "--\($0)" } }

  /// The message with `change` applied to its texts, but not to its options.
  package func mapTexts(_ change: (String) -> String) -> Message {
    var mapped = self
    for index in stride(from: 0, to: parts.count, by: 2) {
      mapped.parts[index] = change(parts[index])
    }
    return mapped
  }

  private func text(_ spell: (String) -> String) -> String {
    parts.enumerated().map { $0.isMultiple(of: 2) ? $1 : spell($1) }.joined()
  }

  package static func + (first: Message, second: Message) -> Message { "\(first)\(second)" }

  /// Collects the parts of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts = [""]

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) { parts[parts.count - 1] += text }

    package mutating func appendInterpolation(_ value: some Any) { appendLiteral("\(value)") }

    /// Appends the parts of `message`.
    package mutating func appendInterpolation(_ message: Message) {
      appendLiteral(message.parts.first ?? "")
      parts += message.parts.dropFirst()
    }

    /// Appends the option `name`, as it is called in requests.
    package mutating func appendInterpolation(option name: String) { parts += [name, ""] }
  }
}

extension Message: CustomStringConvertible {
  /// The message for programs, which know options as members of requests: `give "jobs" a smaller number.`
  package var description: String { text { "\"\($0)\"" } }
}

extension DefaultStringInterpolation {
  /// Keeps the compiler from spelling a message for programs where a ``Message`` would do.
  @available(*, deprecated, message: "interpolate it into a Message, or take its commandLine")
  package mutating func appendInterpolation(_ message: Message) {
    appendInterpolation(message.description)
  }
}
