internal import Foundation
internal import Pixels

/// What odd sizes cost for every pixel they read or draw, against the listed size of the nearest
/// ratio that is not a copy.
struct RandomComparison {
  struct Row: Encodable {
    var scale: String
    var nearest: String
    /// Picoseconds for a pixel that is read or drawn.
    var time: Double
    var nearestTime: Double
    var ratio: Double { time / nearestTime }
  }

  let rows: [Row]

  init(listed: [ScaleCase], times: [Double], random: [ScaleCase], randomTimes: [Double]) {
    rows = zip(random, randomTimes).compactMap { item, time in
      let nearest = zip(listed, times).filter { $0.0.source != $0.0.target }.min {
        Self.distance($0.0, item) < Self.distance($1.0, item)
      }
      guard let nearest else { return nil }
      return Row(
        scale: item.name, nearest: nearest.0.name, time: Self.perPixel(item, time),
        nearestTime: Self.perPixel(nearest.0, nearest.1))
    }
  }

  var text: String {
    let lines = rows.map { row in
      row.scale.padding(toLength: 24, withPad: " ", startingAt: 0)
        + row.nearest.padding(toLength: 24, withPad: " ", startingAt: 0)
        + String(format: "%8.0f%8.0f%8.2fx", row.time, row.nearestTime, row.ratio)
    }
    let ratios = rows.map(\.ratio).sorted()
    let summary = String(
      format: "median %.2fx, most %.2fx", ratios[ratios.count / 2], ratios[ratios.count - 1])
    return (["picoseconds a pixel     nearest listed size"] + lines + [summary])
      .joined(separator: "\n")
  }

  private static func perPixel(_ scale: ScaleCase, _ microseconds: Double) -> Double {
    let read = scale.crop.width * scale.crop.height * Double(scale.source.area)
    return 1e6 * microseconds / (read + Double(scale.target.area))
  }

  /// How far the ratios of two cases lie apart.
  private static func distance(_ a: ScaleCase, _ b: ScaleCase) -> Double {
    abs(log(a.ratio.x / b.ratio.x)) + abs(log(a.ratio.y / b.ratio.y))
  }
}
