import TesseraDocuments
package import TesseraMessages

/// An error about an option's value.
package struct OptionError: Error, Hashable, Sendable {
  /// The option's name without dashes.
  package var option: String
  /// The predicate of the error sentence, such as `takes 0 to 512 pixels.`
  package var reason: UserMessage

  /// Creates an error about `option` with the predicate `reason`.
  package init(_ option: String, _ reason: UserMessage) {
    (self.option, self.reason) = (option, reason)
  }
}

extension OptionError: MessageConvertible, CustomStringConvertible {
  package var sentence: UserMessage { "\(option) \(reason)" }
}

/// The number of values that an option takes.
package enum OptionArity: Sendable {
  /// Exactly one value.
  case one
  /// Several values after the option's name, up to the next option.
  case several
  /// One value each time that the option is given; it may be repeated.
  case repeated
  /// No value on the command line; `on` or `off` in other places.
  case flag
  /// Like ``flag``, and `--no-NAME` turns the option off.
  case deniableFlag
}

/// The shell completion of an option's value.
package enum OptionCompletion: Sendable {
  case none
  /// Files with these extensions; an empty list allows all files.
  case file([String])
  case folder
  case list([String])
}

/// An option of `Root`: its name, its help, its valid values, and functions that read, write and
/// copy its value in a `Root`.
///
/// The command line, session files, batches, JSON and the documentation all use these rows.
package struct OptionRow<Root: Sendable>: Sendable {
  /// The name without dashes, such as `max-tiles`.
  package let name: String
  /// The placeholder of the value in help; `nil` for the choices, or else the name.
  package let valueName: String?
  /// The option's help: one sentence.
  package let help: String
  /// The number of values that the option takes.
  package let arity: OptionArity
  /// A description of valid values for error messages; `nil` for none.
  package let expected: String?
  /// All valid values if there are few; otherwise empty.
  package let choices: [String]
  /// The shell completion of a value.
  package let completion: OptionCompletion
  /// True if a value may start with a dash, as negative numbers do.
  package let takesDashes: Bool
  /// Replaces the option's values in `Root` by those that the texts describe. Returns an error if a
  /// text is invalid.
  let take: @Sendable (inout Root, [String]) -> OptionError?
  /// Returns the texts of the option's values, or `nil` if the option is not set.
  let texts: @Sendable (Root) -> [String]?
  /// Copies the option's values from the second `Root` to the first, unless they are not set.
  let copy: @Sendable (inout Root, Root) -> Void
  /// Replaces the paths of input files that the option names.
  var mapFiles: @Sendable (inout Root, (String) -> String) -> Void = { _, _ in }
}

extension OptionRow {
  /// Creates an option with one value.
  static func one<Value: OptionValue>(
    _ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable, _ help: String,
    value: String? = nil, expected: String? = nil, choices: [String] = [],
    completion: OptionCompletion = .none,
    check: @escaping @Sendable (Value) -> String? = { _ in nil }
  ) -> OptionRow {
    OptionRow(
      name: name, valueName: value, help: help, arity: .one, expected: expected, choices: choices,
      completion: completion, takesDashes: Value.mayBeginWithDash,
      take: { root, texts in
        guard let text = texts.last, texts.count == 1 else {
          return OptionError(name, "takes one value.")
        }
        guard let value = Value(option: text) else { return refusal(name, text, expected, choices) }
        if let reason = check(value) { return OptionError(name, "\(reason)") }
        root[keyPath: path] = value
        return nil
      },
      texts: { root in root[keyPath: path].map { [$0.optionText] } },
      copy: { root, other in if let value = other[keyPath: path] { root[keyPath: path] = value } })
  }

  /// Creates an option with one value of an enumeration.
  static func choice<Value: OptionValue & CaseIterable>(
    _ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable, _ help: String
  ) -> OptionRow {
    let choices = Value.allCases.map(\.optionText)
    return one(name, path, help, choices: choices, completion: .list(choices))
  }

  /// Creates an option with the value `on` or `off`.
  static func toggle(
    _ name: String, _ path: any WritableKeyPath<Root, Bool?> & Sendable, _ help: String
  ) -> OptionRow {
    one(name, path, help, value: "on|off", choices: ["on", "off"])
  }

  /// Creates a flag: given without a value it means true. `on` and `off` are accepted where a value
  /// is required.
  static func flag(
    _ name: String, _ path: any WritableKeyPath<Root, Bool?> & Sendable, _ help: String,
    isDeniable: Bool = false
  ) -> OptionRow {
    OptionRow(
      name: name, valueName: nil, help: help, arity: isDeniable ? .deniableFlag : .flag,
      expected: nil, choices: [],
      completion: .none, takesDashes: false,
      take: { root, texts in
        switch texts.first {
        case nil, "on", "true", "yes": root[keyPath: path] = true
        case "off", "false", "no": root[keyPath: path] = false
        default: return OptionError(name, "is true or false.")
        }
        return nil
      },
      texts: { root in root[keyPath: path].map { [$0.optionText] } },
      copy: { root, other in if let value = other[keyPath: path] { root[keyPath: path] = value } })
  }

  /// Creates an option with several values.
  static func many<Value: OptionValue>(
    _ name: String, _ path: any WritableKeyPath<Root, [Value]?> & Sendable, _ help: String,
    value: String? = nil, arity: OptionArity = .repeated, expected: String? = nil,
    completion: OptionCompletion = .none
  ) -> OptionRow {
    OptionRow(
      name: name, valueName: value, help: help, arity: arity, expected: expected, choices: [],
      completion: completion, takesDashes: Value.mayBeginWithDash,
      take: { root, texts in
        var values: [Value] = []
        for text in texts {
          guard let value = Value(option: text) else { return refusal(name, text, expected, []) }
          values.append(value)
        }
        root[keyPath: path] = values
        return nil
      },
      texts: { root in root[keyPath: path].map { $0.map(\.optionText) } },
      copy: { root, other in if let values = other[keyPath: path] { root[keyPath: path] = values } }
    )
  }

  /// Returns this option, marked as one that names an input file at `path`.
  func naming<Value: FileOptionValue>(
    _ path: any WritableKeyPath<Root, Value?> & Sendable
  ) -> OptionRow {
    var row = self
    row.mapFiles = { root, map in
      guard let file = root[keyPath: path]?.file else { return }
      root[keyPath: path]?.file = map(file)
    }
    return row
  }

  /// Returns this option, marked as one whose values name input files at `path`.
  func naming<Value: FileOptionValue>(
    _ path: any WritableKeyPath<Root, [Value]?> & Sendable
  ) -> OptionRow {
    var row = self
    row.mapFiles = { root, map in
      guard var values = root[keyPath: path] else { return }
      for index in values.indices {
        if let file = values[index].file { values[index].file = map(file) }
      }
      root[keyPath: path] = values
    }
    return row
  }

  /// Returns this option as an option of `Whole`, which contains `Root` at `path`.
  func lifted<Whole: Sendable>(
    _ path: any WritableKeyPath<Whole, Root> & Sendable
  ) -> OptionRow<Whole> {
    OptionRow<Whole>(
      name: name, valueName: valueName, help: help,
      arity: arity, expected: expected, choices: choices,
      completion: completion, takesDashes: takesDashes,
      take: { [take] whole, texts in take(&whole[keyPath: path], texts) },
      texts: { [texts] whole in texts(whole[keyPath: path]) },
      copy: { [copy] whole, other in copy(&whole[keyPath: path], other[keyPath: path]) },
      mapFiles: { [mapFiles] whole, map in mapFiles(&whole[keyPath: path], map) })
  }

  private static func refusal(
    _ name: String, _ text: String, _ expected: String?, _ choices: [String]
  ) -> OptionError {
    let advice =
      text.nearest(among: choices).map { ": did you mean \"\($0)\"?" } ?? expected.map {
        ": give \($0)."
      }
      ?? (choices.isEmpty ? "." : ": give one of \(choices.joined(separator: ", ")).")
    return OptionError(name, "cannot be \"\(text)\"\(advice)")
  }
}
