import Foundation

/// Which Tessera this is.
package enum TesseraVersion {
  /// The version, as in the change log.
  package static let current = "0.1.0"
  /// What a file says that it was made with, before the version.
  static let program = "Tessera "

  /// The tag of a media file that names the program, with room for a ``FileSeal``.
  package static let tag = name + FileSeal.blank
  /// The program and its version.
  package static let name = program + current

  /// Whether bytes of a file name any version as what it was made with.
  static func isNamed(in bytes: Data) -> Bool {
    var rest = bytes[...]
    while let found = rest.range(of: Data(program.utf8)) {
      if let digit = bytes[found.upperBound...].first, (48...57).contains(digit) { return true }
      rest = bytes[found.upperBound...]
    }
    return false
  }
}
