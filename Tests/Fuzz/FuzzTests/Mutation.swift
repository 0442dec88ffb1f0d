import TestSupport

/// Creates invalid inputs from valid ones.
struct Mutation {
  private let corpus: [[UInt8]]
  /// The inserted words: critical tokens, and words of the corpus.
  private let words: [[UInt8]]
  private var random: SplitMix64

  init(_ corpus: [[UInt8]], seed: UInt64) {
    self.corpus = corpus
    words = Self.tokens + corpus.flatMap(Self.words)
    random = SplitMix64(seed: seed)
  }

  private static let tokens = [
    "-1", "1e999", "9223372036854775807", "-9223372036854775808", "0.0000000001", "null", "\"\"",
    "[]", "{}", "[[[[[[[[", "}}}}", "\"\\ud83d", "\u{0}", "../", "/", "\\", "*", "&a ", "*a", "- ",
    ": ", "\n", "\"", "'", ",", "true", "1760000000412", "2025-10-09T08:53:20Z", "none", "😀", "🏳️‍🌈",
    "\u{202e}", "%{}", "\u{feff}", "\t", "#", "? ", "! ", "|\n", ">-\n", "<<: ", "NaN", "00",
  ].map { Array($0.utf8) }

  private static func words(_ bytes: [UInt8]) -> [[UInt8]] {
    let found = bytes.split { !isWord($0) && $0 != 0x2d && $0 != 0x5f }.prefix(2000)
    return Set(found.map(Array.init)).filter { $0.count > 1 }.sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20)
  }

  /// Returns the next input.
  mutating func next() -> [UInt8] {
    var bytes = corpus.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&bytes) }
    return bytes
  }

  private mutating func range(_ bytes: [UInt8]) -> Range<Int> {
    let first = Int.random(in: 0...bytes.count, using: &random)
    return first..<min(bytes.count, first + Int.random(in: 0...24, using: &random))
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = range(bytes)
    switch Int.random(in: 0..<8, using: &random) {
    case 0 where !place.isEmpty:
      bytes[place.lowerBound] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where !place.isEmpty: bytes[place.lowerBound] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.removeSubrange(place)
    case 3: bytes.insert(contentsOf: bytes[range(bytes)], at: place.lowerBound)
    case 4: bytes.replaceSubrange(place, with: words.randomElement(using: &random) ?? [])
    case 5:
      bytes.insert(
        contentsOf: words.randomElement(using: &random) ?? [], at: place.lowerBound)
    case 6:
      let other = corpus.randomElement(using: &random) ?? []
      bytes.replaceSubrange(place, with: other[range(other)])
    default: replaceNumber(&bytes, from: place.lowerBound)
    }
  }

  /// Replaces the next number or word by a token.
  private mutating func replaceNumber(_ bytes: inout [UInt8], from start: Int) {
    guard let first = bytes[start...].firstIndex(where: Self.isWord) else { return }
    let end = bytes[first...].firstIndex { !Self.isWord($0) } ?? bytes.count
    bytes.replaceSubrange(first..<end, with: words.randomElement(using: &random) ?? [])
  }
}
