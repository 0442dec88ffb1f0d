/// A small drawing with transparency, as drawing libraries produce it: 8-bit sRGB with
/// premultiplied alpha.
package struct ColorImage: Hashable, Sendable {
  /// The number of columns and rows, both at least 1.
  package let size: PixelSize
  /// The red, green, blue and alpha of every pixel, row by row without padding. No component
  /// exceeds its alpha.
  package let bytes: [UInt8]

  /// Creates an image from ``bytes``.
  ///
  /// - Precondition: Both sides are at least 1, and there are four bytes for every pixel.
  package init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(width >= 1 && height >= 1 && bytes.count == 4 * width * height)
    self.size = PixelSize(width: width, height: height)
    self.bytes = bytes
  }

  package var width: Int { size.width }
  package var height: Int { size.height }

  /// Returns the alpha of the pixel at column `x` of row `y`, `0...255`.
  package func alpha(_ x: Int, _ y: Int) -> UInt8 {
    bytes[4 * (y * size.width + x) + 3]
  }
}
