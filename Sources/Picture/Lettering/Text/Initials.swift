internal import TesseraCaptions

/// The one or two letters that stand for a person.
enum Initials {
  /// The first letters of the first and the last word of `name`, in upper case; one where there
  /// is one word, none where there is none.
  ///
  /// A letter is what people take for one: a grapheme, of any script, a digit or an emoji. Words
  /// without any count only where there is no other.
  static func of(_ name: String) -> String {
    let words = PlainText.line(name).split(separator: " ")
    let lettered = words.compactMap { word in word.first(where: isLetter) }
    let letters = lettered.isEmpty ? words.compactMap(\.first) : lettered
    guard let first = letters.first else { return "" }
    guard letters.count > 1, let last = letters.last else { return first.uppercased() }
    // Letters of scripts that are written joined would join here, too.
    let joins = isJoining(first) && isJoining(last)
    return first.uppercased() + (joins ? "\u{200c}" : "") + last.uppercased()
  }

  private static func isLetter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character.isEmoji
  }

  private static func isJoining(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    return (0x0600...0x08ff).contains(scalar.value) || (0x1800...0x18af).contains(scalar.value)
  }
}

extension Character {
  /// Whether fonts draw it as a small picture.
  var isEmoji: Bool {
    guard let first = unicodeScalars.first else { return false }
    if first.properties.isEmojiPresentation { return true }
    return first.properties.isEmoji
      && unicodeScalars.contains { $0.value == 0xfe0f || $0.value == 0x20e3 }
  }
}
