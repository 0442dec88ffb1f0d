package import TesseraPixels

/// The picture being composed: 8-bit 4:2:0, BT.709 limited, chroma sited at the left, even sides.
///
/// A canvas remembers what it shows, so that composing onto it again touches only what changed.
package struct Canvas: ~Copyable {
  let image: Image
  var holding = CanvasHolding()

  /// A canvas that shows nothing yet.
  ///
  /// - Precondition: both sides are even and at least 2.
  package init(size: PixelSize) {
    precondition(size.width >= 2 && size.height >= 2)
    precondition(size.width.isMultiple(of: 2) && size.height.isMultiple(of: 2))
    self.image = Image(.yuv420p8, size: size)
  }

  /// The number of columns and rows.
  package var size: PixelSize { image.size }

  /// The luma, blue and red planes to read, during `body` only.
  package func withPlanes<R: ~Copyable, E: Error>(
    _ body: (_ luma: Plane, _ blue: Plane, _ red: Plane) throws(E) -> R
  ) throws(E) -> R {
    try body(image[plane: 0].readOnly, image[plane: 1].readOnly, image[plane: 2].readOnly)
  }

  /// Forgets what the canvas shows: the next composition draws everything.
  package mutating func invalidate() {
    holding.invalidate()
  }
}
