package import TesseraTimeline

/// A few words that are displayed together while they are spoken.
package struct CaptionWordGroup: Hashable, Sendable {
  /// A word, or a part of a text that is written without blanks.
  package struct Part: Hashable, Sendable {
    /// The text, on one line.
    package var text: String
    /// The time at which the spoken word starts.
    package var from: MediaTime
    /// The time at which the spoken word ends.
    package var to: MediaTime
    /// True if the part follows the previous one without a blank.
    package var isJoined: Bool
  }

  /// The words, at least one.
  package var parts: [Part]

  /// Limits of a group: words, and letters if it has several words. Wide East Asian letters count
  /// as two.
  package static let (mostWords, mostLetters) = (5, 32)
  /// The silence that ends a group, and the time for which the group stays visible in a silence.
  private static let (silence, rest) = (
    MediaTime(nanoseconds: 600_000_000), MediaTime(nanoseconds: 400_000_000)
  )

  /// The group's text, with blanks.
  package var text: String {
    parts.reduce(into: "") { text, part in
      text += (text.isEmpty || part.isJoined ? "" : " ") + part.text
    }
  }

  /// The start of the group: of its first word.
  package var from: MediaTime { parts.first?.from ?? .zero }

  /// The end of the group: of its last word.
  package var to: MediaTime { parts.last?.to ?? .zero }

  /// Returns the time at which the group disappears, given the `next` one: its start, or 0.4 s into
  /// a silence.
  package func end(before next: CaptionWordGroup?) -> MediaTime {
    guard let next else { return to + Self.rest }
    return next.from - to < Self.silence ? max(to, next.from) : min(to + Self.rest, next.from)
  }

  /// Divides `words` into groups of two to five, at sentences, clauses and silences.
  ///
  /// - Parameters:
  ///   - words: the words in order.
  ///   - pieces: splits a word of a script without blanks into its parts; other words have one
  ///     part.
  /// - Returns: the groups in order.
  package static func groups(
    _ words: [Transcript.Word], pieces: (String) -> [String] = { [$0] }
  ) -> [CaptionWordGroup] {
    var phrases: [[Part]] = []
    for part in parts(of: words, pieces) {
      if let last = phrases.last?.last, !last.endsSentence, part.from - last.to < silence {
        phrases[phrases.count - 1].append(part)
      } else {
        phrases.append([part])
      }
    }
    return phrases.flatMap(split)
  }

  private static func parts(
    of words: [Transcript.Word], _ pieces: (String) -> [String]
  ) -> [Part] {
    var parts: [Part] = []
    for word in words {
      let text = TextSanitizer.line(word.text)
      guard !text.isEmpty else { continue }
      let isDense = parts.last?.text.isJoined(to: text) ?? false
      for (number, piece) in Transcript.Word.spread(pieces(text), word.from, word.to).enumerated() {
        guard !piece.text.isEmpty else { continue }
        parts.append(
          Part(text: piece.text, from: piece.from, to: piece.to, isJoined: number > 0 || isDense))
      }
    }
    return parts
  }

  /// Splits a phrase into groups with minimum cost: few groups, no single words, ends after commas.
  private static func split(_ phrase: [Part]) -> [CaptionWordGroup] {
    var best: [(cost: Int, start: Int)] = [(0, 0)]
    for end in 1...phrase.count {
      var (found, letters, units) = ((cost: Int.max, start: end - 1), 0, 0)
      for start in (0..<end).reversed() {
        letters += phrase[start].letters + (start < end - 1 ? 1 : 0)
        units += phrase[start].units
        let size = (units + 3) / 4
        guard end - start == 1 || letters <= mostLetters && size <= mostWords else { break }
        let cost =
          best[start].cost + 3 + (size == 1 ? 12 : size == 2 ? 2 : size == mostWords ? 1 : 0)
          - (phrase[end - 1].endsClause ? 3 : 0)
        if cost < found.cost { found = (cost, start) }
      }
      best.append(found)
    }
    var (groups, end) = ([CaptionWordGroup](), phrase.count)
    while end > 0 {
      let start = best[end].start
      groups.append(CaptionWordGroup(parts: Array(phrase[start..<end])))
      end = start
    }
    return groups.reversed()
  }
}

extension CaptionWordGroup.Part {
  fileprivate var letters: Int { text.reduce(0) { $0 + ($1.isWide ? 2 : 1) } }

  /// The part's weight against ``CaptionWordGroup/mostWords``, in quarters of a word.
  fileprivate var units: Int { text.first?.isDense == true ? letters : 4 }

  fileprivate var endsSentence: Bool {
    text.last.map(".?!\u{2026}\u{3002}\u{ff01}\u{ff1f}".contains) == true
  }

  fileprivate var endsClause: Bool {
    text.last.map(",;:\u{2013}\u{2014}\u{3001}\u{ff0c}\u{060c}".contains) == true
  }
}

extension Character {
  /// True if the character's script is written without blanks between words.
  package var isDense: Bool {
    guard let scalar = unicodeScalars.first?.value else { return false }
    switch scalar {
    // Thai, Lao, Myanmar, Khmer.
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff: return true
    default: return isWide && !(0xac00...0xd7a3).contains(scalar)
    }
  }

  /// True for East Asian characters of double width.
  fileprivate var isWide: Bool {
    guard let scalar = unicodeScalars.first?.value else { return false }
    switch scalar {
    case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe4f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd:
      return true
    default: return false
    }
  }
}
