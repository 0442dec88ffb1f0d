internal import Foundation
import TesseraTimeline

/// Sanitizes text from files so that it is safe to display as plain text.
package enum TextSanitizer {
  /// The maximum length of a line in Unicode scalars; longer lines are cut.
  package static let longestLine = 1024
  /// The maximum number of combining marks on a letter: more than any script stacks, but too few to
  /// overlap other lines.
  private static let mostMarks = 4

  /// Returns `text` on one line.
  ///
  /// Control characters, line breaks and white space become single spaces. Characters that change
  /// the direction of surrounding text are removed. Text after `longest` Unicode scalars is
  /// replaced by an ellipsis.
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

  /// Returns the lines of `text`, each sanitized. Lines without text are dropped.
  package static func lines(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { line(String($0)) }.filter { !$0.isEmpty }
  }

  /// Returns `text` without accents and other combining marks.
  package static func withoutMarks(_ text: String) -> String {
    let apart = text.decomposedStringWithCanonicalMapping
    return String(String.UnicodeScalarView(apart.unicodeScalars.filter { !isMark($0) }))
  }

  /// True if fonts may render part of `text` as emoji.
  ///
  /// Includes characters that are usually drawn as letters, because a system may have only an emoji
  /// font for them.
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

  /// True for characters that are invisible but affect the layout of other text, and noncharacters.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Embeddings, overrides and isolates. The letters themselves determine the direction.
    case _ where scalar.turnsDirection: true
    // Soft hyphen, word joiner, invisible operators, byte order mark, object and annotation marks.
    case 0x00ad, 0x2060...0x2065, 0x206a...0x206f, 0xfeff, 0xfff9...0xfffc: true
    default: scalar.properties.isNoncharacterCodePoint
    }
  }
}
