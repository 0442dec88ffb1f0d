import TesseraDocuments
import TesseraMessages

/// A type whose properties can be read and written as named options, by a table of ``OptionRow``s.
package protocol NamedOptions: Sendable {
  /// The table of the type's options.
  static var table: [OptionRow<Self>] { get }
}

extension RenditionOptions: NamedOptions { package static var table: [OptionRow<Self>] { rows } }
extension CallOptions: NamedOptions { package static var table: [OptionRow<Self>] { rows } }
extension RenderRequest: NamedOptions {
  package static let table = rows.map(\.row)
}

extension NamedOptions {
  /// Returns the option with this name, or `nil` if there is none.
  package static func row(_ name: String) -> OptionRow<Self>? { table.first { $0.name == name } }

  /// Replaces the values of the option `name` by those that `texts` describe. A flag takes no text
  /// or one.
  ///
  /// - Throws: ``OptionError`` if the option does not exist or a value is invalid.
  package mutating func set(_ name: String, _ texts: [String]) throws(OptionError) {
    guard let row = Self.row(name) else {
      let hint = name.nearest(among: Self.table.map(\.name)).map { ": did you mean \"\($0)\"?" }
      throw OptionError(name, "is unknown\(hint ?? ".")")
    }
    if let error = row.take(&self, texts) { throw error }
  }

  /// Returns `other` with the options that this value sets in place of its own.
  package func over(_ other: Self) -> Self {
    var result = other
    for row in Self.table { row.copy(&result, self) }
    return result
  }

  /// Returns the texts of an option's values, or `nil` if the option is not set.
  package func texts(_ name: String) -> [String]? { Self.row(name)?.texts(self) }

  /// All options that are set, with the texts of their values.
  package var givenOptions: [(row: OptionRow<Self>, texts: [String])] {
    Self.table.compactMap { row in row.texts(self).map { (row, $0) } }
  }

  /// Replaces the paths of all input files that options name.
  package mutating func mapFiles(_ map: (String) -> String) {
    for row in Self.table { row.mapFiles(&self, map) }
  }

  /// The paths of all input files that options name.
  package var files: [String] {
    var (copy, files) = (self, [String]())
    copy.mapFiles { file in
      files.append(file)
      return file
    }
    return files
  }
}

extension DocumentValue {
  /// Creates a document from the texts of an option's values: a Boolean for a flag, a text for a
  /// single value, otherwise a list.
  init<Root>(_ texts: [String], of row: OptionRow<Root>) {
    switch row.arity {
    case .flag, .deniableFlag: self = .bool(texts.first != "off")
    case .one: self = .text(texts.first ?? "")
    case .several, .repeated: self = .list(texts.map(DocumentValue.text))
    }
  }
}
