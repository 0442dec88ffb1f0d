import TesseraTimeline

extension Transcript {
  /// The transcript as Markdown, a paragraph for all that somebody says in a row: a heading such as
  /// `**Ada** [0:12.3]`, and the words, those that are struck between `~~`.
  ///
  /// - Parameters:
  ///   - title: what stands above it; nil is nothing.
  ///   - isEditable: whether its ``identity`` stands in a comment at its end, so that a
  ///     ``TranscriptEdit`` of it is known.
  /// - Returns: the text of a file.
  package func markdown(title: String?, isEditable: Bool = false) -> String {
    let heading = title.map { ["# \(Self.markdownText(Self.oneLine($0)))"] } ?? []
    let text = markdownRanges.map { range in
      "\(Self.heading(lines[range.lowerBound]))\n\n\(Self.body(lines[range]))"
    }
    let mark = isEditable ? ["\(TranscriptEdit.mark)\(identity) -->"] : []
    return (heading + text + mark).joined(separator: "\n\n") + "\n"
  }

  /// Sixteen digits that name what is said, by whom, and when to a tenth of a second, whatever of it
  /// is struck.
  package var identity: String {
    var hash = Fingerprint()
    for range in markdownRanges {
      hash.add(Self.heading(lines[range.lowerBound]))
      for word in lines[range].flatMap(\.timedWords) { hash.add(word.text) }
    }
    return hash.digits
  }

  /// The places of lines that are a paragraph of Markdown: from one speaker, and no more of them than
  /// have about 150 words, so that headings with times are never far away.
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

  /// A paragraph of Markdown ends after the line that has its word of this number.
  private static let paragraphWords = 150

  /// What stands above a paragraph that begins with `line`.
  static func heading(_ line: Line) -> String {
    let speaker = line.speaker.map { "**\(markdownText(oneLine($0)))** " } ?? ""
    return "\(speaker)[\(line.from.clockWithTenths)]"
  }

  /// The words of lines.
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

  /// Text that stands for itself in Markdown, at the beginning of a line where it `isFirst`.
  private static func markdownText(_ text: String, isFirst: Bool = true) -> String {
    let escaped = text.map { "\\`*_[]<>&|~#".contains($0) ? "\\\($0)" : String($0) }.joined()
    guard isFirst else { return escaped }
    // What would begin a list or a line under a heading.
    let digits = escaped.prefix(while: \.isNumber)
    let after = escaped.dropFirst(digits.count).first
    if digits.isEmpty, let first = escaped.first, "+-=".contains(first) { return "\\" + escaped }
    guard !digits.isEmpty, let after, after == "." || after == ")" else { return escaped }
    return digits + "\\" + escaped.dropFirst(digits.count)
  }
}

/// FNV-1a of 64 bits: distinguishes texts that nobody forges.
private struct Fingerprint {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff)
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// The value as sixteen hexadecimal digits.
  var digits: String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
