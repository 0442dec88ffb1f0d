extension String {
  /// The text as a portable and readable file name, without its extension; `nil` if nothing
  /// remains.
  ///
  /// Path separators, characters reserved on some system, controls and characters that change the
  /// direction of text become `_`. Invisible direction marks are removed, as are leading dots and
  /// trailing dots and spaces. The name has at most 120 bytes.
  package var asFileName: String? {
    var name = String(
      String.UnicodeScalarView(
        unicodeScalars.filter { !Self.invisibleMarks.contains($0) }.map { scalar in
          scalar.isControl || Self.reservedMarks.contains(scalar) ? "_" : scalar
        }
      ).drop { $0 == "." })
    while name.utf8.count > 120 { name.removeLast() }
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    // On Windows, devices have these names, with any extension.
    let stem = name.prefix { $0 != "." }.uppercased()
    let isDevice =
      ["CON", "PRN", "AUX", "NUL"].contains(stem)
      || stem.count == 4 && stem.last?.isWholeNumber == true
        && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
    return name.isEmpty ? nil : isDevice ? "_\(name)" : name
  }

  /// The left-to-right, right-to-left and Arabic letter marks.
  private static let invisibleMarks: Set<Unicode.Scalar> = ["\u{200e}", "\u{200f}", "\u{61c}"]

  /// The characters that separate paths or that Windows reserves.
  private static let reservedMarks: Set<Unicode.Scalar> = [
    "/", "\\", ":", "*", "?", "\"", "<", ">", "|",
  ]
}

/// Assigns unique file names within one folder. Names that differ only in case count as equal.
package struct UniqueFileNamer {
  /// The names in use, in lowercase.
  private var taken: Set<String> = []

  /// Creates an empty set of names.
  package init() {}

  /// Returns a unique file name for `text`, or for `other` if no character of `text` is usable.
  /// Duplicates get a number: `name-2`.
  package mutating func name(for text: String, else other: String) -> String {
    let base = text.asFileName ?? other
    var (unique, number) = (base, 1)
    while !taken.insert(unique.lowercased()).inserted {
      number += 1
      unique = "\(base)-\(number)"
    }
    return unique
  }
}
