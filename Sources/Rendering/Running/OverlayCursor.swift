import TesseraLettering
import TesseraTimeline

/// Which of many overlays are there at a time that mostly goes forward.
///
/// While they stay the same, moving on takes two comparisons.
struct OverlayCursor {
  /// The numbers of the overlays that are there, ascending.
  private(set) var current: [Int] = []
  private let overlays: [CanvasOverlay]
  /// The overlays' numbers in the order in which they begin.
  private let order: [Int]
  /// How many of ``order`` have begun.
  private var begun = 0
  private var time: MediaTime
  /// When the first of ``current`` ends.
  private var end: MediaTime

  /// A cursor before all of `overlays`.
  init(_ overlays: [CanvasOverlay]) {
    self.overlays = overlays
    order = overlays.indices.sorted {
      (overlays[$0].from, $0) < (overlays[$1].from, $1)
    }
    time = MediaTime(nanoseconds: .min)
    end = MediaTime(nanoseconds: .max)
  }

  /// Brings ``current`` to what is there at `time`, and returns whether that may be other than
  /// before.
  ///
  /// - Complexity: amortized O(1) forward, O(n) backward.
  mutating func move(to time: MediaTime) -> Bool {
    let isBack = time < self.time
    self.time = time
    if isBack {
      begun = 0
      current.removeAll(keepingCapacity: true)
    } else if time < end, begun == order.count || overlays[order[begun]].from > time {
      return false
    }
    current.removeAll { overlays[$0].to <= time }
    while begun < order.count, overlays[order[begun]].from <= time {
      if overlays[order[begun]].to > time { current.append(order[begun]) }
      begun += 1
    }
    current.sort()
    end = current.map { overlays[$0].to }.min() ?? MediaTime(nanoseconds: .max)
    return true
  }
}
