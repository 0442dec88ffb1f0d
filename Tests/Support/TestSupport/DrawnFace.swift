import Foundation
package import TesseraPixels

/// A drawn face with known eye positions.
package struct DrawnFace: Sendable {
  /// The midpoint between the eyes, and their distance, in pixels.
  package var x: Double, y: Double, eyes: Double

  /// Creates a face with its eyes around (`x`, `y`).
  package init(x: Double, y: Double, eyes: Double) { (self.x, self.y, self.eyes) = (x, y, eyes) }

  /// Returns the luma at a pixel, or `nil` beside the head.
  private func luma(_ column: Double, _ row: Double) -> Double? {
    let (u, v) = ((column - x) / eyes, (row - y) / eyes)
    func ellipse(_ cx: Double, _ cy: Double, _ rx: Double, _ ry: Double) -> Bool {
      let (a, b) = ((u - cx) / rx, (v - cy) / ry)
      return a * a + b * b < 1
    }
    guard ellipse(0, 0.45, 1.05, 1.45) else { return nil }
    var value = v < -0.55 ? 50.0 : 190
    value -= 50 * min(1, max(0, (abs(u) - 0.7) / 0.35))
    for side in [-0.5, 0.5] {
      if ellipse(side, -0.12, 0.36, 0.3), value > 100 { value -= 35 }
      if ellipse(side, 0, 0.27, 0.14) { value = 60 }
      if ellipse(side, -0.27, 0.34, 0.09) { value = 80 }
    }
    if ellipse(0, 0.45, 0.16, 0.5) { value += 25 }
    if ellipse(0, 0.72, 0.22, 0.09) { value = 120 }
    if ellipse(0, 1.08, 0.42, 0.11) { value = 85 }
    return value
  }

  /// Returns `faces` in front of a gray wall, row by row, each sample the mean of sixteen.
  package static func samples(_ faces: [DrawnFace], size: PixelSize) -> [UInt8] {
    var samples: [UInt8] = []
    samples.reserveCapacity(size.area)
    for row in 0..<size.height {
      for column in 0..<size.width {
        var sum = 0.0
        for part in 0..<16 {
          let (px, py) = (
            Double(column) + (Double(part % 4) + 0.5) / 4,
            Double(row) + (Double(part / 4) + 0.5) / 4
          )
          sum += faces.lazy.compactMap { $0.luma(px, py) }.first ?? 70
        }
        samples.append(UInt8(sum / 16))
      }
    }
    return samples
  }
}
