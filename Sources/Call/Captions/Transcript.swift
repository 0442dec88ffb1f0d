package import TesseraTimeline

/// What was said in a call: who said what when.
package struct Transcript: Hashable, Sendable {
  /// A word that is said.
  package struct Word: Hashable, Sendable, Codable {
    /// The word, with the marks that stand beside it.
    package var text: String
    /// When it begins.
    package var from: MediaTime
    /// When it ends, not before ``from``.
    package var to: MediaTime
    /// Whether somebody has struck it: it is in no output.
    package var isStruck = false

    /// `text` is said from `from` to `to`.
    package init(_ text: String, from: MediaTime, to: MediaTime) {
      (self.text, self.from, self.to) = (text, from, to)
    }
  }

  /// What one person says in one go.
  package struct Line: Hashable, Sendable, Codable {
    /// The speaker; nil where unknown.
    package var speaker: String?
    /// When it begins.
    package var from: MediaTime
    /// When it ends, after ``from``.
    package var to: MediaTime
    /// What is said, on one line.
    package var text: String
    /// The words of ``text`` in their order; empty where nobody knows when each is said.
    package var words: [Word] = []

    /// `speaker` says `text` from `from` to `to`.
    package init(_ speaker: String?, from: MediaTime, to: MediaTime, _ text: String) {
      (self.speaker, self.from, self.to, self.text) = (speaker, from, to, text)
    }

    /// The words as they are struck: where their times are unknown, each word and each letter of a
    /// script without blanks has its share of the line's letters.
    package var editableWords: [Word] {
      words.isEmpty
        ? Word.spread(text.split(separator: " ").flatMap { String($0).units }, from, to) : words
    }

    /// The words; where their times are unknown, each has its share of the line's letters.
    package var timedWords: [Word] {
      words.isEmpty ? Word.spread(text.split(separator: " ").map(String.init), from, to) : words
    }
  }

  /// The lines in the order of their beginnings.
  package var lines: [Line]

  /// The transcript of `lines`, in any order.
  package init(_ lines: [Line] = []) {
    self.lines = lines.enumerated().sorted {
      ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
    }.map(\.element)
  }
}

extension String {
  /// True if no blank is written between the word and `next`: both are of a script without blanks.
  package func isJoined(to next: String) -> Bool {
    last?.isDense == true && next.first?.isDense == true
  }

  /// The letters of scripts without blanks, and what is between them.
  package var units: [String] {
    reduce(into: []) { units, character in
      let isOpen = units.last?.last?.isDense == false && !character.isDense
      if isOpen { units[units.count - 1].append(character) } else { units.append("\(character)") }
    }
  }
}

extension [String] {
  /// Words as text, with blanks where the script has them.
  package var joinedWords: String {
    reduce(into: "") { text, word in
      if !text.isEmpty, !word.isEmpty, !text.isJoined(to: word) { text += " " }
      text += word
    }
  }
}

extension Transcript.Word {
  /// `texts` one after the other from `from` to `to`, each as long as its part of the letters.
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
  /// Captions of it that name the speaker, each with at most `longest` characters besides: what is
  /// longer becomes several, each as long as its part of the letters.
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

  /// `text` in parts of at most `longest` characters, of about one length, between words where
  /// that can be.
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
