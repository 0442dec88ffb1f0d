/// Where times of a call are in an output that shows the frames of a ``FrameCut``.
package struct CutTimes: Hashable, Sendable {
  private let cut: FrameCut
  private let rate: FrameRate

  /// The times of the frames `cut` at `rate`.
  package init(_ cut: FrameCut, at rate: FrameRate) { (self.cut, self.rate) = (cut, rate) }

  /// When the output shows `time` of the call; what is cut is at its splice.
  package func output(_ time: MediaTime) -> MediaTime {
    let index = cut.ranges.partitioningIndex { rate.time(ofFrame: $0.upperBound) > time }
    guard index < cut.ranges.count else { return rate.time(ofFrame: cut.count) }
    let start = rate.time(ofFrame: cut.ranges[index].lowerBound)
    let first = rate.time(ofFrame: cut.output(from: cut.ranges[index].lowerBound))
    return first + max(.zero, time - start)
  }

  /// When the output shows what of `interval` of the call is kept; nil where nothing is.
  package func output(_ interval: TimeRange) -> TimeRange? {
    let (start, end) = (output(interval.start), output(interval.end))
    return start < end ? TimeRange(start: start, end: end) : nil
  }

  /// The time of the call that the output shows at `time`, 0 to its end.
  package func call(_ time: MediaTime) -> MediaTime {
    let frame = min(max(0, rate.firstFrame(at: time + .nanosecond) - 1), cut.count - 1)
    guard frame >= 0 else { return .zero }
    return rate.time(ofFrame: cut[frame]) + (time - rate.time(ofFrame: frame))
  }

  /// What of a call of `frameCount` frames is cut, by its times.
  package func holes(before frameCount: Int) -> [TimeRange] {
    var (holes, last) = ([TimeRange](), 0)
    for range in cut.ranges + [frameCount..<frameCount] {
      if last < range.lowerBound {
        holes.append(
          TimeRange(start: rate.time(ofFrame: last), end: rate.time(ofFrame: range.lowerBound)))
      }
      last = range.upperBound
    }
    return holes
  }
}

extension MediaTime {
  fileprivate static let nanosecond = MediaTime(nanoseconds: 1)
}
