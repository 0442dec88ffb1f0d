import TesseraMessages
import TesseraTimeline

/// A Markdown transcript that a user edited, to be applied to the call's transcript.
///
/// Words that were deleted, or struck (`~~so~~`), are cut from the call. A changed spelling changes
/// the captions and cuts nothing.
package struct EditedTranscript: Hashable, Sendable {
  private struct Word: Hashable {
    var text: String
    var isStruck: Bool
  }

  private struct Paragraph: Hashable {
    /// The number of the heading's line, from 1.
    var line: Int
    var heading: String
    var words: [Word] = []
  }

  /// The file extensions of edited transcripts.
  package static let endings = ["md", "markdown"]
  /// The beginning of the comment that contains the transcript's identity.
  static let mark = "<!-- transcript "
  /// The maximum length of a word in Unicode scalars.
  private static let longestWord = TranscriptFileReader.longestLine

  /// The file's name.
  private let name: String
  /// The ``Transcript/identity`` of the transcript before it was edited.
  package let identity: String
  private var paragraphs: [Paragraph] = []

  /// Reads the file `name` with the content `bytes`.
  ///
  /// - Throws: if the file has no identity, or words before the first heading.
  package init(_ bytes: [UInt8], name: String) throws(TranscriptError) {
    self.name = name
    let text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
    var identity: String?
    var isStruck = false
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let line = line.drop(while: \.isWhitespace)
      if line.hasPrefix("<!--") {
        if line.hasPrefix(Self.mark) {
          identity = line.dropFirst(Self.mark.count).split(separator: " ").first.map(String.init)
        }
      } else if let heading = Self.heading(line, &isStruck) {
        paragraphs.append(Paragraph(line: number + 1, heading: heading))
      } else if paragraphs.isEmpty {
        guard line.isEmpty || line.hasPrefix("#") else {
          throw TranscriptError(
            "\(file: name), line \(number + 1): words precede the first paragraph's heading, such as "
              + "**Ada** [0:12.3]; leave headings unchanged.")
        }
      } else {
        paragraphs[paragraphs.count - 1].words += Self.words(line, &isStruck)
      }
    }
    guard let identity else {
      throw TranscriptError(
        "\(file: name) is not an editable transcript: its last lines name no call. Write a transcript of the "
          + "whole call with: tessera edit INPUT... -o call.md")
    }
    self.identity = identity
  }

  // MARK: Reading

  /// Returns the heading in `line`, with blanks and markup normalized; `nil` for any other line.
  private static func heading(_ line: Substring, _ isStruck: inout Bool) -> String? {
    var text = line.filter { $0 != "\\" }.trimmed
    let (opens, closes) = (text.hasPrefix("~~"), text.hasSuffix("~~"))
    if opens { text = String(text.dropFirst(2)).trimmed }
    if closes { text = String(text.dropLast(2)).trimmed }
    guard text.hasPrefix("[") || text.hasPrefix("**") || text.hasPrefix("__"), text.hasSuffix("]"),
      let bracket = text.lastIndex(of: "[")
    else { return nil }
    let name = text[..<bracket].trimmed
    let written = String(text[bracket...].dropFirst().dropLast())
    // Without a name, a number in brackets is text unless it is spelled exactly like a time.
    guard let time = MediaTime(written), !name.isEmpty || time.clockWithTenths == written else {
      return nil
    }
    guard name.isEmpty || name.hasSuffix("**") || name.hasSuffix("__") else { return nil }
    isStruck = opens && !closes
    return plain(text)
  }

  /// Returns the heading without bold markup, with single blanks.
  private static func plain(_ heading: String) -> String {
    heading.filter { !"*_\\".contains($0) }.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// Returns the words of a line. Text between `~~` is struck; a word that is struck in part keeps
  /// the rest.
  ///
  /// `isStruck` carries an open `~~` from one line to the next.
  private static func words(_ line: Substring, _ isStruck: inout Bool) -> [Word] {
    var words: [Word] = []
    var (kept, struck) = ("", "")
    func end() {
      let isGone = !kept.contains { $0.isLetter || $0.isNumber } && !struck.isEmpty
      let text = isGone ? struck : kept
      if !text.isEmpty {
        words.append(Word(text: String(text.prefix(longestWord)), isStruck: isGone))
      }
      (kept, struck) = ("", "")
    }
    var (rest, last) = (line, Character("a"))
    while let character = rest.first {
      rest.removeFirst()
      var next = character
      if character == "\\", let escaped = rest.first, !escaped.isLetter, !escaped.isNumber {
        next = escaped
        rest.removeFirst()
      } else if character == "~", rest.first == "~" {
        rest.removeFirst()
        isStruck.toggle()
        continue
      } else if character.isWhitespace {
        end()
        continue
      }
      // Each letter of a script without blanks is a word of its own.
      if next.isDense || last.isDense { end() }
      last = next
      if isStruck { struck.append(next) } else { kept.append(next) }
    }
    end()
    return words
  }

  // MARK: Applying

  /// Returns the lines of `transcript` with struck and respelled words. No line is removed.
  ///
  /// - Throws: if the file belongs to another transcript, or if paragraphs were moved, headings
  ///   changed, or too many words replaced.
  package func applied(
    to transcript: Transcript
  ) throws(TranscriptError) -> [Transcript.Line] {
    guard transcript.identity == identity else {
      throw TranscriptError(
        "\(file: name) is the transcript of another call, or of this one before its names, transcripts or "
          + "places changed; give the same \(option: "transcript") or \(option: "transcriber") as to tessera edit, or write "
          + "it again with: tessera edit INPUT... -o call.md")
    }
    var lines = transcript.lines
    let ranges = transcript.markdownRanges
    let found = try places(ranges.map { Self.plain(Transcript.heading(lines[$0.lowerBound])) })
    var (missing, added) = ([Range<Int>](), [(line: Int, text: String)]())
    for (number, range) in ranges.enumerated() {
      guard let paragraph = found[number] else {
        for index in range {
          lines[index].words = lines[index].editableWords
          for word in lines[index].words.indices { lines[index].words[word].isStruck = true }
        }
        missing.append(range)
        continue
      }
      let originals = range.map { lines[$0].editableWords }
      let units = originals.map { $0.map(\.text.units) }
      var words = units.joined().joined().map { (text: $0, isStruck: false) }
      let edited = paragraph.words.map { ($0.text, $0.isStruck) }
      guard let diff = WordDiff(words.map(\.text), edited) else {
        throw TranscriptError(
          "\(file: name), line \(paragraph.line): most of the \(words.count) words of the paragraph "
            + "\(paragraph.heading) have changed, too many to match each one; strike words "
            + "or correct their spelling, or delete the whole paragraph.")
      }
      for (index, spelling) in diff.words.enumerated() {
        if let spelling { words[index].text = spelling } else { words[index].isStruck = true }
      }
      for (place, text) in diff.added {
        added.append((paragraph.line, text))
        let before = words[..<place].lastIndex { !$0.isStruck }
        if let before {
          words[before].text = [words[before].text, text].joinedWords
        } else if let after = words[place...].firstIndex(where: { !$0.isStruck }) {
          words[after].text = [text, words[after].text].joinedWords
        }
      }
      var rest = words[...]
      for ((index, original), units) in zip(zip(range, originals), units) {
        var line = original
        for (number, units) in units.enumerated() where !units.isEmpty {
          let kept = rest.prefix(units.count).filter { !$0.isStruck }.map(\.text)
          rest = rest.dropFirst(units.count)
          if kept.isEmpty {
            line[number].isStruck = true
          } else {
            line[number].text = kept.joined()
          }
        }
        // Lines without changes keep their unknown word times.
        if line != original { lines[index].words = line }
      }
    }
    try refuseMoved(missing, transcript, added)
    return lines
  }

  /// Returns the paragraph for each of `headings`; `nil` where the user deleted it.
  ///
  /// - Throws: if a heading is unknown or out of order.
  private func places(_ headings: [String]) throws(TranscriptError) -> [Paragraph?] {
    var found = [Paragraph?](repeating: nil, count: headings.count)
    var (next, last) = (0, Paragraph?.none)
    for paragraph in paragraphs {
      guard let place = headings[next...].firstIndex(of: paragraph.heading) else {
        guard let last, headings[..<next].contains(paragraph.heading) else {
          throw TranscriptError(
            "\(file: name), line \(paragraph.line): the call has no paragraph \(paragraph.heading); "
              + "leave headings unchanged, or delete the whole paragraph.")
        }
        throw TranscriptError(
          "\(file: name), line \(paragraph.line): the paragraph \(paragraph.heading) is placed after "
            + "that of line \(last.line), \(last.heading), which follows it in the call. Moving "
            + "paragraphs is not supported; put it back, or delete it.")
      }
      (found[place], next, last) = (paragraph, place + 1, paragraph)
    }
    return found
  }

  /// Throws if words of a deleted heading's paragraph now occur in another paragraph.
  private func refuseMoved(
    _ missing: [Range<Int>], _ transcript: Transcript, _ added: [(line: Int, text: String)]
  ) throws(TranscriptError) {
    let texts = added.map { text in
      (line: text.line, keys: text.text.split(separator: " ").map { String($0).wordKey })
    }.filter { $0.keys.count >= Self.telling }
    guard !texts.isEmpty else { return }
    for range in missing {
      let words = range.flatMap { transcript.lines[$0].timedWords.map { $0.text.wordKey } }
      let head = Array(words.prefix(Self.telling))
      guard head.count == Self.telling else { continue }
      for text in texts
      where text.keys.indices.dropLast(head.count - 1).contains(where: {
        Array(text.keys[$0..<$0 + head.count]) == head
      }) {
        let heading = Self.plain(Transcript.heading(transcript.lines[range.lowerBound]))
        throw TranscriptError(
          "\(file: name), line \(text.line): words of the paragraph \(heading), whose heading is missing, "
            + "are in this paragraph; put the heading back above them.")
      }
    }
  }

  /// The number of consecutive words that identify a paragraph.
  private static let telling = 3
}

extension StringProtocol {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
