internal import TesseraPixels
import TesseraTimeline

/// A rectangle with round corners, in canvas pixels.
struct RoundedShape: Hashable {
  private let centerX: Double
  private let centerY: Double
  private let halfWidth: Double
  private let halfHeight: Double
  private let radius: Double

  /// Creates the shape of `area` with its edges moved inwards by `inset`, which also reduces the
  /// radius.
  init(_ area: PixelRect, radius: Double, inset: Double = 0) {
    self.centerX = Double(area.x) + Double(area.width) / 2
    self.centerY = Double(area.y) + Double(area.height) / 2
    self.halfWidth = Double(area.width) / 2 - inset
    self.halfHeight = Double(area.height) / 2 - inset
    self.radius = max(0, min(radius - inset, halfWidth, halfHeight))
  }

  /// Returns the fraction of the pixel at (`x`, `y`) that the shape covers, `0...1`, computed from
  /// the signed distance of the pixel's center to the edge.
  func coverage(x: Int, y: Int) -> Double {
    let dx = abs(Double(x) + 0.5 - centerX) - halfWidth + radius
    let dy = abs(Double(y) + 0.5 - centerY) - halfHeight + radius
    let outside = (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
    let distance = outside + min(max(dx, dy), 0) - radius
    return max(0, min(1, 0.5 - distance))
  }

  /// The rows between the round corners, all of which are equal.
  var straightRows: Range<Int> {
    let start = Int(saturating: (centerY - halfHeight + radius).rounded(.up)) + 1
    let end = Int(saturating: (centerY + halfHeight - radius).rounded(.down)) - 1
    return start..<max(start, end)
  }
}
