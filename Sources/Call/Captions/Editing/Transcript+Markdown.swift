import TesseraTimeline

extension Transcript {
  /// Returns the transcript as Markdown, which ``EditedTranscript`` can read back.
  ///
  /// Each paragraph has a heading such as `**Ada** [0:12.3]`. Struck words are between `~~`.
  ///
  /// - Parameters:
  ///   - title: the title above the text; `nil` for none.
  ///   - isEditable: true to add the ``identity`` in a comment at the end, which
  ///     ``EditedTranscript`` requires.
  /// - Returns: the text of a file.
  package func markdown(title: String?, isEditable: Bool = false) -> String {
    let heading = title.map { ["# \(Self.markdownText(Self.oneLine($0)))"] } ?? []
    let text = markdownRanges.map { range in
      "\(Self.heading(lines[range.lowerBound]))\n\n\(Self.body(lines[range]))"
    }
    let mark = isEditable ? ["\(EditedTranscript.mark)\(identity) -->"] : []
    return (heading + text + mark).joined(separator: "\n\n") + "\n"
  }

  /// A hash of the words, speakers and times (to 0.1 s) as 16 digits; struck words count like
  /// others.
  package var identity: String {
    var hash = TextFingerprint()
    for range in markdownRanges {
      hash.add(Self.heading(lines[range.lowerBound]))
      for word in lines[range].flatMap(\.timedWords) { hash.add(word.text) }
    }
    return hash.digits
  }

  /// The index ranges of lines that form a Markdown paragraph.
  ///
  /// A paragraph has one speaker and about 150 words, so that a heading with a time is never far
  /// away.
  var markdownRanges: [Range<Int>] {
    paragraphRanges.flatMap { paragraph in
      var (ranges, start, count) = ([Range<Int>](), paragraph.lowerBound, 0)
      for index in paragraph {
        if count >= Self.paragraphWords {
          ranges.append(start..<index)
          (start, count) = (index, 0)
        }
        count += lines[index].timedWords.count
      }
      return ranges + [start..<paragraph.upperBound]
    }
  }

  /// The number of words after which a Markdown paragraph ends, at the end of a line.
  private static let paragraphWords = 150

  /// Returns the heading of a paragraph whose first line is `line`.
  static func heading(_ line: Line) -> String {
    let speaker = line.speaker.map { "**\(markdownText(oneLine($0)))** " } ?? ""
    return "\(speaker)[\(line.from.clockWithTenths)]"
  }

  /// Returns the words of `lines` as Markdown.
  private static func body(_ lines: ArraySlice<Line>) -> String {
    var (text, isStruck, last) = ("", false, "")
    for word in lines.flatMap(\.timedWords) where !word.text.isEmpty {
      if isStruck, !word.isStruck { text += "~~" }
      if !text.isEmpty, !last.isJoined(to: word.text) { text += " " }
      if word.isStruck, !isStruck { text += "~~" }
      (isStruck, last) = (word.isStruck, word.text)
      text += markdownText(oneLine(word.text), isFirst: text.isEmpty)
    }
    return isStruck ? text + "~~" : text
  }

  /// Escapes text for Markdown; `isFirst` also escapes marks that matter at the beginning of a
  /// line.
  private static func markdownText(_ text: String, isFirst: Bool = true) -> String {
    let escaped = text.map { "\\`*_[]<>&|~#".contains($0) ? "\\\($0)" : String($0) }.joined()
    guard isFirst else { return escaped }
    // Marks that would begin a list or underline a heading.
    let digits = escaped.prefix(while: \.isNumber)
    let after = escaped.dropFirst(digits.count).first
    if digits.isEmpty, let first = escaped.first, "+-=".contains(first) { return "\\" + escaped }
    guard !digits.isEmpty, let after, after == "." || after == ")" else { return escaped }
    return digits + "\\" + escaped.dropFirst(digits.count)
  }
}

/// The 64-bit FNV-1a hash: distinguishes texts, but is not safe against forgery.
private struct TextFingerprint {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff)
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// The hash as 16 hexadecimal digits.
  var digits: String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
