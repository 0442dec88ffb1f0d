internal import TesseraTimeline

/// What the lines of caption files mean.
enum CaptionMarkup {
  /// Whether a line ends a cue.
  static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

  /// Whether a block of WebVTT that begins so is no text.
  static func isAside(_ line: Substring) -> Bool {
    ["NOTE", "STYLE", "REGION"].contains { name in
      line == name || line.hasPrefix(name + " ") || line.hasPrefix(name + "\t")
    }
  }

  /// The two times in `00:01.000 --> 00:04,000 align:start`; nil for other text.
  static func times(_ line: Substring) -> (from: MediaTime, to: MediaTime)? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count >= 3, words[1] == "-->" else { return nil }
    func time(_ text: Substring) -> MediaTime? {
      guard text.contains(":") else { return nil }
      return MediaTime(String(text.map { $0 == "," ? "." : $0 }))
    }
    guard let from = time(words[0]), let to = time(words[2]) else { return nil }
    return (from, to)
  }

  /// The text of a line without tags such as `<b>`, `<v Ada>` and `{\an8}`, entities read.
  static func plain(_ line: Substring) -> String {
    var text = ""
    var rest = line
    while let character = rest.first {
      if character == "<", let end = tagEnd(rest, closing: ">") {
        rest = rest[end...]
      } else if rest.hasPrefix("{\\"), let end = tagEnd(rest, closing: "}") {
        rest = rest[end...]
      } else if character == "&", let entity = entities.first(where: { rest.hasPrefix($0.0) }) {
        text += entity.1
        rest = rest.dropFirst(entity.0.count)
      } else {
        text.append(character)
        rest = rest.dropFirst()
      }
    }
    return PlainText.line(text)
  }

  /// Where what follows a tag begins; nil where it is no tag but a sign in the text.
  private static func tagEnd(_ text: Substring, closing: Character) -> Substring.Index? {
    let inner = text.dropFirst()
    guard let first = inner.first, first.isLetter || "/\\0123456789".contains(first) else {
      return nil
    }
    return inner.prefix(longestTag).firstIndex(of: closing).map { inner.index(after: $0) }
  }

  private static let longestTag = 200

  private static let entities = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&lrm;", "\u{200e}"),
    ("&rlm;", "\u{200f}"), ("&quot;", "\""), ("&#39;", "'"),
  ]
}
