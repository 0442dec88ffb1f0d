/// The blocks of a caption file that are cues, right or wrong; headers, comments and styles are
/// passed over.
struct CaptionBlocks {
  /// The lines of a cue, or of text that belongs to none.
  struct Block {
    /// The number of its first line, from 1.
    let line: Int
    /// Its first line: a cue's times.
    let first: Substring
    /// Whether these should be times.
    let hasArrow: Bool
    /// The lines after it.
    let text: ArraySlice<Substring>
  }

  private let lines: [Substring]
  private let isWebVTT: Bool
  private var index = 0

  init(_ text: String, isWebVTT: Bool) {
    lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    self.isWebVTT = isWebVTT
    if isWebVTT {
      index = 1
      skipLines()
    }
  }

  /// The next block; nil at the end.
  mutating func next() -> Block? {
    while index < lines.count {
      let first = index
      if CaptionMarkup.isBlank(lines[first]) {
        index += 1
      } else if holdsTimes(first) {
        index += 1
        skipLines()
        return Block(
          line: first + 1, first: lines[first], hasArrow: true, text: lines[first + 1..<endOfText])
      } else {
        skipLines()
        let isName = index == first + 1 && (isAtTimes || lines[first].allSatisfy(\.isNumber))
        guard !isName, !(isWebVTT && CaptionMarkup.isAside(lines[first])) else { continue }
        return Block(
          line: first + 1, first: lines[first], hasArrow: false, text: lines[first + 1..<index])
      }
    }
    return nil
  }

  /// Goes on to the next empty line, or the times of the next cue.
  private mutating func skipLines() {
    while index < lines.count, !CaptionMarkup.isBlank(lines[index]), !holdsTimes(index) {
      index += 1
    }
  }

  private var isAtTimes: Bool { index < lines.count && holdsTimes(index) }

  /// The end of a cue's text: in SubRip a number just before the next times is the next cue's.
  private var endOfText: Int {
    isAtTimes && !isWebVTT && lines[index - 1].allSatisfy(\.isNumber) ? index - 1 : index
  }

  /// Whether a line should be times: in SubRip an arrow may stand in a cue's text.
  private func holdsTimes(_ index: Int) -> Bool {
    guard lines[index].contains("-->") else { return false }
    return isWebVTT || index == 0 || lines[index - 1].allSatisfy { $0.isNumber || $0.isWhitespace }
      || CaptionMarkup.times(lines[index]) != nil
  }
}
