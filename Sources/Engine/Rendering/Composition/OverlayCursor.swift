import TesseraPlan

/// Which of many overlays are there in a frame that mostly goes forward.
///
/// While they stay the same, moving on takes two comparisons.
struct OverlayCursor {
  /// The numbers of the overlays that are there, ascending.
  private(set) var current: [Int] = []
  /// The frames in which each overlay is there.
  private let overlays: [Range<Int>]
  /// The overlays' numbers in the order in which they begin.
  private let order: [Int]
  /// How many of ``order`` have begun.
  private var begun = 0
  private var frame = Int.min
  /// Where the first of ``current`` ends.
  private var end = Int.max

  /// A cursor before all of `overlays`.
  init(_ overlays: [Range<Int>]) {
    self.overlays = overlays
    order = overlays.indices.sorted {
      (overlays[$0].lowerBound, $0) < (overlays[$1].lowerBound, $1)
    }
  }

  /// Brings ``current`` to what is there in `frame`, and returns whether that may be other than
  /// before.
  ///
  /// - Complexity: amortized O(1) forward, O(n) backward.
  mutating func move(to frame: Int) -> Bool {
    let isBack = frame < self.frame
    self.frame = frame
    if isBack {
      begun = 0
      current.removeAll(keepingCapacity: true)
    } else if frame < end, begun == order.count || overlays[order[begun]].lowerBound > frame {
      return false
    }
    current.removeAll { overlays[$0].upperBound <= frame }
    while begun < order.count, overlays[order[begun]].lowerBound <= frame {
      if overlays[order[begun]].upperBound > frame { current.append(order[begun]) }
      begun += 1
    }
    current.sort()
    end = current.map { overlays[$0].upperBound }.min() ?? .max
    return true
  }
}
