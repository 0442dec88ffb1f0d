import Glibc

@testable import TesseraPixels

func sine(_ x: Double) -> Double { sin(x) }

/// The float64 resampling that plans approximate, rounded and clamped once.
struct Reference {
  /// One axis: result sample i is at `origin + step * i`, in source samples.
  struct Axis {
    var sourceCount: Int
    var count: Int
    var origin: Double
    var step: Double

    /// Returns a whole axis scaled to `count` samples.
    static func whole(_ sourceCount: Int, to count: Int) -> Axis {
      let step = Double(sourceCount) / Double(count)
      return Axis(sourceCount: sourceCount, count: count, origin: step / 2 - 0.5, step: step)
    }
  }

  var filter: ResampleFilter
  var columns: Axis
  var rows: Axis

  /// Returns the unrounded result.
  func scale(_ source: Samples) -> [Double] {
    let horizontal = (0..<columns.count).map { weights(columns, $0) }
    let vertical = (0..<rows.count).map { weights(rows, $0) }
    var middle = [Double](repeating: 0, count: columns.count * source.size.height)
    for y in 0..<source.size.height {
      for x in 0..<columns.count {
        for (at, weight) in horizontal[x] {
          middle[y * columns.count + x] += weight * Double(source[at, y])
        }
      }
    }
    var result = [Double](repeating: 0, count: columns.count * rows.count)
    for y in 0..<rows.count {
      for (at, weight) in vertical[y] {
        for x in 0..<columns.count {
          result[y * columns.count + x] += weight * middle[at * columns.count + x]
        }
      }
    }
    return result
  }

  private func weights(_ axis: Axis, _ index: Int) -> [(at: Int, weight: Double)] {
    let center = axis.origin + axis.step * Double(index)
    let radius = filter.radius(step: axis.step)
    let taps = (Int((center - radius).rounded(.up))...Int((center + radius).rounded(.down))).map {
      (
        min(max(0, $0), axis.sourceCount - 1),
        filter.weight(distance: Double($0) - center, step: axis.step)
      )
    }
    let sum = taps.reduce(0) { $0 + $1.1 }
    return taps.map { (at: $0.0, weight: $0.1 / sum) }
  }
}

/// The differences between 8-bit samples and unrounded ones.
struct Difference {
  /// Peak signal-to-noise ratio in dB.
  var psnr: Double
  /// The mean of the signed differences.
  var bias: Double

  init(_ samples: [UInt8], from reference: [Double]) {
    var (squares, sum) = (0.0, 0.0)
    for (sample, exact) in zip(samples, reference) {
      // Halves that floating point rounds just below count as halves.
      let wanted = (min(max(0, exact), 255) + 0.5 + 1e-9).rounded(.down)
      squares += (Double(sample) - wanted) * (Double(sample) - wanted)
      sum += Double(sample) - wanted
    }
    let count = Double(samples.count)
    psnr = 10 * log10(255 * 255 / max(squares / count, 1e-9))
    bias = sum / count
  }
}
