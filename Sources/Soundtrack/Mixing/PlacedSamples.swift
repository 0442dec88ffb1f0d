import Glibc

/// Samples of one voice that wait to be mixed, each at its place on the timeline.
///
/// Positions are in frames of interleaved stereo at ``Soundtrack/sampleRate``. Gaps take no memory.
/// Where sound was cut, it fades out and in, at equal power, within ``fade`` frames; where the file
/// itself begins and ends, it does not.
package struct PlacedSamples: Sendable {
  /// Where the next sample goes.
  package private(set) var end: Int64
  /// How many frames were added to a mix so far.
  package private(set) var mixedCount = 0
  /// How many frames were dropped because others already lay there.
  package private(set) var droppedCount = 0
  /// How many frames lie in gaps.
  package private(set) var silentCount: Int64 = 0

  /// Frames that a fade lasts: 4 ms.
  package static let fade = 192
  /// The gain of each frame of a fade in; a fade out is the same backwards.
  private static let fadeGains: [Float] = (0..<fade).map {
    Float(sin(.pi / 2 * (Double($0) + 0.5) / Double(fade)))
  }

  private var samples: [Float] = []
  private var stretches: [Stretch] = []
  private var first: Int64
  private var overlap: Int64 = 0
  private var hasBegun = false
  /// Frames of the next samples that were faded in already, or ``fade`` where nothing fades.
  private var fadedIn = fade

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

  /// Puts what is appended next at `position`: after a gap, or, where it lies before ``end``,
  /// with its first samples dropped. The sound before fades out, what follows fades in.
  package mutating func move(to position: Int64) {
    guard hasBegun else {
      (end, hasBegun) = (position, true)
      return
    }
    silentCount += max(0, position - end)
    overlap = max(0, end - position)
    if position > end { fadeOut(endingAt: end) }
    if position != end { fadedIn = 0 }
    end = max(end, position)
  }

  /// Fades what waits out so that nothing is heard from `position` on, which lies at or before
  /// ``end``.
  package mutating func fadeOut(endingAt position: Int64) {
    for index in stretches.indices.reversed() where stretches[index].end >= position {
      let stretch = stretches[index]
      let before = stretches[..<index].reduce(0) { $0 + $1.count }
      let from = max(stretch.start, position - Int64(Self.fade))
      guard from < position else { continue }
      for frame in from..<position {
        let gain = Self.fadeGains[Int(position - frame) - 1]
        let sample = 2 * (before + Int(frame - stretch.start))
        samples[sample] *= gain
        samples[sample + 1] *= gain
      }
      return
    }
  }

  /// Appends interleaved samples at ``end``.
  package mutating func append(_ new: [Float]) {
    let count = Int64(new.count / 2)
    let dropped = min(overlap, count)
    if dropped > 0 { blend(new, Int(dropped)) }
    overlap -= dropped
    droppedCount += Int(dropped)
    let kept = count - dropped
    let outside = min(kept, max(0, first - end))
    end += kept
    guard outside < kept else { return }
    let start = end - kept + outside
    if outside > 0 { fadedIn = 0 }
    let target = samples.count
    samples.append(contentsOf: new[(2 * Int(dropped + outside))...])
    if fadedIn < Self.fade { fadeIn(from: target) }
    if let last = stretches.last, last.end == start {
      stretches[stretches.count - 1].count += Int(kept - outside)
    } else {
      stretches.append(Stretch(start: start, count: Int(kept - outside)))
    }
  }

  private mutating func fadeIn(from index: Int) {
    var sample = index
    while fadedIn < Self.fade, sample < samples.count {
      samples[sample] *= Self.fadeGains[fadedIn]
      samples[sample + 1] *= Self.fadeGains[fadedIn]
      fadedIn += 1
      sample += 2
    }
  }

  /// Fades from the last frames that wait over to the frames among the first `dropped` of `new`
  /// that lie in the same place.
  private mutating func blend(_ new: [Float], _ dropped: Int) {
    for frame in 0..<dropped {
      let before = Int(overlap) - frame
      guard before <= Self.fade, before * 2 <= samples.count else { continue }
      let place = samples.count - 2 * before
      let (rising, falling) = (Self.fadeGains[Self.fade - before], Self.fadeGains[before - 1])
      samples[place] = samples[place] * falling + new[2 * frame] * rising
      samples[place + 1] = samples[place + 1] * falling + new[2 * frame + 1] * rising
      fadedIn = Self.fade
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
