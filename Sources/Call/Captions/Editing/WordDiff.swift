/// What somebody has made of the words of a paragraph.
///
/// Words that are the same but for their case and marks are found by Myers's difference. Between
/// them, words that stand in the place of others are other spellings of those; what has nothing in
/// its place is struck.
struct WordDiff {
  /// What became of a word: nil where it is struck, else its spelling.
  private(set) var words: [String?]
  /// Words that somebody has added, and after how many of the paragraph's own.
  private(set) var added: [(place: Int, text: String)] = []

  /// As many words are compared, before and after: what it takes grows with the square of those that
  /// differ.
  private static let mostWords = 5000
  /// Pairs of words are compared letter by letter up to so many.
  private static let mostPairs = 10_000
  /// Texts that are alike to this degree are spellings of one another.
  private static let likeness = 0.6

  /// `original` became `edited`, of which some are struck; nil where more words changed than are
  /// compared.
  init?(_ original: [String], _ edited: [(text: String, isStruck: Bool)]) {
    words = Array(repeating: nil, count: original.count)
    let (old, new) = (original.map(\.wordKey), edited.map(\.text.wordKey))
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old[head...].reversed(), new[head...].reversed()).prefix { $0 == $1 }.count
    let middle = (old: old[head..<old.count - tail], new: new[head..<new.count - tail])
    guard
      middle.old.isEmpty || middle.new.isEmpty
        || middle.old.count + middle.new.count <= Self.mostWords
    else { return nil }
    var (gone, come) = (Set<Int>(), Set<Int>())
    for change in Array(middle.new).difference(from: Array(middle.old)) {
      switch change {
      case .remove(let offset, _, _): gone.insert(head + offset)
      case .insert(let offset, _, _): come.insert(head + offset)
      }
    }
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let (first, begin) = (left, right)
      while left < old.count, gone.contains(left) { left += 1 }
      while right < new.count, come.contains(right) { right += 1 }
      replace(first..<left, original, edited[begin..<right].filter { !$0.isStruck }.map(\.text))
      guard left < old.count, right < new.count else { continue }
      if !edited[right].isStruck { words[left] = edited[right].text }
      (left, right) = (left + 1, right + 1)
    }
  }

  /// `spellings` stand in the place of the words `range`.
  private mutating func replace(
    _ range: Range<Int>, _ original: [String], _ spellings: [String]
  ) {
    guard !spellings.isEmpty else { return }
    guard !range.isEmpty else {
      added.append((range.lowerBound, spellings.joinedWords))
      return
    }
    let isOneText =
      Self.likeness(original[range].map(\.wordKey).joined(), spellings.map(\.wordKey).joined())
      >= Self.likeness
    if isOneText || spellings.count >= range.count {
      // As many stay as there are, the last one with all that is left.
      for (number, index) in range.enumerated() {
        let isLast = index == range.upperBound - 1
        let rest = spellings.dropFirst(number)
        words[index] = (isLast ? Array(rest) : Array(rest.prefix(1))).joinedWords
      }
      return
    }
    for (index, spelling) in pairs(range, original, spellings) { words[index] = spelling }
  }

  /// Each spelling with the word that it is most like, in their order.
  private func pairs(
    _ range: Range<Int>, _ original: [String], _ spellings: [String]
  ) -> [(Int, String)] {
    guard range.count * spellings.count <= Self.mostPairs else {
      return zip(range, spellings).map { ($0, $1) }
    }
    // The best sum of likenesses of the first words with the first spellings, all of which are used.
    var sums = [[Double]](
      repeating: Array(repeating: -1, count: spellings.count + 1), count: range.count + 1)
    for word in 0...range.count { sums[word][0] = 0 }
    for word in 0..<range.count {
      for spelling in 0..<min(word + 1, spellings.count) {
        let likeness = Self.likeness(
          original[range.lowerBound + word].wordKey, spellings[spelling].wordKey)
        sums[word + 1][spelling + 1] = max(
          sums[word][spelling + 1], sums[word][spelling] + likeness)
      }
    }
    var (pairs, word, spelling) = ([(Int, String)](), range.count, spellings.count)
    while spelling > 0, word > 0 {
      if word > spelling, sums[word - 1][spelling] == sums[word][spelling] {
        word -= 1
      } else {
        (word, spelling) = (word - 1, spelling - 1)
        pairs.append((range.lowerBound + word, spellings[spelling]))
      }
    }
    return pairs
  }

  /// How alike two texts are, 0...1: one less the part of letters to change (Levenshtein).
  static func likeness(_ first: String, _ second: String) -> Double {
    let (one, other) = (
      Array(first.unicodeScalars.prefix(400)), Array(second.unicodeScalars.prefix(400))
    )
    guard !one.isEmpty, !other.isEmpty else { return one.isEmpty && other.isEmpty ? 1 : 0 }
    var row = Array(0...other.count)
    for (line, scalar) in one.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in other.indices {
        let change = diagonal + (scalar == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, diagonal + 1, row[column] + 1)
      }
    }
    return 1 - Double(row[other.count]) / Double(max(one.count, other.count))
  }
}

extension String {
  /// The letters and digits of a word, small; all of it where it has none.
  package var wordKey: String {
    let key = lowercased().filter { $0.isLetter || $0.isNumber }
    return key.isEmpty ? self : key
  }
}
