import Glibc

/// Samples of one voice that wait to be mixed, each at its place on the timeline.
///
/// Positions are in frames of interleaved stereo at ``Soundtrack/sampleRate``. Gaps take no memory.
/// Where sound was cut, it fades out and in, at equal power, within ``fade`` frames; where the file
/// itself begins and ends, it does not. Into a short gap the sound around it fades, mirrored: of what
/// was recorded nothing is turned down there.
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
  private static let fadeGains: [Float] = (0..<fade).map { rise($0, of: fade) }

  /// The longest gap into which the sound around it fades: 60 ms.
  private static let longestBridge: Int64 = 2880
  /// Frames that such a fade lasts: 10 ms.
  private static let edge = 480

  private var samples: [Float] = []
  private var stretches: [Stretch] = []
  private var first: Int64
  private var overlap: Int64 = 0
  /// Frames over which sound is faded where it overlaps.
  private var blended = fade
  private var countsOverlap = true
  /// Frames before a gap's end into which what follows it fades, and how many of that have come.
  private var (bridged, bridgedSoFar) = (0, 0)
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

  /// Nothing that is appended later changes what lies before it.
  package var settledEnd: Int64 { end - Int64(Self.edge + bridgedSoFar) }

  /// Puts what is appended next at `position`: after a gap, or, where it lies before ``end``,
  /// with its first samples dropped. The sound before fades out, what follows fades in. What is
  /// dropped `overMadeUp` sound is not counted.
  package mutating func move(to position: Int64, overMadeUp: Bool = false) {
    guard hasBegun else {
      (end, hasBegun) = (position, true)
      return
    }
    let gap = position - end
    silentCount += max(0, gap)
    overlap = max(0, -gap)
    blended = Int(min(overlap, Int64(Self.fade)))
    countsOverlap = !overMadeUp
    (bridged, bridgedSoFar) = (0, 0)
    if 1...Self.longestBridge ~= gap, let last = stretches.last, last.end == end {
      bridge(Int(gap), upTo: last.count)
    } else {
      if gap > 0 { fadeOut(endingAt: end) }
      if gap != 0 { fadedIn = 0 }
    }
    end = max(end, position)
  }

  /// Fills a gap with the end of what waits, of which `count` frames are there, mirrored and fading
  /// out.
  private mutating func bridge(_ gap: Int, upTo count: Int) {
    bridged = min(gap, Self.edge)
    let tail = min(bridged, count)
    var last = samples.count - 2
    for frame in 0..<gap {
      let gain = frame < tail ? Self.rise(tail - 1 - frame, of: tail) : 0
      samples.append(samples[last] * gain)
      samples.append(samples[last + 1] * gain)
      if frame + 1 < tail { last -= 2 }
    }
    stretches[stretches.count - 1].count += gap
  }

  /// Adds the beginning of `new`, mirrored and fading in, to the end of the gap before it.
  private mutating func bridge(to new: [Float]) {
    let count = min(bridged - bridgedSoFar, new.count / 2)
    for frame in 0..<count {
      let distance = bridgedSoFar + frame
      let place = samples.count - 2 * (bridgedSoFar + distance + 1)
      guard place >= 0 else { break }
      let gain = Self.rise(bridged - 1 - distance, of: bridged)
      samples[place] += new[2 * frame] * gain
      samples[place + 1] += new[2 * frame + 1] * gain
    }
    bridgedSoFar += count
    if bridgedSoFar == bridged { (bridged, bridgedSoFar) = (0, 0) }
  }

  /// The gain of a frame of a fade in that lasts `count`.
  private static func rise(_ frame: Int, of count: Int) -> Float {
    Float(sin(.pi / 2 * (Double(frame) + 0.5) / Double(count)))
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
    if bridged > 0 { bridge(to: new) }
    let count = Int64(new.count / 2)
    let dropped = min(overlap, count)
    if dropped > 0 { blend(new, Int(dropped)) }
    overlap -= dropped
    if countsOverlap { droppedCount += Int(dropped) }
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
      guard before <= blended, before * 2 <= samples.count else { continue }
      let place = samples.count - 2 * before
      let rising = Self.rise(blended - before, of: blended)
      let falling = Self.rise(before - 1, of: blended)
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
