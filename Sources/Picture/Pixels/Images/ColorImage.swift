/// A small drawing in color with transparency, as drawing libraries make it: 8-bit sRGB, alpha
/// premultiplied.
package struct ColorImage: Hashable, Sendable {
  /// The number of columns and rows, both at least 1.
  package let size: PixelSize
  /// Red, green, blue and alpha of every pixel, row by row without padding; no component above its
  /// alpha.
  package let bytes: [UInt8]

  /// The image of `bytes`, red, green, blue and alpha of every pixel, row by row.
  ///
  /// - Precondition: both sides are at least 1 and there are four bytes for every pixel.
  package init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(width >= 1 && height >= 1 && bytes.count == 4 * width * height)
    self.size = PixelSize(width: width, height: height)
    self.bytes = bytes
  }

  /// The number of columns.
  package var width: Int { size.width }
  /// The number of rows.
  package var height: Int { size.height }

  /// The alpha of the pixel at column `x` of row `y`, 0...255.
  package func alpha(_ x: Int, _ y: Int) -> UInt8 {
    bytes[4 * (y * size.width + x) + 3]
  }
}
