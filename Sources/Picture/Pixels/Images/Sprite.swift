/// A small immutable picture with transparency, in a canvas's colors.
///
/// A sprite has 8-bit BT.709 limited luma and coverage for every pixel, and 4:2:0 chroma for each
/// of the four alignments to a canvas's chroma samples. Colors are not premultiplied. Chroma is
/// sited at the left: a sample is the mean of three columns, weighted 1:2:1, and of two rows,
/// weighted by alpha.
package final class Sprite: UniqueObject, Sendable {
  /// The sprite's coverage of the canvas below.
  package let coverage: Mask
  private let image: Image
  /// The blue and red samples for sprites that begin on even and odd columns and rows.
  private let chroma: InlineArray<8, Image>
  /// A number that no other sprite of this process has.
  package let identity: UInt64

  /// Creates the sprite of `drawing`.
  package convenience init(_ drawing: ColorImage) {
    let size = drawing.size
    let luma = Image(.gray8, size: size)
    let coverage = Image(.gray8, size: size)
    let (values, alphas) = (luma[plane: 0], coverage[plane: 0])
    for y in 0..<size.height {
      for x in 0..<size.width {
        alphas[x, y] = drawing.alpha(x, y)
        var mean = ColorMean()
        mean.add(drawing, x, y, weight: 1)
        values[x, y] = mean.sample.luma
      }
    }
    let chroma = InlineArray<8, Image> { index in
      Self.chroma(of: drawing, oddX: index & 1, oddY: index >> 1 & 1, isRed: index >= 4)
    }
    self.init(luma: luma, chroma: chroma, coverage: coverage)
  }

  /// Creates a sprite from its planes, all of the format `gray8`.
  init(luma: consuming Image, chroma: consuming InlineArray<8, Image>, coverage: consuming Image) {
    self.image = luma
    self.chroma = chroma
    self.coverage = Mask(coverage)
    self.identity = Self.newIdentity()
  }

  /// The number of columns and rows.
  package var size: PixelSize { image.size }

  /// The luma samples, valid while the sprite lives.
  package var luma: Plane { image[plane: 0].readOnly }

  /// Returns the blue or red samples, valid while the sprite lives.
  ///
  /// `oddX` and `oddY` are true if the sprite begins on an odd column or row, so that its first
  /// luma sample is the second one of its chroma sample.
  package func chroma(isRed: Bool, oddX: Bool, oddY: Bool) -> Plane {
    chroma[(oddX ? 1 : 0) + (oddY ? 2 : 0) + (isRed ? 4 : 0)][plane: 0].readOnly
  }

  /// Returns the size of the chroma planes of a sprite of `size`; `oddX` and `oddY` are 1 if it
  /// begins on an odd column or row.
  static func chromaSize(_ size: PixelSize, oddX: Int, oddY: Int) -> PixelSize {
    PixelSize(width: size.width + oddX, height: size.height + oddY).chroma
  }

  private static func chroma(
    of drawing: ColorImage, oddX: Int, oddY: Int, isRed: Bool
  ) -> Image {
    let image = Image(.gray8, size: chromaSize(drawing.size, oddX: oddX, oddY: oddY))
    let plane = image[plane: 0]
    for y in 0..<plane.size.height {
      for x in 0..<plane.size.width {
        var mean = ColorMean()
        for row in 2 * y - oddY...2 * y - oddY + 1 {
          let column = 2 * x - oddX
          mean.add(drawing, column - 1, row, weight: 1)
          mean.add(drawing, column, row, weight: 2)
          mean.add(drawing, column + 1, row, weight: 1)
        }
        let sample = mean.sample
        plane[x, y] = isRed ? sample.red : sample.blue
      }
    }
    return image
  }
}

/// An accumulator for the mean color of pixels, weighted by alpha.
private struct ColorMean {
  private var red = 0
  private var green = 0
  private var blue = 0
  private var alpha = 0

  /// Adds the pixel at (`x`, `y`); does nothing if it is outside the drawing.
  mutating func add(_ drawing: ColorImage, _ x: Int, _ y: Int, weight: Int) {
    guard x >= 0, x < drawing.width, y >= 0, y < drawing.height else { return }
    let index = 4 * (y * drawing.width + x)
    let limit = drawing.bytes[index + 3]
    func component(_ offset: Int) -> Int { Int(min(drawing.bytes[index + offset], limit)) }
    red += weight * component(0)
    green += weight * component(1)
    blue += weight * component(2)
    alpha += weight * Int(limit)
  }

  /// The mean as canvas samples; black if no pixel has coverage.
  var sample: (luma: UInt8, blue: UInt8, red: UInt8) {
    let whole = Double(max(1, alpha))
    return Color.canvasSample(
      red: Double(red) / whole, green: Double(green) / whole, blue: Double(blue) / whole)
  }
}
