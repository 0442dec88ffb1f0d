internal import Foundation
internal import TesseraPixels

/// Compares the cost per pixel of odd sizes with that of the listed size of the nearest ratio.
/// Listed sizes that are plain copies do not take part.
struct OddSizeBenchmark {
  struct Row: Encodable {
    var scale: String
    var nearest: String
    /// Picoseconds per pixel read or drawn.
    var time: Double
    var nearestTime: Double
    var ratio: Double
  }

  let rows: [Row]

  /// Measures `cases` in rounds, each next to its listed size, so that interference from other
  /// processes affects both. `measure` returns the microseconds of a case.
  init(
    _ cases: [ScaleBenchmarkCase], listed: [ScaleBenchmarkCase], filter: ResampleFilter,
    measure: (ScaleBenchmarkCase) -> Double
  ) {
    func perPixel(_ scale: ScaleBenchmarkCase) -> Double {
      1e6 * measure(scale) / (scale.pixelsRead(filter) + Double(scale.target.area))
    }
    let pairs = cases.compactMap { item in
      listed.filter { $0.source != $0.target }
        .min { Self.distance($0, item) < Self.distance($1, item) }
        .map { (item: item, nearest: $0) }
    }
    let rounds = (0..<Self.rounds).map { _ in
      pairs.map { (perPixel($0.item), perPixel($0.nearest)) }
    }
    rows = pairs.indices.map { index in
      let times = rounds.map { $0[index] }
      return Row(
        scale: pairs[index].item.name, nearest: pairs[index].nearest.name,
        time: BenchmarkOutput.median(times.map(\.0)),
        nearestTime: BenchmarkOutput.median(times.map(\.1)),
        ratio: BenchmarkOutput.median(times.map { $0 / $1 }))
    }
  }

  private static let rounds = 25

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

  /// The distance between the scale ratios of two cases, on a logarithmic scale.
  private static func distance(_ a: ScaleBenchmarkCase, _ b: ScaleBenchmarkCase) -> Double {
    abs(log(a.ratio.x / b.ratio.x)) + abs(log(a.ratio.y / b.ratio.y))
  }
}
