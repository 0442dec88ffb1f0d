internal import Foundation
import TesseraTimeline

/// Text as people wrote it, made fit to be shown as plain text.
package enum PlainText {
  /// The most Unicode scalars of a line that are looked at; what follows is cut.
  package static let longestLine = 1024
  /// The most marks on one letter: more than any script stacks, less than what climbs over lines.
  private static let mostMarks = 4

  /// `text` on one line: control characters, line ends and white space become single spaces, and
  /// what would change the direction of other text goes. An ellipsis stands for what is after the
  /// first `longest` Unicode scalars.
  package static func line(_ text: String, longest: Int = longestLine) -> String {
    var line = String.UnicodeScalarView()
    var marks = 0
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < longest else {
        line.append("\u{2026}")
        break
      }
      if isSpace(scalar) {
        marks = 0
        if let last = line.last, last != " " { line.append(" ") }
      } else if !isHidden(scalar) {
        marks = isMark(scalar) ? marks + 1 : 0
        guard marks <= mostMarks else { continue }
        line.append(scalar)
      }
      count += 1
    }
    if line.last == " " { line.removeLast() }
    return String(line)
  }

  /// Lines of `text`, each made plain; those without text are left out.
  package static func lines(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { line(String($0)) }.filter { !$0.isEmpty }
  }

  /// `text` without accents and other marks on letters.
  package static func withoutMarks(_ text: String) -> String {
    let apart = text.decomposedStringWithCanonicalMapping
    return String(String.UnicodeScalarView(apart.unicodeScalars.filter { !isMark($0) }))
  }

  /// Whether fonts may have small pictures for some of it: also for signs that are usually drawn as
  /// letters, where only a font of pictures has them.
  package static func mayHavePictures(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      scalar.value == 0xfe0f || scalar.value == 0x20e3
        || scalar.value > 0xff && scalar.properties.isEmoji
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: !(0xfe00...0xfe0f).contains(scalar.value)
    default: false
    }
  }

  /// Whether it shows nothing itself and would change how text around it is laid out, or is none.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // What embeddings, overrides and isolates of direction say, the letters say themselves.
    case _ where scalar.turnsDirection: true
    // Soft hyphen, word joiner, invisible operators, byte order mark, object and annotation marks.
    case 0x00ad, 0x2060...0x2065, 0x206a...0x206f, 0xfeff, 0xfff9...0xfffc: true
    default: scalar.properties.isNoncharacterCodePoint
    }
  }
}
