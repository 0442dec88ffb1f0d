import Glibc
package import TesseraPixels

/// Measures motion between consecutive pictures: the mean absolute difference of their luma, in a
/// subset of the rows.
package struct MotionMeter {
  /// The sampled rows of the last picture, concatenated, and that picture's size.
  private var rows: [UInt8] = []
  private var size = PixelSize(width: 0, height: 0)

  /// The approximate number of rows that are sampled.
  private static let rowCount = 180

  /// Creates a meter without a previous picture.
  package init() {}

  /// Measures the difference between `luma` and the previous picture, in levels of luma; returns
  /// `nil` for the first picture and if the size changed.
  package mutating func see(_ luma: Plane) -> Double? {
    let (width, step) = (luma.size.width, max(1, luma.size.height / Self.rowCount))
    let lines = stride(from: 0, to: luma.size.height, by: step)
    let isKnown = luma.size == size && !rows.isEmpty
    if !isKnown {
      size = luma.size
      rows = Array(repeating: 0, count: lines.underestimatedCount * width)
    }
    var (sum, place) = (0, 0)
    var kept = rows.mutableSpan
    for y in lines {
      sum += luma.row(y, 0..<width).difference(replacing: &kept, at: place)
      place += width
    }
    return isKnown ? Double(sum) / Double(max(1, place)) : nil
  }

  /// Codes motion in levels as a byte on a logarithmic scale: 0 is none, 16 steps roughly double
  /// the value, and the scale starts at 1/32 of a level.
  package static func byte(_ motion: Double) -> UInt8 {
    UInt8(min(255, max(0, 16 * log2(1 + 32 * motion))).rounded())
  }

  /// Decodes a byte of ``byte(_:)`` to levels.
  package static func levels(_ byte: UInt8) -> Double { (exp2(Double(byte) / 16) - 1) / 32 }
}
