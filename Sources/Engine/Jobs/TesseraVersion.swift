import Foundation

/// The version of Tessera, and the texts by which files name it.
package enum TesseraVersion {
  /// The version of Tessera, as in the change log.
  package static let current = "0.1.0"
  /// The program's name in the marks of files, before the version.
  static let program = "Tessera "

  /// The media tag that names the program, with room for an ``EmbeddedHash``.
  package static let tag = name + EmbeddedHash.blank
  /// The program's name and version: `Tessera 0.1.0`.
  package static let name = program + current

  /// True if `bytes` of a file contain the name of any version.
  static func isNamed(in bytes: Data) -> Bool {
    var rest = bytes[...]
    while let found = rest.range(of: Data(program.utf8)) {
      if let digit = bytes[found.upperBound...].first, (48...57).contains(digit) { return true }
      rest = bytes[found.upperBound...]
    }
    return false
  }
}
