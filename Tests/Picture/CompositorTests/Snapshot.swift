import TesseraCompositor
import TesseraPixels

/// A copy of a canvas for comparison.
struct Snapshot: Equatable {
  let size: PixelSize
  let planes: [[UInt8]]

  init(_ canvas: borrowing Canvas) {
    size = canvas.size
    planes = canvas.withPlanes { luma, blue, red in
      [luma, blue, red].map { plane in
        (0..<plane.size.height).flatMap { y in (0..<plane.size.width).map { plane[$0, y] } }
      }
    }
  }

  /// Returns the luma sample at (`x`, `y`).
  func luma(_ x: Int, _ y: Int) -> UInt8 { planes[0][y * size.width + x] }
  /// Returns the blue-difference sample at (`x`, `y`) of its plane.
  func blue(_ x: Int, _ y: Int) -> UInt8 { planes[1][y * size.chroma.width + x] }
  /// Returns the red-difference sample at (`x`, `y`) of its plane.
  func red(_ x: Int, _ y: Int) -> UInt8 { planes[2][y * size.chroma.width + x] }

  /// Returns the plane and position of the first different sample, for a test's message.
  func firstDifference(from other: Snapshot) -> String? {
    for plane in 0..<3 {
      let width = plane == 0 ? size.width : size.chroma.width
      for index in planes[plane].indices where planes[plane][index] != other.planes[plane][index] {
        let (mine, theirs) = (planes[plane][index], other.planes[plane][index])
        return "plane \(plane) at (\(index % width), \(index / width)): \(mine) and \(theirs)"
      }
    }
    return nil
  }
}

extension Compositor {
  /// Composes onto a new canvas.
  mutating func snapshot(_ scene: Scene, _ contents: [TileContent]) -> Snapshot {
    var canvas = Canvas(size: scene.size)
    _ = compose(scene, ItemContents(contents), onto: &canvas)
    return Snapshot(canvas)
  }
}
