/// The parts of a call's time that an output keeps.
///
/// Lists intersect: a time is kept where every rule keeps it. Nothing is ever shifted; what comes
/// out is counted by ``FrameCut``.
package struct CutList: Hashable, Sendable {
  /// What is kept, in ascending order; none is empty, no two touch.
  package let kept: [TimeRange]

  /// The time that no call reaches.
  private static let forever = MediaTime(nanoseconds: .max)

  /// Everything.
  package static let whole = CutList(keeping: [TimeRange(start: .zero, end: forever)])

  /// Keeps `ranges`, in any order, and nothing else; what lies before zero is nothing.
  package init(keeping ranges: [TimeRange]) {
    var kept: [TimeRange] = []
    for range in ranges.sorted(by: { $0.start < $1.start }) {
      let range = TimeRange(start: max(.zero, range.start), end: range.end)
      guard range.duration > .zero else { continue }
      if let last = kept.last, range.start <= last.end {
        kept[kept.count - 1].end = max(last.end, range.end)
      } else {
        kept.append(range)
      }
    }
    self.kept = kept
  }

  /// Keeps everything but `ranges`, which may be in any order.
  package init(cutting ranges: [TimeRange]) {
    let holes = CutList(keeping: ranges).kept
    let starts = [.zero] + holes.map(\.end)
    let ends = holes.map(\.start) + [Self.forever]
    self.init(keeping: zip(starts, ends).map { TimeRange(start: $0, end: $1) })
  }

  /// What is kept from `start`, or the beginning, up to `end`, or the end.
  package init(from start: MediaTime?, to end: MediaTime?) {
    self.init(keeping: [TimeRange(start: start ?? .zero, end: end ?? Self.forever)])
  }

  /// Whether nothing is cut.
  package var isWhole: Bool { self == .whole }

  /// What both keep.
  package func intersection(_ other: CutList) -> CutList {
    var (common, left, right) = ([TimeRange](), 0, 0)
    while left < kept.count, right < other.kept.count {
      let (a, b) = (kept[left], other.kept[right])
      common.append(TimeRange(start: max(a.start, b.start), end: min(a.end, b.end)))
      if a.end < b.end { left += 1 } else { right += 1 }
    }
    return CutList(keeping: common)
  }

  /// What is kept of `range`; found by halving, so that many short ranges cost little.
  package func clipped(to range: TimeRange) -> [TimeRange] {
    let first = kept.partitioningIndex { $0.end > range.start }
    return kept[first...].prefix { $0.start < range.end }.map {
      TimeRange(start: max($0.start, range.start), end: min($0.end, range.end))
    }
  }

  /// Where a part begins, kept or cut, that a call which ends at `end` does not reach; nil where none
  /// does.
  package func place(beyond end: MediaTime) -> MediaTime? {
    guard let index = kept.firstIndex(where: { $0.start >= end }) else { return nil }
    let before = index > 0 ? kept[index - 1].end : .zero
    if before >= end { return before }
    return kept[index].end == Self.forever ? nil : kept[index].start
  }

  /// Whether `time` is kept.
  package func contains(_ time: MediaTime) -> Bool {
    let index = kept.partitioningIndex { $0.end > time }
    return index < kept.count && kept[index].start <= time
  }

  /// What of a call that ends at `end` is cut, in ascending order.
  package func holes(before end: MediaTime) -> [TimeRange] {
    var (holes, last) = ([TimeRange](), MediaTime.zero)
    for range in kept where range.start < end {
      if range.start > last { holes.append(TimeRange(start: last, end: range.start)) }
      last = range.end
    }
    if last < end { holes.append(TimeRange(start: last, end: end)) }
    return holes
  }
}
