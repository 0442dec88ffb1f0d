/// The frames of a call that an output shows: output frame n is the nth one that is kept.
///
/// A frame of the call is kept where its middle, (k + ½) / rate, lies in what a ``CutList`` keeps,
/// so that parts that meet share no frame and leave none out.
public struct FrameCut: Hashable, Sendable {
  /// The frames of the call that are kept, in ascending order; none is empty, no two touch.
  public let ranges: [Range<Int>]
  /// The number of the output's frame that each of them begins with.
  private let firsts: [Int]
  /// How many frames are kept.
  public let count: Int

  /// Keeps `ranges`, in any order.
  public init(_ ranges: [Range<Int>]) {
    var kept: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = kept.last, range.lowerBound <= last.upperBound {
        kept[kept.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
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

  /// Of a call of `frameCount` frames at `rate`, those that `list` keeps.
  public init(_ list: CutList, at rate: FrameRate, frameCount: Int) {
    let whole = 0..<max(0, frameCount)
    self.init(
      list.kept.map { range in
        let end = rate.firstFrame(showing: range.end)
        return (min(rate.firstFrame(showing: range.start), end)..<end).clamped(to: whole)
      })
  }

  /// The frame of the call that frame `output` of the output, 0..<``count``, shows.
  public subscript(output: Int) -> Int {
    let index = firsts.partitioningIndex { $0 > output } - 1
    return ranges[index].lowerBound + output - firsts[index]
  }

  /// The frame of the output that shows frame `call` of the call; nil where that is cut.
  public func output(of call: Int) -> Int? {
    let index = ranges.partitioningIndex { $0.upperBound > call }
    guard index < ranges.count, ranges[index].contains(call) else { return nil }
    return firsts[index] + call - ranges[index].lowerBound
  }

  /// The first frame of the output that shows frame `call` of the call or a later one; ``count``
  /// where none does. What is cut goes to its splice.
  public func output(from call: Int) -> Int {
    let index = ranges.partitioningIndex { $0.upperBound > call }
    guard index < ranges.count else { return count }
    return firsts[index] + max(0, call - ranges[index].lowerBound)
  }

  /// The frames of the output that show frames of `call`.
  public func output(of call: Range<Int>) -> Range<Int> {
    output(from: call.lowerBound)..<output(from: call.upperBound)
  }

  /// The frames of the call that the frames `output` of the output show.
  public func call(_ output: Range<Int>) -> [Range<Int>] {
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
  public var splices: [Int] { Array(firsts.dropFirst()) }

  /// The frames of the call from the first one that is kept to the last; empty where none is.
  public var bounds: Range<Int> {
    (ranges.first?.lowerBound ?? 0)..<(ranges.last?.upperBound ?? 0)
  }

  /// Whether the output shows a part of the call without a jump.
  public var isContinuous: Bool { ranges.count < 2 }
}

extension FrameCut: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(try container.decode([Range<Int>].self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(ranges)
  }
}
