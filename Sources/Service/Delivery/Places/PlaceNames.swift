import Foundation
import TesseraSystem

/// What people call files and folders of this machine that were fetched, or that are to be uploaded.
package struct PlaceNames: Codable, Sendable {
  /// A path and what it is called.
  package struct Name: Codable, Sendable {
    package var path: String
    package var name: String
  }

  /// The longest paths come first.
  package private(set) var names: [Name] = []

  /// None.
  package init() {}

  /// From now on, `path`, and all that lies below it, is called `name`.
  package mutating func add(_ path: String, _ name: String) {
    names = (names + [Name(path: path, name: name)]).sorted {
      $0.path.utf8.count > $1.path.utf8.count
    }
  }

  /// What people call the file at `path`; nil where it is none of them.
  package func name(of path: String) -> String? {
    names.first { path == $0.path || path.hasPrefix("\($0.path)/") }.map {
      $0.name + path.dropFirst($0.path.count)
    }
  }

  /// `text` with the names that people know.
  package func known(_ text: String) -> String {
    names.reduce(text) { $0.replacing($1.path, with: $1.name) }
  }

  /// A JSON text with the names that people know.
  package func inJSON(_ text: String) -> String {
    func member(_ text: String) -> Substring { PlainJSON.text(text).dropFirst().dropLast() }
    return names.reduce(text) { $0.replacing(member($1.path), with: member($1.name)) }
  }
}
