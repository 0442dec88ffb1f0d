import TesseraJobs
import TesseraPlan
import TesseraPlanning

/// Frames of a timeline in ascending order, each once: a whole range of them, or single ones.
public struct FrameSelection: Sendable, RandomAccessCollection {
  private let range: Range<Int>
  /// The single frames; nil where all of ``range`` are meant.
  private let singles: [Int]?

  /// All frames of `range`.
  public init(_ range: Range<Int>) { (self.range, singles) = (range, nil) }

  /// The frames with those numbers, in any order.
  public init(_ numbers: some Sequence<Int>) {
    let sorted = Set(numbers).sorted()
    range = (sorted.first ?? 0)..<(sorted.last.map { $0 + 1 } ?? 0)
    singles = sorted
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { singles?.count ?? range.count }
  public subscript(position: Int) -> Int { singles?[position] ?? range.lowerBound + position }

  /// The number of the first frame; that of ``upperBound`` where there is none.
  public var lowerBound: Int { range.lowerBound }
  /// The number after the last frame's.
  public var upperBound: Int { range.upperBound }
  /// Whether frames between the first and the last may be left out.
  public var hasGaps: Bool { singles != nil }

  /// The first of these frames that is not before `frame`; ``upperBound`` where there is none.
  public func first(from frame: Int) -> Int {
    guard let singles else { return Swift.min(Swift.max(frame, range.lowerBound), upperBound) }
    return singles.first { $0 >= frame } ?? upperBound
  }

  /// The frames as ranges in ascending order that do not touch.
  var ranges: [Range<Int>] { (singles?.map { $0..<$0 + 1 } ?? [range]).merged }

  /// The same frames with the numbers that they have from frame `origin` on.
  func counted(from origin: Int) -> FrameSelection {
    guard let singles else { return FrameSelection(range.moved(by: -origin)) }
    return FrameSelection(singles.map { $0 - origin })
  }

  /// Those of the frames that lie in `limits`.
  public func clamped(to limits: Range<Int>) -> FrameSelection {
    guard let singles else { return FrameSelection(range.clamped(to: limits)) }
    return FrameSelection(singles.filter(limits.contains))
  }
}
