internal import TesseraTimeline

/// Parses lines of WebVTT and SubRip: times, tags and entities.
enum CaptionMarkupParser {
  /// True for a line without text, which ends a cue.
  static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

  /// True if a WebVTT block that begins with `line` is a comment, style or region.
  static func isAside(_ line: Substring) -> Bool {
    ["NOTE", "STYLE", "REGION"].contains { name in
      line == name || line.hasPrefix(name + " ") || line.hasPrefix(name + "\t")
    }
  }

  /// Returns the times in a line such as `00:01.000 --> 00:04,000 align:start`; `nil` for other
  /// text.
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

  /// Returns the text of a line without tags such as `<b>`, `<v Ada>` and `{\an8}`, with entities
  /// decoded.
  ///
  /// The result has at most `longest` Unicode scalars.
  static func plain(_ line: Substring, longest: Int = TextSanitizer.longestLine) -> String {
    var text = ""
    // Entities and tags are longer than the text they produce.
    var rest = line.prefix(8 * longest)
    while let character = rest.first {
      if character == "<", let end = tagEnd(rest, closing: UInt8(ascii: ">")) {
        rest = rest[end...]
      } else if rest.hasPrefix("{\\"), let end = tagEnd(rest, closing: UInt8(ascii: "}")) {
        rest = rest[end...]
      } else if character == "&", let entity = entities.first(where: { rest.hasPrefix($0.0) }) {
        text += entity.1
        rest = rest.dropFirst(entity.0.count)
      } else {
        text.append(character)
        rest = rest.dropFirst()
      }
    }
    return TextSanitizer.line(text, longest: longest)
  }

  /// Returns the index after a tag that begins at `text`; `nil` if the sign is plain text.
  private static func tagEnd(_ text: Substring, closing: UInt8) -> Substring.Index? {
    let inner = text.dropFirst()
    guard let first = inner.first, first.isLetter || "/\\0123456789".contains(first) else {
      return nil
    }
    return inner.utf8.prefix(longestTag).firstIndex(of: closing).map { inner.utf8.index(after: $0) }
  }

  /// The longest tag, in bytes.
  private static let longestTag = 400

  /// A part of a cue's text, with the speaker named by a voice tag such as `<v Ada>` before it.
  struct VoiceSpan {
    var voice: String?
    var text: Substring
  }

  /// Divides the text of a cue at its voice tags. Other tags stay in the text.
  static func spans(_ text: Substring) -> [VoiceSpan] {
    var spans = [VoiceSpan(text: text.prefix(0))]
    var (rest, start) = (text, text.startIndex)
    while let sign = rest.firstIndex(of: "<") {
      let tag = rest[sign...]
      guard tag.hasPrefix("<v ") || tag.hasPrefix("<v.") || tag.hasPrefix("<v\t"),
        let end = tagEnd(tag, closing: UInt8(ascii: ">"))
      else {
        rest = rest[sign...].dropFirst()
        continue
      }
      spans[spans.count - 1].text = text[start..<sign]
      let voice = tag[..<end].dropFirst(2).dropLast().drop { !$0.isWhitespace }
      spans.append(VoiceSpan(voice: plain(voice), text: text[end..<end]))
      (rest, start) = (text[end...], end)
    }
    spans[spans.count - 1].text = text[start...]
    return spans
  }

  private static let entities = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&lrm;", "\u{200e}"),
    ("&rlm;", "\u{200f}"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"),
  ]
}
