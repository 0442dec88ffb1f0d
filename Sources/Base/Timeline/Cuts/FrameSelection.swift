/// The frames of a call that an output shows: output frame n is the n-th kept frame.
///
/// A frame of the call is kept if its middle, (k + ½) / rate, is in a kept range of a
/// ``KeptRanges``. So adjacent parts neither share nor omit a frame.
package struct FrameSelection: Hashable, Sendable {
  /// The kept frames of the call in ascending order. No range is empty, and no two touch.
  package let ranges: [Range<Int>]
  /// The index of the output frame with which each of ``ranges`` begins.
  private let firsts: [Int]
  /// The number of kept frames.
  package let count: Int

  /// Keeps `ranges`, in any order.
  package init(_ ranges: [Range<Int>]) {
    var kept: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = kept.last, range.lowerBound <= last.upperBound {
        kept[kept.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        kept.append(range)
      }
    }
    var (firsts, count) = ([Int](), 0)
    for range in kept {
      firsts.append(count)
      count += range.count
    }
    (self.ranges, self.firsts, self.count) = (kept, firsts, count)
  }

  /// Keeps all frames of `range`.
  package init(_ range: Range<Int>) { self.init([range]) }

  /// Keeps the frames with the given numbers, in any order.
  package init(_ numbers: some Sequence<Int>) { self.init(numbers.map { $0..<$0 + 1 }) }

  /// Keeps the frames that `list` keeps of a call of `frameCount` frames at `rate`.
  package init(_ list: KeptRanges, at rate: FrameRate, frameCount: Int) {
    let whole = 0..<Swift.max(0, frameCount)
    self.init(
      list.kept.map { range in
        let end = rate.firstFrame(showing: range.end)
        return (Swift.min(rate.firstFrame(showing: range.start), end)..<end).clamped(to: whole)
      })
  }

  /// Returns the frame of the call that output frame `output` shows, from 0 up to ``count``,
  /// exclusive.
  package subscript(output: Int) -> Int {
    let index = firsts.partitioningIndex { $0 > output } - 1
    return ranges[index].lowerBound + output - firsts[index]
  }

  /// Returns the output frame that shows frame `call` of the call; `nil` if it is cut.
  package func output(of call: Int) -> Int? {
    let index = ranges.partitioningIndex { $0.upperBound > call }
    guard index < ranges.count, ranges[index].contains(call) else { return nil }
    return firsts[index] + call - ranges[index].lowerBound
  }

  /// Returns the first output frame that shows frame `call` of the call or a later one; ``count``
  /// if there is none. A cut frame maps to its splice.
  package func output(from call: Int) -> Int {
    let index = ranges.partitioningIndex { $0.upperBound > call }
    guard index < ranges.count else { return count }
    return firsts[index] + Swift.max(0, call - ranges[index].lowerBound)
  }

  /// Returns the output frames that show frames of `call`.
  package func output(of call: Range<Int>) -> Range<Int> {
    output(from: call.lowerBound)..<output(from: call.upperBound)
  }

  /// Returns the frames of the call that the output frames `output` show.
  package func call(_ output: Range<Int>) -> [Range<Int>] {
    let output = output.clamped(to: 0..<count)
    guard !output.isEmpty else { return [] }
    let first = firsts.partitioningIndex { $0 > output.lowerBound } - 1
    let end = firsts.partitioningIndex { $0 >= output.upperBound }
    return (first..<end).map { index in
      let own = firsts[index]..<firsts[index] + ranges[index].count
      let part = own.clamped(to: output)
      let shift = ranges[index].lowerBound - firsts[index]
      return part.lowerBound + shift..<part.upperBound + shift
    }
  }

  /// The frames of the call from the first kept one to the last; empty if none is kept.
  package var bounds: Range<Int> {
    (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0)
  }

  /// True if the output shows one part of the call without a jump.
  package var isContinuous: Bool { ranges.count < 2 }
}

extension FrameSelection: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// The first kept frame of the call; 0 if none is kept.
  package var lowerBound: Int { bounds.lowerBound }
  /// The frame of the call after the last kept one; 0 if none is kept.
  package var upperBound: Int { bounds.upperBound }

  /// Returns the cut with frames renumbered so that frame `origin` of the call becomes 0.
  package func counted(from origin: Int) -> FrameSelection {
    FrameSelection(ranges.map { $0.lowerBound - origin..<$0.upperBound - origin })
  }

  /// Returns the cut without the frames outside of `limits`.
  package func clamped(to limits: Range<Int>) -> FrameSelection {
    FrameSelection(ranges.map { $0.clamped(to: limits) })
  }

  /// Returns the cut that keeps the frames that both cuts keep.
  package func intersection(_ other: FrameSelection) -> FrameSelection {
    var (common, left, right) = ([Range<Int>](), 0, 0)
    while left < ranges.count, right < other.ranges.count {
      let (a, b) = (ranges[left], other.ranges[right])
      if a.overlaps(b) { common.append(a.clamped(to: b)) }
      if a.upperBound < b.upperBound { left += 1 } else { right += 1 }
    }
    return FrameSelection(common)
  }
}

extension FrameSelection: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(try container.decode([Range<Int>].self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(ranges)
  }
}
