/// Compares the words of a paragraph before and after editing.
///
/// Myers's difference finds equal words, ignoring case and punctuation. Between equal words, a
/// replacement counts as a new spelling of the words it replaces. Words without a replacement are
/// struck.
struct WordDiff {
  /// For each original word, its new spelling; `nil` if it is struck.
  private(set) var words: [String?]
  /// The inserted texts, each with the number of original words before it.
  private(set) var added: [(place: Int, text: String)] = []

  /// The maximum number of words to compare, old and new together. The time grows with the square
  /// of the changed words.
  private static let mostWords = 5000
  /// The maximum number of word pairs that are compared by letters.
  private static let mostPairs = 10_000
  /// The least ``likeness(_:_:)`` of two texts that count as spellings of each other.
  private static let likeness = 0.6

  /// Compares `original` with `edited`, in which words may be struck.
  ///
  /// Returns `nil` if the changed part of the paragraph has more than 5000 words.
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

  /// Records `spellings` as the replacement of the words in `range`.
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
      // All words in `range` stay; the last one takes the remaining spellings.
      for (number, index) in range.enumerated() {
        let isLast = index == range.upperBound - 1
        let rest = spellings.dropFirst(number)
        words[index] = (isLast ? Array(rest) : Array(rest.prefix(1))).joinedWords
      }
      return
    }
    for (index, spelling) in pairs(range, original, spellings) { words[index] = spelling }
  }

  /// Assigns each spelling to a word, in order, with the maximum sum of likenesses.
  private func pairs(
    _ range: Range<Int>, _ original: [String], _ spellings: [String]
  ) -> [(Int, String)] {
    guard range.count * spellings.count <= Self.mostPairs else {
      return zip(range, spellings).map { ($0, $1) }
    }
    // `sums[w][s]`: the best sum of likenesses if the first s spellings are assigned to the first w
    // words.
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

  /// Returns the similarity of two texts, 0...1: 1 minus the Levenshtein distance divided by the
  /// longer length.
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
  /// The letters and digits of a word in lower case; the word itself if it has none.
  package var wordKey: String {
    let key = lowercased().filter { $0.isLetter || $0.isNumber }
    return key.isEmpty ? self : key
  }
}
