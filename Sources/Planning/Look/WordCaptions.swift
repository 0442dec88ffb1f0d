import TesseraCaptions
import TesseraLettering
import TesseraMedia
import TesseraPlan
import TesseraTimeline

extension Plan {
  /// What is said in the output as words that are shown while they are said: of people who speak at
  /// once, those who began later stand above, two at most.
  func shownWords(
    coloring isColoring: Bool, pieces: (String) -> [String]
  ) -> [ShownWords] {
    let rate = output.video.frameRate
    func isShown(_ word: Transcript.Word) -> Bool {
      let middle = MediaTime(nanoseconds: word.from.nanoseconds / 2 +| word.to.nanoseconds / 2)
      return !word.isStruck && cut.output(of: rate.firstFrame(showing: middle)) != nil
    }
    var (shown, ends) = ([ShownWords](), [MediaTime.zero, .zero])
    for line in lines where !line.text.isEmpty {
      let words = line.timedWords.filter(isShown)
      let groups = WordGroup.groups(words, pieces: pieces)
      guard let first = groups.first, let last = groups.last,
        let level = ends.firstIndex(where: { $0 <= first.from })
      else { continue }
      // What stands for a while after the last word makes room for who goes on.
      ends[level] = last.to
      if let before = shown.lastIndex(where: { $0.level == level }),
        shown[before].times.end > first.from
      {
        shown[before].times.end = max(shown[before].group.to, first.from)
      }
      let color = isColoring ? line.participant.map { Lettering.wordColor(of: $0.rawValue) } : nil
      for (number, group) in groups.enumerated() {
        let next = number + 1 < groups.count ? groups[number + 1] : nil
        shown.append(
          ShownWords(
            group, TimeRange(start: group.from, end: group.end(before: next)), color: color,
            level: level))
      }
    }
    return shown
  }
}

extension Plan.Line {
  /// The words; where their times are unknown, each has its share of the line's letters.
  fileprivate var timedWords: [Transcript.Word] {
    var line = Transcript.Line(nil, from: interval.start, to: interval.end, text)
    line.words = words
    return line.timedWords
  }
}
