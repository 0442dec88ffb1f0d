/// Divides a caption file into blocks that are cues, valid or not; skips headers, comments and
/// styles.
struct CaptionBlockParser {
  /// The lines of a cue, or of stray text without times.
  struct Block {
    /// The number of the first line, from 1.
    let line: Int
    /// The first line: the times of a cue.
    let first: Substring
    /// True if ``first`` should contain times.
    let hasArrow: Bool
    /// The lines after ``first``.
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

  /// Reads the next block; `nil` at the end.
  mutating func next() -> Block? {
    while index < lines.count {
      let first = index
      if CaptionMarkupParser.isBlank(lines[first]) {
        index += 1
      } else if holdsTimes(first) {
        index += 1
        skipLines()
        return Block(
          line: first + 1, first: lines[first], hasArrow: true, text: lines[first + 1..<endOfText])
      } else {
        skipLines()
        let isName = index == first + 1 && (isAtTimes || lines[first].allSatisfy(\.isNumber))
        guard !isName, !(isWebVTT && CaptionMarkupParser.isAside(lines[first])) else { continue }
        return Block(
          line: first + 1, first: lines[first], hasArrow: false, text: lines[first + 1..<index])
      }
    }
    return nil
  }

  /// Advances to the next blank line or the times of the next cue.
  private mutating func skipLines() {
    while index < lines.count, !CaptionMarkupParser.isBlank(lines[index]), !holdsTimes(index) {
      index += 1
    }
  }

  private var isAtTimes: Bool { index < lines.count && holdsTimes(index) }

  /// The end of a cue's text. In SubRip, a number directly before the next times belongs to the
  /// next cue.
  private var endOfText: Int {
    isAtTimes && !isWebVTT && lines[index - 1].allSatisfy(\.isNumber) ? index - 1 : index
  }

  /// True if a line should contain times. In SubRip, the text of a cue may contain an arrow.
  private func holdsTimes(_ index: Int) -> Bool {
    guard lines[index].contains("-->") else { return false }
    return isWebVTT || index == 0 || lines[index - 1].allSatisfy { $0.isNumber || $0.isWhitespace }
      || CaptionMarkupParser.times(lines[index]) != nil
  }
}
