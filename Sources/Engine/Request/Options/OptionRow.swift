import TesseraDocuments

/// Why an option cannot have what it was given.
package struct OptionError: Error, Hashable, Sendable {
  /// The option, without dashes.
  package var option: String
  /// What is wrong with it: `takes 0 to 512 pixels.`
  package var reason: String

  /// The error that `option` is wrong for `reason`.
  package init(_ option: String, _ reason: String) { (self.option, self.reason) = (option, reason) }
}

extension OptionError: CustomStringConvertible {
  package var description: String { "\(option) \(reason)" }
}

/// How many values an option takes.
package enum OptionArity: Sendable {
  /// One.
  case one
  /// Several at once, up to the next option.
  case several
  /// One each time that it is given.
  case repeated
  /// None, or on and off.
  case flag
  /// The same, and it can be denied by its name with `no-` before it.
  case deniableFlag
}

/// How shells complete an option's value.
package enum OptionCompletion: Sendable {
  case none
  /// Files with these endings, or all.
  case file([String])
  case folder
  case list([String])
}

/// One option of a `Root`: its name, what it takes, its documentation, and how it is read and
/// written. Everything that knows options by name reads them from rows.
package struct OptionRow<Root: Sendable>: Sendable {
  /// The name without dashes, as in `max-tiles`.
  package let name: String
  /// What its value is called in help; nil takes the choices, or the name.
  package let valueName: String?
  /// One sentence of documentation.
  package let help: String
  /// How many values it takes.
  package let arity: OptionArity
  /// What a value has to be, for the sentence that refuses another one.
  package let expected: String?
  /// All values, where there are few.
  package let choices: [String]
  /// How shells complete a value.
  package let completion: OptionCompletion
  /// Whether a value may begin with a dash, as numbers do.
  package let takesDashes: Bool
  /// Gives `Root` the values that texts write, instead of those that it has.
  let take: @Sendable (inout Root, [String]) -> OptionError?
  /// The texts of what `Root` has; nil where nothing is said.
  let texts: @Sendable (Root) -> [String]?
  /// Gives the first one what the second one says, if anything.
  let copy: @Sendable (inout Root, Root) -> Void
  /// Replaces the files that it names.
  let mapFiles: @Sendable (inout Root, (String) -> String) -> Void
}

extension OptionRow {
  /// An option with one value.
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
        if let reason = check(value) { return OptionError(name, reason) }
        root[keyPath: path] = value
        return nil
      },
      texts: { root in root[keyPath: path].map { [$0.optionText] } },
      copy: { root, other in if let value = other[keyPath: path] { root[keyPath: path] = value } },
      mapFiles: { _, _ in })
  }

  /// An option with one value of an enumeration.
  static func choice<Value: OptionValue & CaseIterable>(
    _ name: String, _ path: any WritableKeyPath<Root, Value?> & Sendable, _ help: String
  ) -> OptionRow {
    let choices = Value.allCases.map(\.optionText)
    return one(name, path, help, choices: choices, completion: .list(choices))
  }

  /// `on` or `off`.
  static func toggle(
    _ name: String, _ path: any WritableKeyPath<Root, Bool?> & Sendable, _ help: String
  ) -> OptionRow {
    one(name, path, help, value: "on|off", choices: ["on", "off"])
  }

  /// An option that is given to say yes; `on` and `off` where it has a value.
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
      copy: { root, other in if let value = other[keyPath: path] { root[keyPath: path] = value } },
      mapFiles: { _, _ in })
  }

  /// An option with several values.
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
      copy: { root, other in if let values = other[keyPath: path] { root[keyPath: path] = values }
      },
      mapFiles: { _, _ in })
  }

  /// The option, which names a file.
  func naming<Value: FileOptionValue>(
    _ path: any WritableKeyPath<Root, Value?> & Sendable
  ) -> OptionRow {
    mapping { root, map in
      guard let file = root[keyPath: path]?.file else { return }
      root[keyPath: path]?.file = map(file)
    }
  }

  /// The option, whose values name files.
  func naming<Value: FileOptionValue>(
    _ path: any WritableKeyPath<Root, [Value]?> & Sendable
  ) -> OptionRow {
    mapping { root, map in
      guard var values = root[keyPath: path] else { return }
      for index in values.indices {
        if let file = values[index].file { values[index].file = map(file) }
      }
      root[keyPath: path] = values
    }
  }

  private func mapping(
    _ map: @escaping @Sendable (inout Root, (String) -> String) -> Void
  ) -> OptionRow {
    OptionRow(
      name: name, valueName: valueName, help: help, arity: arity, expected: expected,
      choices: choices, completion: completion, takesDashes: takesDashes, take: take, texts: texts,
      copy: copy, mapFiles: map)
  }

  /// The same option of a part of `Whole`.
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
