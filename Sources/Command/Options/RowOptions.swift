import ArgumentParser
import Foundation
import TesseraRequest

// Commands declare only the names of their options. The request's option table
// (`RenderRequest.option`) decides the help, the kind of value and the meaning.

extension ArgumentHelp {
  fileprivate init(_ row: OptionRow<RenderRequest>) {
    let choices = row.choices.isEmpty ? nil : row.choices.joined(separator: "|")
    self.init("\(row.help)", valueName: row.valueName ?? choices)
  }
}

extension OptionRow<RenderRequest> {
  /// The row of the request's option table with this name, which must exist.
  fileprivate static func named(_ name: String) -> Self {
    guard let known = RenderRequest.option(name) else {
      preconditionFailure("there is no option \(name)")
    }
    return known.row
  }

  fileprivate var kind: CompletionKind? {
    switch completion {
    case .none: nil
    case .file(let endings): .file(extensions: endings)
    case .folder: .directory
    case .list(let words): .list(words)
    }
  }
}

extension Option where Value == String? {
  /// Declares the request's option `name`, which has one value.
  init(_ name: String) {
    let row = OptionRow<RenderRequest>.named(name)
    self.init(
      name: .customLong(name), parsing: row.takesDashes ? .unconditional : .next,
      help: ArgumentHelp(row), completion: row.kind)
  }
}

extension Option where Value == ClockOptionArgument? {
  /// Declares the request's option `name`; given without a value, the option means `value`.
  init(_ name: String, without value: ClockOptionArgument) {
    let row = OptionRow<RenderRequest>.named(name)
    self.init(
      name: .customLong(name), defaultAsFlag: value, parsing: .next, help: ArgumentHelp(row))
  }
}

extension Option where Value == [String] {
  /// Declares the request's option `name`, which takes several values or may be repeated.
  init(_ name: String) {
    let row = OptionRow<RenderRequest>.named(name)
    let parsing: ArrayParsingStrategy =
      row.arity == .several
      ? .upToNextOption : row.takesDashes ? .unconditionalSingleValue : .singleValue
    self.init(
      wrappedValue: [], name: .customLong(name), parsing: parsing, help: ArgumentHelp(row),
      completion: row.kind)
  }
}

extension Flag where Value == Bool {
  /// Declares the request's flag `name`.
  init(wrappedValue: Bool, _ name: String) {
    self.init(
      wrappedValue: wrappedValue, name: .customLong(name), help: ArgumentHelp(.named(name)))
  }
}

extension Flag where Value == Bool? {
  /// Declares the request's flag `name` and its opposite, `--no-name`. `nil` if neither is given.
  init(_ name: String) {
    self.init(
      name: .customLong(name), inversion: .prefixedNo, help: ArgumentHelp(.named(name)))
  }
}

/// The optional value of `--clock`. A word that is a path or an existing file is not a value but
/// the next input.
struct ClockOptionArgument: ExpressibleByArgument, CustomStringConvertible {
  let description: String

  init(_ text: String) { description = text }

  init?(argument: String) {
    guard !argument.hasPrefix("-"), !argument.contains("/"),
      !FileManager.default.fileExists(atPath: argument)
    else { return nil }
    description = argument
  }
}

// MARK: What was given

/// An option or a flag, as a command declares it with a property wrapper.
private protocol DeclaredOption {
  /// The option's values as texts: empty for a flag, `nil` if the option was not given.
  var texts: [String]? { get }
}

private protocol DeclaredGroup {
  static var type: any ParsableArguments.Type { get }
  var group: any ParsableArguments { get }
}

private protocol ArgumentValue {
  var texts: [String]? { get }
}

extension Optional: ArgumentValue where Wrapped: CustomStringConvertible {
  fileprivate var texts: [String]? {
    switch self {
    case nil: nil
    case let flag as Bool: [flag ? "on" : "off"]
    case let value?: [value.description]
    }
  }
}

extension Array: ArgumentValue where Element == String {
  fileprivate var texts: [String]? { isEmpty ? nil : self }
}

extension Bool: ArgumentValue {
  fileprivate var texts: [String]? { self ? [] : nil }
}

extension Option: DeclaredOption where Value: ArgumentValue {
  fileprivate var texts: [String]? { wrappedValue.texts }
}

extension Flag: DeclaredOption where Value: ArgumentValue {
  fileprivate var texts: [String]? { wrappedValue.texts }
}

extension OptionGroup: DeclaredGroup {
  fileprivate static var type: any ParsableArguments.Type { Value.self }
  fileprivate var group: any ParsableArguments { wrappedValue }
}

extension ParsableArguments {
  /// The names and values of the request's options on the command line, also of those in groups.
  var given: [(name: String, texts: [String])] {
    Mirror(reflecting: self).children.flatMap { child in
      if let group = child.value as? any DeclaredGroup { return group.group.given }
      guard let label = child.label, let option = child.value as? any DeclaredOption,
        let texts = option.texts
      else { return [] }
      let name = label.optionName
      return RenderRequest.option(name) == nil ? [] : [(name, texts)]
    }
  }

  /// The names of the request's options that this type declares, also of those in groups.
  static var declared: [String] {
    Mirror(reflecting: Self()).children.flatMap { child in
      if let group = child.value as? any DeclaredGroup { return type(of: group).type.declared }
      return [child.label?.optionName].compactMap(\.self).filter { RenderRequest.option($0) != nil }
    }
  }
}

/// A command or an option group whose options make a ``RenderRequest``.
protocol RenderRequestOptions: ParsableArguments {
  /// The request made from the options, set by `parse()`, so that each value is parsed only once.
  var parsed: RenderRequest? { get set }
}

extension RenderRequestOptions {
  mutating func validate() throws { try parse() }

  /// Parses all given options of a request into `parsed`.
  ///
  /// - Throws: `ValidationError` if a value is wrong or options exclude each other.
  mutating func parse() throws(ValidationError) {
    var request = RenderRequest([], to: [])
    do throws(OptionError) {
      for (name, texts) in given { try request.set(name, texts) }
      if let problem = request.problem { throw problem }
    } catch {
      throw ValidationError("--\(error)")
    }
    parsed = request
  }

  /// Returns the parsed request with these inputs and outputs.
  func request(of inputs: [String], to outputs: [OutputRequest] = []) -> RenderRequest {
    var request = parsed ?? RenderRequest([], to: [])
    (request.inputs, request.outputs) = (inputs, outputs)
    return request
  }

  /// The execution settings that were given.
  var execution: ExecutionOptions { parsed?.execution ?? ExecutionOptions() }
}

extension String {
  /// The option's name for a property's label: `_maxTiles` is `max-tiles`.
  fileprivate var optionName: String {
    drop { $0 == "_" }.reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }
}
