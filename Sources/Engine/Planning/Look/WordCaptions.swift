import TesseraCaptions
import TesseraLettering
import TesseraPlan
import TesseraTimeline

extension Plan {
  /// Returns the groups of words for captions word by word: in the speakers' colors if `isColoring`
  /// is true. `pieces` splits a text that is written without spaces.
  ///
  /// A line is shown on the lower of two levels if that is free when the line starts, otherwise on
  /// the upper one, and not at all if both are taken.
  func shownWords(
    coloring isColoring: Bool, pieces: (String) -> [String]
  ) -> [WordCaption] {
    let hearing = self.hearing
    var (shown, ends) = ([WordCaption](), [MediaTime.zero, .zero])
    for line in lines where !line.text.isEmpty {
      let words = line.spoken(by: nil).timedWords.filter {
        hearing.contains($0, of: line.participant)
      }
      let groups = CaptionWordGroup.groups(words, pieces: pieces)
      guard let first = groups.first, let last = groups.last,
        let level = ends.firstIndex(where: { $0 <= first.from })
      else { continue }
      // A group that lingers after its last word makes room for the next one.
      ends[level] = last.to
      if let before = shown.lastIndex(where: { $0.level == level }),
        shown[before].times.end > first.from
      {
        shown[before].times.end = max(shown[before].group.to, first.from)
      }
      let color =
        isColoring ? line.participant.map { LetteringRenderer.wordColor(of: $0.rawValue) } : nil
      for (number, group) in groups.enumerated() {
        let next = number + 1 < groups.count ? groups[number + 1] : nil
        shown.append(
          WordCaption(
            group, TimeRange(start: group.from, end: group.end(before: next)), color: color,
            level: level))
      }
    }
    return shown
  }
}
