import TesseraCodecs
import TesseraPlan
import TesseraTimeline

/// The horizontal axis of a timeline drawing: maps frames and times to pixels.
struct TimelineAxis {
  /// The rendered frames.
  let frames: Range<Int>
  let frameRate: FrameRate
  /// The left edge and the width of the frames, in pixels.
  let left: Double
  let width: Double

  /// Creates an axis whose width depends on the output's duration: 1200 pixels for up to 2.5 hours,
  /// at most 2400.
  init(_ plan: Plan, left: Double) {
    (frames, frameRate, self.left) = (plan.frames, plan.output.video.frameRate, left)
    width = min(2400, max(1200, (plan.duration.seconds / 7.5).rounded()))
  }

  /// Returns the left edge of `frame`, clamped to the axis.
  func x(_ frame: Int) -> Double {
    let inside = min(max(frame, frames.lowerBound), frames.upperBound) - frames.lowerBound
    return left + width * Double(inside) / Double(max(1, frames.count))
  }

  /// Returns the time at which the pixel column `column` starts; the column after the last one
  /// gives the end.
  func time(ofColumn column: Int) -> MediaTime {
    let start = frameRate.time(ofFrame: frames.lowerBound)
    let length = frameRate.time(ofFrame: frames.upperBound) - start
    let part = Int128(length.nanoseconds) * Int128(column) / Int128(max(1, Int(saturating: width)))
    return start + MediaTime(nanoseconds: Int64(part))
  }

  /// Possible distances of ticks, in milliseconds.
  private static let steps: [Int64] = [
    100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
    900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
  ]
  /// Smallest distance of ticks, in pixels.
  private static let leastDistance = 80.0

  /// The horizontal positions of the ticks, with labels.
  var ticks: [(x: Double, label: String)] {
    let (start, end) = (time(ofColumn: 0), time(ofColumn: Int(saturating: width)))
    let length = max(1, (end - start).nanoseconds / 1_000_000)
    let most = width / Self.leastDistance
    let step = Self.steps.first { Double(length) / Double($0) <= most } ?? Self.steps[20]
    let first = (start.nanoseconds / 1_000_000 +| step -| 1) / step
    let last = max(first, end.nanoseconds / 1_000_000 / step)
    return (first...last).map { number in
      let time = MediaTime(nanoseconds: number *| step *| 1_000_000)
      let part = Double((time - start).nanoseconds) / Double(max(1, (end - start).nanoseconds))
      return (left + width * min(1, part), step < 1000 ? time.clockWithTenths : time.clock)
    }
  }

  /// Returns an SVG path of bars for `ranges`, from `top` down, `height` pixels high; nil if there
  /// are none. Bars less than half a pixel apart are merged.
  func bars(_ ranges: [Range<Int>], top: Double, height: Double) -> String? {
    var pieces: [(from: Double, to: Double)] = []
    for range in ranges where range.overlaps(frames) {
      let (from, to) = (x(range.lowerBound), max(x(range.lowerBound) + 0.5, x(range.upperBound)))
      if let last = pieces.last, from - last.to < 0.5 {
        pieces[pieces.count - 1].to = max(last.to, to)
      } else {
        pieces.append((from, to))
      }
    }
    guard !pieces.isEmpty else { return nil }
    let number = SVGFormatter.number
    return pieces.map {
      "M\(number($0.from)) \(number(top))H\(number($0.to))V\(number(top + height))"
        + "H\(number($0.from))z"
    }.joined()
  }
}
