import Glibc
package import TesseraPixels

/// How much pictures change from one to the next: the mean difference of their luma, in every few rows.
package struct MotionMeter {
  /// The rows of the last picture, one after the other, and how large it was.
  private var rows: [UInt8] = []
  private var size = PixelSize(width: 0, height: 0)

  /// About how many rows are looked at.
  private static let rowCount = 180

  /// A meter that has seen nothing.
  package init() {}

  /// How much the picture with that luma differs from the last one, in levels; nil of the first one, and where its size is
  /// another one.
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

  /// Motion as a byte: 0 is none, and 16 more are about twice as much, beginning at 1/32 of a level.
  package static func byte(_ motion: Double) -> UInt8 {
    UInt8(min(255, max(0, 16 * log2(1 + 32 * motion))).rounded())
  }

  /// What a byte says, in levels.
  package static func levels(_ byte: UInt8) -> Double { (exp2(Double(byte) / 16) - 1) / 32 }
}
