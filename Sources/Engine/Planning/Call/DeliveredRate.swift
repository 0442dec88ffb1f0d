import TesseraCodecs
import TesseraTimeline

extension FrameRate {
  /// The usual rates; more is made only where somebody asks for it.
  private static let usual = [
    FrameRate(10, 1), FrameRate(25, 2), FrameRate(15, 1), FrameRate(20, 1), FrameRate(24, 1),
    FrameRate(25, 1),
  ].compactMap(\.self)

  /// The lowest usual rate at which no picture of `sources` is lost, at most 30.
  static func delivered(by sources: [PictureSource]) -> FrameRate {
    let most = sources.map(\.busiestCount).max() ?? 0
    let seconds = PictureSource.window
    return usual.first { rate in
      // A picture more for the window's edges, and two in a hundred for clocks that jitter.
      most * rate.denominator * 100 <= (seconds * 102 * rate.numerator) + 100 * rate.denominator
    } ?? .thirty
  }
}

extension PictureSource {
  /// The seconds in which pictures are counted.
  fileprivate static let window = 5

  /// How many pictures there are in five seconds: of ten such windows, one may have more.
  fileprivate var busiestCount: Int {
    let base = track.clock.timeBase
    let length = Int64(Self.window) *| Int64(base.denominator) / max(1, Int64(base.numerator))
    guard length > 0, let first = order.first.map({ index.ticks[Int($0)] }) else { return 0 }
    var counts: [Int64: Int] = [:]
    for packet in order { counts[(index.ticks[Int(packet)] -| first) / length, default: 0] += 1 }
    let sorted = counts.values.sorted(by: >)
    return sorted[sorted.count / 10]
  }
}
