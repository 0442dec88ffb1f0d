/// The frames of a call that an output shows: output frame n is the nth one that is kept.
///
/// A frame of the call is kept where its middle, (k + ½) / rate, lies in what a ``CutList`` keeps,
/// so that parts that meet share no frame and leave none out.
package struct FrameCut: Hashable, Sendable {
  /// The frames of the call that are kept, in ascending order; none is empty, no two touch.
  package let ranges: [Range<Int>]
  /// The number of the output's frame that each of them begins with.
  private let firsts: [Int]
  /// How many frames are kept.
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

  /// Keeps the frames with those numbers, in any order.
  package init(_ numbers: some Sequence<Int>) { self.init(numbers.map { $0..<$0 + 1 }) }

  /// Of a call of `frameCount` frames at `rate`, those that `list` keeps.
  package init(_ list: CutList, at rate: FrameRate, frameCount: Int) {
    let whole = 0..<Swift.max(0, frameCount)
    self.init(
      list.kept.map { range in
        let end = rate.firstFrame(showing: range.end)
        return (Swift.min(rate.firstFrame(showing: range.start), end)..<end).clamped(to: whole)
      })
  }

  /// The frame of the call that frame `output` of the output, 0..<``count``, shows.
  package subscript(output: Int) -> Int {
    let index = firsts.partitioningIndex { $0 > output } - 1
    return ranges[index].lowerBound + output - firsts[index]
  }

  /// The frame of the output that shows frame `call` of the call; nil where that is cut.
  package func output(of call: Int) -> Int? {
    let index = ranges.partitioningIndex { $0.upperBound > call }
    guard index < ranges.count, ranges[index].contains(call) else { return nil }
    return firsts[index] + call - ranges[index].lowerBound
  }

  /// The first frame of the output that shows frame `call` of the call or a later one; ``count``
  /// where none does. What is cut goes to its splice.
  package func output(from call: Int) -> Int {
    let index = ranges.partitioningIndex { $0.upperBound > call }
    guard index < ranges.count else { return count }
    return firsts[index] + Swift.max(0, call - ranges[index].lowerBound)
  }

  /// The frames of the output that show frames of `call`.
  package func output(of call: Range<Int>) -> Range<Int> {
    output(from: call.lowerBound)..<output(from: call.upperBound)
  }

  /// The frames of the call that the frames `output` of the output show.
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

  /// The frames of the output that a jump in the call's time comes before, in ascending order.
  package var splices: [Int] { Array(firsts.dropFirst()) }

  /// The frames of the call from the first one that is kept to the last; empty where none is.
  package var bounds: Range<Int> {
    (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0)
  }

  /// Whether the output shows a part of the call without a jump.
  package var isContinuous: Bool { ranges.count < 2 }
}

extension FrameCut: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// The number of the first frame of the call that is kept.
  package var lowerBound: Int { bounds.lowerBound }
  /// The number after that of the last one.
  package var upperBound: Int { bounds.upperBound }

  /// The same frames by the numbers that they have from frame `origin` of the call on.
  package func counted(from origin: Int) -> FrameCut {
    FrameCut(ranges.map { $0.lowerBound - origin..<$0.upperBound - origin })
  }

  /// Those of the frames that lie in `limits`.
  package func clamped(to limits: Range<Int>) -> FrameCut {
    FrameCut(ranges.map { $0.clamped(to: limits) })
  }

  /// Those of the frames that `other` keeps, too.
  package func intersection(_ other: FrameCut) -> FrameCut {
    var (common, left, right) = ([Range<Int>](), 0, 0)
    while left < ranges.count, right < other.ranges.count {
      let (a, b) = (ranges[left], other.ranges[right])
      if a.overlaps(b) { common.append(a.clamped(to: b)) }
      if a.upperBound < b.upperBound { left += 1 } else { right += 1 }
    }
    return FrameCut(common)
  }
}

extension FrameCut: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(try container.decode([Range<Int>].self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(ranges)
  }
}
