import Glibc

/// A queue of one voice's samples, each at its place on the timeline, that wait to be mixed.
///
/// Positions are in frames of interleaved stereo at ``Soundtrack/sampleRate``. Gaps take no memory.
/// At a cut, sound fades out and in with equal power within ``fade`` frames; at the beginning and
/// the end of the file itself, it does not. A short gap is filled with the mirrored and faded sound
/// around it, so that no recorded sound is attenuated there.
package struct TimelineSampleBuffer: Sendable {
  /// The position of the next sample to be appended.
  package private(set) var end: Int64
  /// The number of frames added to a mix so far.
  package private(set) var mixedCount = 0
  /// The number of frames dropped because the queue already had sound at their positions.
  package private(set) var droppedCount = 0
  /// The number of frames in gaps.
  package private(set) var silentCount: Int64 = 0

  /// The length of a fade in frames: 4 ms.
  package static let fade = 192
  /// The gains of a fade-in, frame by frame; a fade-out uses them in reverse.
  private static let fadeGains: [Float] = (0..<fade).map { rise($0, of: fade) }

  /// The longest gap that is filled with the mirrored sound around it, in frames: 60 ms.
  private static let longestBridge: Int64 = 2880
  /// The length of a mirrored fade into a gap, in frames: 10 ms.
  private static let edge = 480

  /// The interleaved samples of all `stretches`, without gaps.
  private var samples: [Float] = []
  private var stretches: [Stretch] = []
  /// The position before which sound is no longer needed.
  private var first: Int64
  /// The number of upcoming frames that overlap sound already in the queue.
  private var overlap: Int64 = 0
  /// The number of frames over which overlapping sound is crossfaded.
  private var blended = fade
  /// True if dropped overlapping frames are counted in ``droppedCount``.
  private var countsOverlap = true
  /// The number of frames before a gap's end that the following sound fades into, and how many of
  /// these are done.
  private var (bridged, bridgedSoFar) = (0, 0)
  /// True after the first call of ``move(to:overMadeUp:)``.
  private var hasBegun = false
  /// The number of frames of the current fade-in that are done; ``fade`` if there is no fade-in.
  private var fadedIn = fade

  /// A sequence of frames without a gap.
  private struct Stretch: Sendable {
    var start: Int64
    var count: Int
    var end: Int64 { start + Int64(count) }
  }

  /// Creates an empty queue that drops all sound before `first`.
  package init(from first: Int64) {
    self.first = first
    self.end = first
  }

  /// The position before which later calls do not change the samples.
  package var settledEnd: Int64 { end - Int64(Self.edge + bridgedSoFar) }

  /// Sets the position of the samples that are appended next.
  ///
  /// A later position than ``end`` leaves a gap; an earlier one overlaps, and the first new samples
  /// are dropped. The sound before fades out, and the new sound fades in. Samples dropped over
  /// concealed or recovered sound (`overMadeUp`) are not counted.
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

  /// Fills a gap of `gap` frames with the mirrored end of the queue, fading out. The last stretch
  /// has `count` frames.
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

  /// Adds the mirrored beginning of `new`, fading in, to the end of the gap before it.
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

  /// Returns the gain of frame `frame` in an equal-power fade-in of `count` frames.
  private static func rise(_ frame: Int, of count: Int) -> Float {
    Float(sin(.pi / 2 * (Double(frame) + 0.5) / Double(count)))
  }

  /// Fades out the queued sound so that it is silent from `position` on, which is at or before
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

  /// Continues the current fade-in on the queue's samples from element `index` on.
  private mutating func fadeIn(from index: Int) {
    var sample = index
    while fadedIn < Self.fade, sample < samples.count {
      samples[sample] *= Self.fadeGains[fadedIn]
      samples[sample + 1] *= Self.fadeGains[fadedIn]
      fadedIn += 1
      sample += 2
    }
  }

  /// Crossfades the queue's last frames with those of the first `dropped` frames of `new` at the
  /// same positions.
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

  /// Adds the samples in `range` to `mix`, whose first frame is at `origin`, and removes everything
  /// before the end of `range`.
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

  /// True if no samples are queued.
  package var isEmpty: Bool { stretches.isEmpty }
}
