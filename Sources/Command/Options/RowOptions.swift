import ArgumentParser
import Foundation
import TesseraRequest

// Commands declare which options they have; what an option is called, takes and means stands in
// the request's table.

extension ArgumentHelp {
  fileprivate init(_ row: OptionRow<RenderRequest>) {
    let choices = row.choices.isEmpty ? nil : row.choices.joined(separator: "|")
    self.init("\(row.help)", valueName: row.valueName ?? choices)
  }
}

extension OptionRow<RenderRequest> {
  /// The option of that name.
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
  /// The option of the request that is called `name`.
  init(_ name: String) {
    let row = OptionRow<RenderRequest>.named(name)
    self.init(
      name: .customLong(name), parsing: row.takesDashes ? .unconditional : .next,
      help: ArgumentHelp(row), completion: row.kind)
  }
}

extension Option where Value == ClockWord? {
  /// The option of the request that is called `name`, which may be without a value.
  init(_ name: String, without value: ClockWord) {
    let row = OptionRow<RenderRequest>.named(name)
    self.init(
      name: .customLong(name), defaultAsFlag: value, parsing: .next, help: ArgumentHelp(row))
  }
}

extension Option where Value == [String] {
  /// The option of the request that is called `name`, which has several values.
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
  /// The flag of the request that is called `name`.
  init(wrappedValue: Bool, _ name: String) {
    self.init(
      wrappedValue: wrappedValue, name: .customLong(name), help: ArgumentHelp(.named(name)))
  }
}

extension Flag where Value == Bool? {
  /// The flag of the request that is called `name`, and its opposite.
  init(_ name: String) {
    self.init(
      name: .customLong(name), inversion: .prefixedNo, help: ArgumentHelp(.named(name)))
  }
}

/// What `--clock` has for a value. Without one, a file may follow, which is an input.
struct ClockWord: ExpressibleByArgument, CustomStringConvertible {
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

/// An option, a flag or a group of them, as a command declares them.
private protocol DeclaredOption {
  /// The texts of its values; nil where it was not given.
  var texts: [String]? { get }
}

private protocol DeclaredGroup {
  static var type: any ParsableArguments.Type { get }
  var group: any ParsableArguments { get }
}

private protocol GivenValue {
  var texts: [String]? { get }
}

extension Optional: GivenValue where Wrapped: CustomStringConvertible {
  fileprivate var texts: [String]? {
    switch self {
    case nil: nil
    case let flag as Bool: [flag ? "on" : "off"]
    case let value?: [value.description]
    }
  }
}

extension Array: GivenValue where Element == String {
  fileprivate var texts: [String]? { isEmpty ? nil : self }
}

extension Bool: GivenValue {
  fileprivate var texts: [String]? { self ? [] : nil }
}

extension Option: DeclaredOption where Value: GivenValue {
  fileprivate var texts: [String]? { wrappedValue.texts }
}

extension Flag: DeclaredOption where Value: GivenValue {
  fileprivate var texts: [String]? { wrappedValue.texts }
}

extension OptionGroup: DeclaredGroup {
  fileprivate static var type: any ParsableArguments.Type { Value.self }
  fileprivate var group: any ParsableArguments { wrappedValue }
}

extension ParsableArguments {
  /// The options of the request that were given, also in groups.
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

  /// The options of the request that are declared, also in groups.
  static var declared: [String] {
    Mirror(reflecting: Self()).children.flatMap { child in
      if let group = child.value as? any DeclaredGroup { return type(of: group).type.declared }
      return child.label.map { [$0.optionName] } ?? []
    }
  }
}

/// A command, or a group of options, of which a request is made.
protocol RequestOptions: ParsableArguments {
  /// The request that the options make, once they are parsed: each of their texts is read once.
  var parsed: RenderRequest? { get set }
}

extension RequestOptions {
  mutating func validate() throws { try parse() }

  /// Reads the texts of all options of a request that were given.
  ///
  /// - Throws: where a value is wrong.
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

  /// `inputs`, rendered into `outputs`, as the options say.
  func request(of inputs: [String], to outputs: [RequestedOutput] = []) -> RenderRequest {
    var request = parsed ?? RenderRequest([], to: [])
    (request.inputs, request.outputs) = (inputs, outputs)
    return request
  }

  /// The means that were given.
  var means: RequestMeans { parsed?.means ?? RequestMeans() }
}

extension String {
  /// The name of the option that a property, `_maxTiles`, is.
  fileprivate var optionName: String {
    drop { $0 == "_" }.reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }
}
