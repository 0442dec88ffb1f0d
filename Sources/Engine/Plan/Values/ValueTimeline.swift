import TesseraTimeline

/// A value that changes over time: a step function over the frames of a timeline.
package struct ValueTimeline<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
  /// A value and the first frame that has it.
  package struct Change: Hashable, Sendable, Codable {
    package var frame: Int
    package var value: Value

    package init(_ frame: Int, _ value: Value) { (self.frame, self.value) = (frame, value) }
  }

  /// The changes in ascending order of frames. Neighbors have different values.
  package private(set) var all: [Change] = []

  /// Creates a step function without a value in any frame.
  package init() {}

  /// Creates a step function that has `value` from frame 0 on.
  package init(_ value: Value) { all = [Change(0, value)] }

  /// Appends a change to `value` at `frame`. Changes at or after `frame` are replaced.
  package mutating func append(_ value: Value, from frame: Int) {
    while let last = all.last, last.frame >= frame { all.removeLast() }
    if all.last?.value != value { all.append(Change(frame, value)) }
  }

  /// Returns the index of the change that applies to `frame`; nil before the first change.
  ///
  /// - Complexity: O(log n).
  package func index(in frame: Int) -> Int? {
    let next = all.partitioningIndex { $0.frame > frame }
    return next > 0 ? next - 1 : nil
  }

  /// Returns the part that covers `frames`, counted from frame `origin`. The value at the start of
  /// `frames` becomes its first change.
  package func slice(_ frames: Range<Int>, from origin: Int) -> ValueTimeline {
    var slice = ValueTimeline()
    let first = index(in: frames.lowerBound) ?? 0
    for change in all[min(first, all.count)...].prefix(while: { $0.frame < frames.upperBound }) {
      slice.append(change.value, from: max(change.frame, frames.lowerBound) - origin)
    }
    return slice
  }

  /// The value that applies to `frame`; nil before the first change.
  package subscript(frame: Int) -> Value? { index(in: frame).map { all[$0].value } }

  /// Returns the frames before `end` whose value satisfies `isMeant`, as merged ranges.
  package func frames(before end: Int, where isMeant: (Value) -> Bool) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for (index, change) in all.enumerated() where change.frame < end && isMeant(change.value) {
      let next = index + 1 < all.count ? min(end, all[index + 1].frame) : end
      ranges.append(max(0, change.frame)..<max(0, next))
    }
    return ranges.merged
  }
}

extension Array where Element == Range<Int> {
  /// The union of the ranges: sorted, without empty, overlapping or touching ranges.
  package var merged: [Range<Int>] {
    var result: [Range<Int>] = []
    for range in filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Returns the last number before `end` in these ranges, which must be ``merged``; nil if there
  /// is none.
  package func last(before end: Int) -> Int? {
    last { $0.lowerBound < end }.map { Swift.min($0.upperBound, end) - 1 }
  }

  /// Returns the numbers of these ranges that are in none of `others`. The ranges must be
  /// ``merged``.
  package func subtracting(_ others: [Range<Int>]) -> [Range<Int>] {
    flatMap { range in
      var rest = [range]
      for other in others {
        rest = rest.flatMap { piece -> [Range<Int>] in
          guard piece.overlaps(other) else { return [piece] }
          return [
            piece.lowerBound..<Swift.max(piece.lowerBound, other.lowerBound),
            Swift.min(piece.upperBound, other.upperBound)..<piece.upperBound,
          ]
        }
      }
      return rest
    }.merged
  }

  /// Returns the ranges, moved up by `distance`.
  package func moved(by distance: Int) -> [Range<Int>] { map { $0.moved(by: distance) } }

  /// Returns the numbers that are in these ranges and in `others`. Both must be ``merged``.
  package func intersection(_ others: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var (i, j) = (0, 0)
    while i < count, j < others.count {
      let common = self[i].clamped(to: others[j])
      if !common.isEmpty { result.append(common) }
      if self[i].upperBound < others[j].upperBound { i += 1 } else { j += 1 }
    }
    return result
  }
}

extension Range<Int> {
  /// Returns the range, moved up by `distance`.
  package func moved(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}
