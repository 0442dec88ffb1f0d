package import TesseraTimeline

/// The transcript of a call: lines with speaker, time range and text.
package struct Transcript: Hashable, Sendable {
  /// A spoken word with its time range.
  package struct Word: Hashable, Sendable, Codable {
    /// The word with adjacent punctuation.
    package var text: String
    /// The time at which the word starts.
    package var from: MediaTime
    /// The time at which the word ends, not before ``from``.
    package var to: MediaTime
    /// True if a user struck the word, which removes it from all outputs.
    package var isStruck = false

    package init(_ text: String, from: MediaTime, to: MediaTime) {
      (self.text, self.from, self.to) = (text, from, to)
    }
  }

  /// A stretch of speech by one speaker.
  package struct Line: Hashable, Sendable, Codable {
    /// The speaker; `nil` if unknown.
    package var speaker: String?
    /// The time at which the line starts.
    package var from: MediaTime
    /// The time at which the line ends, after ``from``.
    package var to: MediaTime
    /// The spoken text, on one line.
    package var text: String
    /// The words of ``text`` in order; empty if their times are unknown.
    package var words: [Word] = []

    package init(_ speaker: String?, from: MediaTime, to: MediaTime, _ text: String) {
      (self.speaker, self.from, self.to, self.text) = (speaker, from, to, text)
    }

    /// The smallest units that a user can strike.
    ///
    /// If word times are unknown, each word, and each letter of a script without blanks, gets its
    /// share of the line's duration by its number of letters.
    package var editableWords: [Word] {
      words.isEmpty
        ? Word.spread(text.split(separator: " ").flatMap { String($0).units }, from, to) : words
    }

    /// The words. If their times are unknown, each gets its share of the line's duration by its
    /// letters.
    package var timedWords: [Word] {
      words.isEmpty ? Word.spread(text.split(separator: " ").map(String.init), from, to) : words
    }
  }

  /// The lines in order of their starts.
  package var lines: [Line]

  /// Creates a transcript of `lines`, given in any order.
  package init(_ lines: [Line] = []) {
    self.lines = lines.enumerated().sorted {
      ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
    }.map(\.element)
  }
}

extension String {
  /// True if no blank is written between this word and `next`: both use a script without blanks.
  package func isJoined(to next: String) -> Bool {
    last?.isDense == true && next.first?.isDense == true
  }

  /// The single letters of scripts without blanks, and the words between them.
  package var units: [String] {
    reduce(into: []) { units, character in
      let isOpen = units.last?.last?.isDense == false && !character.isDense
      if isOpen { units[units.count - 1].append(character) } else { units.append("\(character)") }
    }
  }
}

extension [String] {
  /// The words joined to a text, with blanks where the script has them.
  package var joinedWords: String {
    reduce(into: "") { text, word in
      if !text.isEmpty, !word.isEmpty, !text.isJoined(to: word) { text += " " }
      text += word
    }
  }
}

extension Transcript.Word {
  /// Divides the range from `from` to `to` among `texts`, in proportion to their numbers of
  /// letters.
  package static func spread(_ texts: [String], _ from: MediaTime, _ to: MediaTime) -> [Transcript
    .Word]
  {
    let whole = texts.reduce(0) { $0 + $1.count + 1 }
    var said = 0
    func time() -> MediaTime {
      let parts = max(0, (to - from).nanoseconds).multipliedFullWidth(by: Int64(said))
      return from + MediaTime(nanoseconds: Int64(max(1, whole)).dividingFullWidth(parts).quotient)
    }
    return texts.map { text in
      let start = time()
      said += text.count + 1
      return Transcript.Word(text, from: start, to: time())
    }
  }
}

extension Transcript {
  /// Converts the transcript to captions that name the speaker.
  ///
  /// Texts of more than `longest` characters are split into several cues, and the duration is
  /// divided by their numbers of characters.
  package func cues(longest: Int = 84) -> [CaptionCue] {
    lines.flatMap { line in
      let parts = Self.parts(line.text, longest: longest)
      let whole = Int64(max(1, parts.reduce(0) { $0 + $1.count }))
      var (said, from) = (Int64(0), line.from)
      return parts.compactMap { part in
        said += Int64(part.count)
        let end = (line.to - line.from).nanoseconds.multipliedFullWidth(by: said)
        let length = whole.dividingFullWidth(end).quotient
        let to = line.from + MediaTime(nanoseconds: length)
        defer { from = to }
        let text = line.speaker.map { "\($0): \(part)" } ?? part
        return to > from ? CaptionCue(from: from, to: to, lines: [text]) : nil
      }
    }
  }

  /// Splits `text` into parts of about equal length, at most `longest` characters, between words if
  /// possible.
  private static func parts(_ text: String, longest: Int) -> [String] {
    let count = (text.count + longest - 1) / max(1, longest)
    guard count > 1 else { return [text] }
    var parts: [String] = []
    var rest = text[...]
    while rest.count > longest {
      let wanted = (rest.count + count - parts.count - 1) / max(1, count - parts.count)
      let head = rest.prefix(min(longest, wanted + longest / 8))
      let cut = head.lastIndex(of: " ") ?? head.endIndex
      parts.append(String(rest[..<cut]))
      rest = rest[cut...].drop(while: \.isWhitespace)
    }
    return rest.isEmpty ? parts : parts + [String(rest)]
  }
}
