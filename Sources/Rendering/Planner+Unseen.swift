import Layout
import Timeline

extension Planner {
  /// When the layout has no place for participant number `index` on the canvas, as a sentence; nil
  /// where it always has one in `shown`.
  static func strayLoss(
    of index: Int, path: String, _ layout: AttributeTimeline, shown: Timeline.TimeInterval
  ) -> String? {
    let times = layout.strayTimes(of: index, before: shown.end)
      .filter { $0.end > shown.start }
      .map { "from \(max($0.start, shown.start).clock) to \($0.end.clock)" }
    guard !times.isEmpty else { return nil }
    return "\(path): the layout puts its tile outside the canvas, so that it is not seen "
      + "\(times.joined(separator: ", ")); make room for it there."
  }

  /// Who is never seen because the layout scrolls and has no room for everyone at once, as a sentence.
  static func notes(_ layout: AttributeTimeline, _ people: People, end: MediaTime) -> [String] {
    let unseen = people.names.indices.filter { layout.isOutOfSight($0, before: end) }
      .map { people.names[$0][0] }
    guard let last = unseen.last else { return [] }
    let (listed, rest) =
      unseen.count > 3 ? (2, "\(unseen.count - 2) more") : (unseen.count - 1, last)
    let them =
      listed > 0 ? unseen[..<listed].joined(separator: ", ") + " and \(rest) are" : "\(rest) is"
    return ["\(them) never seen: this layout shows only some at once; a grid shows all."]
  }
}
