import TesseraCompositor
import TesseraPixels

extension SpritePlacement {
  /// Creates a sprite at (`x`, `y`) with `image` as coverage of one color.
  init(_ image: borrowing Image, in color: Color, x: Int, y: Int) {
    let size = image.size
    var bytes: [UInt8] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        bytes += [color.red, color.green, color.blue, image[plane: 0][column, row]]
      }
    }
    self.init(
      Sprite(ColorImage(width: size.width, height: size.height, bytes: bytes)), x: x, y: y)
  }
}
