import TesseraCodecs
import TesseraTimeline

extension FrameRate {
  /// The frame rates that are chosen automatically, in ascending order. Rates above 30 fps are used
  /// only on request.
  private static let usual = [
    FrameRate(10, 1), FrameRate(25, 2), FrameRate(15, 1), FrameRate(20, 1), FrameRate(24, 1),
    FrameRate(25, 1),
  ].compactMap(\.self)

  /// Returns the lowest usual rate at which no picture of `sources` is lost, at most 30 fps.
  static func delivered(by sources: [PictureSource]) -> FrameRate {
    let most = sources.map(\.busiestCount).max() ?? 0
    let seconds = PictureSource.window
    return usual.first { rate in
      // Tolerates one more picture at the edges of a window, and 2 % for clock jitter.
      most * rate.denominator * 100 <= (seconds * 102 * rate.numerator) + 100 * rate.denominator
    } ?? .thirty
  }
}

extension PictureSource {
  /// The length of the windows in which pictures are counted, in seconds.
  fileprivate static let window = 5

  /// The number of pictures in a five-second window: the 90th percentile of all windows.
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
