import TesseraPixels
import TestSupport
import Testing

/// Samples of one plane as an array, for comparison.
struct Samples: Equatable {
  var size: PixelSize
  var values: [UInt8]

  init(size: PixelSize, values: [UInt8]) {
    self.size = size
    self.values = values
  }

  init(_ width: Int, _ height: Int, _ value: (_ x: Int, _ y: Int) -> UInt8) {
    size = PixelSize(width: width, height: height)
    values = (0..<width * height).map { value($0 % width, $0 / width) }
  }

  init(_ plane: Plane) {
    self.init(plane.size.width, plane.size.height) { plane[$0, $1] }
  }

  /// Returns uniform noise.
  static func noise(_ width: Int, _ height: Int, seed: UInt64) -> Samples {
    var generator = SplitMix64(seed: seed)
    return Samples(width, height) { _, _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// Returns a sum of slow waves in both directions, like out-of-focus detail.
  static func waves(_ width: Int, _ height: Int) -> Samples {
    Samples(width, height) { x, y in
      let (u, v) = (Double(x), Double(y))
      let wave = sine(u * 0.031 + v * 0.017) + sine(u * 0.0113 - v * 0.043) + sine(v * 0.07)
      return UInt8(128 + 38 * wave)
    }
  }

  subscript(x: Int, y: Int) -> UInt8 { values[y * size.width + x] }

  var mirrored: Samples {
    Samples(size.width, size.height) { self[size.width - 1 - $0, $1] }
  }

  var flipped: Samples {
    Samples(size.width, size.height) { self[$0, size.height - 1 - $1] }
  }

  /// Returns a picture with these samples as luma and with `chroma`.
  func picture(
    chroma: Samples? = nil, color: ColorSpace = .canvas, orientation: Orientation = .upright,
    siting: ChromaSiting = .left
  ) -> Picture {
    let image = Image(.yuv420p8, size: size)
    for plane in 0..<3 {
      let target = image[plane: plane]
      for y in 0..<target.size.height {
        for x in 0..<target.size.width {
          target[x, y] = plane == 0 ? self[x, y] : chroma?[x, y] ?? 128
        }
      }
    }
    return Picture(image, color: color, orientation: orientation, chromaSiting: siting)
  }
}

extension Samples: CustomTestStringConvertible {
  /// The size and the first samples.
  var testDescription: String { "\(size.width)x\(size.height) \(values.prefix(12))…" }
}
