/// Tracks which of many overlays are visible in a frame that mostly moves forward.
///
/// While the set stays the same, a move takes two comparisons.
struct OverlayCursor {
  /// The indexes of the visible overlays, ascending.
  private(set) var current: [Int] = []
  /// The frames in which each overlay is visible.
  private let overlays: [Range<Int>]
  /// The overlays' indexes, sorted by first frame.
  private let order: [Int]
  /// Number of entries of ``order`` that have begun.
  private var begun = 0
  private var frame = Int.min
  /// The first frame in which an overlay of ``current`` is no longer visible.
  private var end = Int.max

  /// Creates a cursor over `overlays`, before their first frame.
  init(_ overlays: [Range<Int>]) {
    self.overlays = overlays
    order = overlays.indices.sorted {
      (overlays[$0].lowerBound, $0) < (overlays[$1].lowerBound, $1)
    }
  }

  /// Updates ``current`` for `frame`. Returns false if it is certainly unchanged.
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
