/// Samples of one voice that wait to be mixed, each at its place on the timeline.
///
/// Positions are in frames of interleaved stereo at ``Soundtrack/sampleRate``. Gaps take no memory.
package struct PlacedSamples: Sendable {
  /// Where the next sample goes.
  package private(set) var end: Int64
  /// How many frames were added to a mix so far.
  package private(set) var mixedCount = 0
  /// How many frames were dropped because others already lay there.
  package private(set) var droppedCount = 0
  /// How many frames lie in gaps.
  package private(set) var silentCount: Int64 = 0

  private var samples: [Float] = []
  private var stretches: [Stretch] = []
  private var first: Int64
  private var overlap: Int64 = 0
  private var hasBegun = false

  /// Frames without a gap.
  private struct Stretch: Sendable {
    var start: Int64
    var count: Int
    var end: Int64 { start + Int64(count) }
  }

  /// A queue that forgets what lies before `first`.
  package init(from first: Int64) {
    self.first = first
    self.end = first
  }

  /// Puts what is appended next at `position`: behind a gap, or, where it lies before ``end``,
  /// with its first samples dropped.
  package mutating func move(to position: Int64) {
    if hasBegun { silentCount += max(0, position - end) }
    overlap = hasBegun ? max(0, end - position) : 0
    end = hasBegun ? max(end, position) : position
    hasBegun = true
  }

  /// Appends interleaved samples at ``end``.
  package mutating func append(_ new: [Float]) {
    let count = Int64(new.count / 2)
    let dropped = min(overlap, count)
    overlap -= dropped
    droppedCount += Int(dropped)
    let kept = count - dropped
    let outside = min(kept, max(0, first - end))
    end += kept
    guard outside < kept else { return }
    let start = end - kept + outside
    samples.append(contentsOf: new[(2 * Int(dropped + outside))...])
    if let last = stretches.last, last.end == start {
      stretches[stretches.count - 1].count += Int(kept - outside)
    } else {
      stretches.append(Stretch(start: start, count: Int(kept - outside)))
    }
  }

  /// Adds what lies in `range` to `mix`, whose first frame is at `origin`, and forgets everything
  /// before the end of the range.
  package mutating func mix(_ range: Range<Int64>, into mix: inout [Float], origin: Int64) {
    first = max(first, range.upperBound)
    var consumed = 0
    while let stretch = stretches.first, stretch.start < range.upperBound {
      let from = max(stretch.start, range.lowerBound)
      let to = min(stretch.end, range.upperBound)
      if from < to {
        let source = 2 * (consumed + Int(from - stretch.start))
        let target = 2 * Int(from - origin)
        for index in 0..<2 * Int(to - from) { mix[target + index] += samples[source + index] }
        mixedCount += Int(to - from)
      }
      let passed = Int(min(stretch.end, range.upperBound) - stretch.start)
      consumed += passed
      guard passed == stretch.count else {
        stretches[0] = Stretch(start: range.upperBound, count: stretch.count - passed)
        break
      }
      stretches.removeFirst()
    }
    samples.removeFirst(2 * consumed)
  }

  /// Whether nothing waits.
  package var isEmpty: Bool { stretches.isEmpty }
}
