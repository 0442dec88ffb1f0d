extension String {
  /// The text as the name of a file, without its ending, that every file system takes and that
  /// people read as what it is: what would lead into another folder, is reserved somewhere, is a
  /// control or turns the direction of text becomes `_`; marks of a direction, which show nothing, go;
  /// no dots at the beginning; no dots and blanks at the end; 120 bytes at most. Nil where nothing is left.
  package var asFileName: String? {
    var name = String(
      String.UnicodeScalarView(
        unicodeScalars.filter { !Self.invisibleMarks.contains($0) }.map { scalar in
          scalar.isControl || Self.reservedMarks.contains(scalar) ? "_" : scalar
        }
      ).drop { $0 == "." })
    while name.utf8.count > 120 { name.removeLast() }
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    // On Windows, devices have these names, whatever ending follows.
    let stem = name.prefix { $0 != "." }.uppercased()
    let isDevice =
      ["CON", "PRN", "AUX", "NUL"].contains(stem)
      || stem.count == 4 && stem.last?.isWholeNumber == true
        && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
    return name.isEmpty ? nil : isDevice ? "_\(name)" : name
  }

  /// The left-to-right, right-to-left and Arabic letter marks.
  private static let invisibleMarks: Set<Unicode.Scalar> = ["\u{200e}", "\u{200f}", "\u{61c}"]

  private static let reservedMarks: Set<Unicode.Scalar> = [
    "/", "\\", ":", "*", "?", "\"", "<", ">", "|",
  ]
}

/// Names of files in one folder, no two of which are the same, also where case makes no difference.
package struct FileNames {
  private var taken: Set<String> = []

  /// No names.
  package init() {}

  /// A name for what people call `text`, or `other` where that leaves nothing.
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
