/// The parts of a call that an output keeps.
///
/// Lists intersect: a time is kept if every rule keeps it. Times are those of the call and are
/// never shifted; ``FrameSelection`` converts them to frames of the output.
package struct KeptRanges: Hashable, Sendable {
  /// The kept ranges in ascending order. None is empty, and no two touch.
  package let kept: [TimeRange]

  /// A time beyond the end of any call.
  private static let forever = MediaTime(nanoseconds: .max)

  /// The list that keeps everything.
  package static let whole = KeptRanges(keeping: [TimeRange(start: .zero, end: forever)])

  /// Keeps only `ranges`, in any order. Times before zero are ignored.
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

  /// Keeps everything except `ranges`, in any order.
  package init(cutting ranges: [TimeRange]) {
    let holes = KeptRanges(keeping: ranges).kept
    let starts = [.zero] + holes.map(\.end)
    let ends = holes.map(\.start) + [Self.forever]
    self.init(keeping: zip(starts, ends).map { TimeRange(start: $0, end: $1) })
  }

  /// Returns the list that keeps the times that both lists keep.
  package func intersection(_ other: KeptRanges) -> KeptRanges {
    var (common, left, right) = ([TimeRange](), 0, 0)
    while left < kept.count, right < other.kept.count {
      let (a, b) = (kept[left], other.kept[right])
      common.append(TimeRange(start: max(a.start, b.start), end: min(a.end, b.end)))
      if a.end < b.end { left += 1 } else { right += 1 }
    }
    return KeptRanges(keeping: common)
  }

  /// Returns the kept parts of `range`. Binary search makes many short ranges cheap.
  package func clipped(to range: TimeRange) -> [TimeRange] {
    let first = kept.partitioningIndex { $0.end > range.start }
    return kept[first...].prefix { $0.start < range.end }.map {
      TimeRange(start: max($0.start, range.start), end: min($0.end, range.end))
    }
  }

  /// Returns the beginning of a part, kept or cut, that is beyond the end of a call that ends at
  /// `end`; `nil` if there is none.
  package func place(beyond end: MediaTime) -> MediaTime? {
    guard let index = kept.firstIndex(where: { $0.start >= end }) else { return nil }
    let before = index > 0 ? kept[index - 1].end : .zero
    if before >= end { return before }
    return kept[index].end == Self.forever ? nil : kept[index].start
  }

  /// True if `time` is kept.
  package func contains(_ time: MediaTime) -> Bool {
    let index = kept.partitioningIndex { $0.end > time }
    return index < kept.count && kept[index].start <= time
  }

  /// Returns the cut parts of a call that ends at `end`, in ascending order.
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
