import TesseraLayout
import TesseraTimeline

extension Planner {
  /// When nothing of participant number `index` can be seen in `shown` because of where the layout
  /// puts its tile, as a sentence; none where something always can.
  static func strayLosses(
    of index: Int, path: String, _ layout: AttributeTimeline, shown: TesseraTimeline.TimeInterval
  ) -> [String] {
    let times = layout.strayTimes(of: index, before: shown.end)
      .filter { $0.end > shown.start }
      .map { time in
        let start = max(time.start, shown.start)
        return "from \(start.clockWithTenths) to \(time.end.clockWithTenths)"
      }
    guard !times.isEmpty else { return [] }
    return [
      "\(path): the layout has no place for it on the canvas, so that it is not seen "
        + "\(times.listed(most: 4)); make room for its tile."
    ]
  }

  /// Who of those that are there in `frames` is never seen because the layout has too few places, as
  /// a sentence.
  static func notes(
    _ layout: AttributeTimeline, _ participants: [Plan.Participant], frames: Range<Int>
  ) -> [String] {
    let unseen = participants.indices.filter {
      participants[$0].presence.overlaps(frames) && layout.isOutOfSight($0)
    }
    guard !unseen.isEmpty else { return [] }
    let namesakes = Dictionary(grouping: participants, by: \.name)
    let names = unseen.map { index in
      let participant = participants[index]
      return namesakes[participant.name]?.count == 1 ? participant.name : participant.path
    }
    let them = names.listed(most: 3) + (names.count == 1 ? " is" : " are")
    return ["\(them) never seen: this layout shows only some at once; a grid shows more."]
  }
}
