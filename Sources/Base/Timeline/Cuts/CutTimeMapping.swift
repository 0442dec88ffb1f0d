/// A mapping between times of a call and times of an output with the frames of a
/// ``FrameSelection``.
package struct CutTimeMapping: Hashable, Sendable {
  private let cut: FrameSelection
  private let rate: FrameRate

  package init(_ cut: FrameSelection, at rate: FrameRate) { (self.cut, self.rate) = (cut, rate) }

  /// Maps `time` of the call to the output; a time that is cut maps to its splice.
  package func output(_ time: MediaTime) -> MediaTime {
    let index = cut.ranges.partitioningIndex { rate.time(ofFrame: $0.upperBound) > time }
    guard index < cut.ranges.count else { return rate.time(ofFrame: cut.count) }
    let start = rate.time(ofFrame: cut.ranges[index].lowerBound)
    let first = rate.time(ofFrame: cut.output(from: cut.ranges[index].lowerBound))
    return first + max(.zero, time - start)
  }

  /// Maps the kept part of `interval` of the call to the output; `nil` if nothing of it is kept.
  package func output(_ interval: TimeRange) -> TimeRange? {
    let (start, end) = (output(interval.start), output(interval.end))
    return start < end ? TimeRange(start: start, end: end) : nil
  }

  /// Maps `time` of the output, from 0 to its end, to the call.
  package func call(_ time: MediaTime) -> MediaTime {
    let frame = min(max(0, rate.firstFrame(at: time + .nanosecond) - 1), cut.count - 1)
    guard frame >= 0 else { return .zero }
    return rate.time(ofFrame: cut[frame]) + (time - rate.time(ofFrame: frame))
  }

  /// Returns the cut parts of a call of `frameCount` frames, in ascending order.
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
