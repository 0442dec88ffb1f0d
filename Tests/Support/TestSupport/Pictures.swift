package import TesseraPixels

/// Synthetic pictures for tests.
public enum Pictures {
  /// Returns a picture of uniform noise.
  package static func noise(
    _ size: PixelSize, color: ColorSpace = .canvas, orientation: Orientation = .upright,
    sampleAspectRatio: SampleAspectRatio = .square, using generator: inout SplitMix64
  ) -> Picture {
    let image = Image(.yuv420p8, size: size)
    for index in 0..<3 {
      let plane = image[plane: index]
      for y in 0..<plane.size.height {
        for x in 0..<plane.size.width {
          plane[x, y] = UInt8(truncatingIfNeeded: generator.next() >> 32)
        }
      }
    }
    return Picture(
      image, color: color, orientation: orientation, sampleAspectRatio: sampleAspectRatio)
  }

  /// Returns a picture whose samples are functions of their position in their plane.
  package static func drawn(
    _ size: PixelSize, color: ColorSpace = .canvas, orientation: Orientation = .upright,
    sampleAspectRatio: SampleAspectRatio = .square,
    luma: (_ x: Int, _ y: Int) -> UInt8, blue: (_ x: Int, _ y: Int) -> UInt8 = { _, _ in 128 },
    red: (_ x: Int, _ y: Int) -> UInt8 = { _, _ in 128 }
  ) -> Picture {
    let image = Image(.yuv420p8, size: size)
    for index in 0..<3 {
      let value = index == 0 ? luma : index == 1 ? blue : red
      let plane = image[plane: index]
      for y in 0..<plane.size.height {
        for x in 0..<plane.size.width { plane[x, y] = value(x, y) }
      }
    }
    return Picture(
      image, color: color, orientation: orientation, sampleAspectRatio: sampleAspectRatio)
  }

  /// Returns a picture of one color.
  package static func plain(
    _ size: PixelSize, luma: UInt8, blue: UInt8 = 128, red: UInt8 = 128
  ) -> Picture {
    drawn(size, luma: { _, _ in luma }, blue: { _, _ in blue }, red: { _, _ in red })
  }
}
