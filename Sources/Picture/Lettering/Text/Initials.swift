internal import TesseraCaptions

/// The one or two letters that represent a participant without a picture.
enum Initials {
  /// Returns the first letters of the first and the last word of `name`, in upper case. A single
  /// word gives one letter, an empty name none.
  ///
  /// A letter is a grapheme of any script, a digit or an emoji. A word without letters counts only
  /// if no word has one.
  static func of(_ name: String) -> String {
    let words = TextSanitizer.line(name).split(separator: " ")
    let lettered = words.compactMap { word in word.first(where: isLetter) }
    let letters = lettered.isEmpty ? words.compactMap(\.first) : lettered
    guard let first = letters.first else { return "" }
    guard letters.count > 1, let last = letters.last else { return first.uppercased() }
    // A zero-width non-joiner separates letters of scripts written joined.
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
  /// True if fonts draw the character as a small picture.
  var isEmoji: Bool {
    guard let first = unicodeScalars.first else { return false }
    if first.properties.isEmojiPresentation { return true }
    return first.properties.isEmoji
      && unicodeScalars.contains { $0.value == 0xfe0f || $0.value == 0x20e3 }
  }
}
