import TesseraDocuments

/// A value whose parts have names that people write: see ``OptionRow``.
package protocol NamedOptions: Sendable {
  /// Its options.
  static var table: [OptionRow<Self>] { get }
}

extension RenditionOptions: NamedOptions { package static var table: [OptionRow<Self>] { rows } }
extension CallOptions: NamedOptions { package static var table: [OptionRow<Self>] { rows } }
extension RenderRequest: NamedOptions {
  package static let table = rows.map(\.row)
}

extension NamedOptions {
  /// The option of that name; nil where there is none.
  package static func row(_ name: String) -> OptionRow<Self>? { table.first { $0.name == name } }

  /// Gives the option `name` the values that `texts` write, instead of those that it has; a flag
  /// takes none, or one.
  ///
  /// - Throws: where there is no such option, or a value is wrong.
  package mutating func set(_ name: String, _ texts: [String]) throws(OptionError) {
    guard let row = Self.row(name) else {
      let hint = name.nearest(among: Self.table.map(\.name)).map { ": did you mean \"\($0)\"?" }
      throw OptionError(name, "is unknown\(hint ?? ".")")
    }
    if let error = row.take(&self, texts) { throw error }
  }

  /// What it says, over what `other` says.
  package func over(_ other: Self) -> Self {
    var result = other
    for row in Self.table { row.copy(&result, self) }
    return result
  }

  /// The texts of an option; nil where nothing is said.
  package func texts(_ name: String) -> [String]? { Self.row(name)?.texts(self) }

  /// All that is said, by the names of options.
  package var said: [(row: OptionRow<Self>, texts: [String])] {
    Self.table.compactMap { row in row.texts(self).map { (row, $0) } }
  }

  /// Replaces the files that are named to be read.
  package mutating func mapFiles(_ map: (String) -> String) {
    for row in Self.table { row.mapFiles(&self, map) }
  }

  /// The files that are named to be read.
  package var files: [String] {
    var (copy, files) = (self, [String]())
    copy.mapFiles { file in
      files.append(file)
      return file
    }
    return files
  }
}

extension Document {
  /// What a list, or a single value, of an option's `texts` is.
  init<Root>(_ texts: [String], of row: OptionRow<Root>) {
    switch row.arity {
    case .flag, .deniableFlag: self = .bool(texts.first != "off")
    case .one: self = .text(texts.first ?? "")
    case .several, .repeated: self = .list(texts.map(Document.text))
    }
  }
}
