import TesseraTimeline

/// What holds from each frame of a timeline on.
package struct Changes<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
  /// A value and the first frame for which it holds.
  package struct Change: Hashable, Sendable, Codable {
    /// The first frame.
    package var frame: Int
    /// What holds from there on.
    package var value: Value

    /// `value` from `frame` on.
    package init(_ frame: Int, _ value: Value) { (self.frame, self.value) = (frame, value) }
  }

  /// The changes in ascending order of their frames; neighbors differ.
  package private(set) var all: [Change] = []

  /// Nothing, ever.
  package init() {}

  /// `value` from the beginning on.
  package init(_ value: Value) { all = [Change(0, value)] }

  /// Lets `value` hold from `frame` on, which is not before the last change.
  package mutating func append(_ value: Value, from frame: Int) {
    while let last = all.last, last.frame >= frame { all.removeLast() }
    if all.last?.value != value { all.append(Change(frame, value)) }
  }

  /// The number of the change that holds in `frame`; nil before the first.
  ///
  /// - Complexity: O(log n).
  package func index(in frame: Int) -> Int? {
    let next = all.partitioningIndex { $0.frame > frame }
    return next > 0 ? next - 1 : nil
  }

  /// What holds in `frames`, counted from frame `origin` on, as if it had begun with them.
  package func slice(_ frames: Range<Int>, from origin: Int) -> Changes {
    var slice = Changes()
    let first = index(in: frames.lowerBound) ?? 0
    for change in all[min(first, all.count)...].prefix(while: { $0.frame < frames.upperBound }) {
      slice.append(change.value, from: max(change.frame, frames.lowerBound) - origin)
    }
    return slice
  }

  /// What holds in `frame`; nil before the first change.
  package subscript(frame: Int) -> Value? { index(in: frame).map { all[$0].value } }

  /// The frames before `end` in which a value that satisfies `isMeant` holds, as ranges that do not
  /// touch.
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
  /// The same numbers as ranges in ascending order that neither touch nor are empty.
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

  /// The last number before `end` in these ranges, which are ``merged``; nil where there is none.
  package func last(before end: Int) -> Int? {
    last { $0.lowerBound < end }.map { Swift.min($0.upperBound, end) - 1 }
  }

  /// The numbers of these ranges, which are ``merged``, that are in none of `others`.
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

  /// The same ranges that many numbers later.
  package func moved(by distance: Int) -> [Range<Int>] { map { $0.moved(by: distance) } }

  /// The numbers that these ranges, which are ``merged``, share with `others`, which are, too.
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
  /// The same range that many numbers later.
  package func moved(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}
