package import TesseraPixels

/// The picture being composed: 8-bit 4:2:0, BT.709 limited range, chroma sited at the left, even
/// sides.
///
/// A canvas stores what it shows, so that the next composition onto it touches only what changed.
package struct Canvas: ~Copyable {
  let image: Image
  var state = CanvasState()

  /// Creates a canvas with undefined contents.
  ///
  /// - Precondition: Both sides are even and at least 2.
  package init(size: PixelSize) {
    precondition(size.width >= 2 && size.height >= 2)
    precondition(size.width.isMultiple(of: 2) && size.height.isMultiple(of: 2))
    self.image = Image(.yuv420p8, size: size)
  }

  /// The canvas size in luma samples.
  package var size: PixelSize { image.size }

  /// Passes the luma, blue and red planes to `body` for reading. The planes are valid only during
  /// the call.
  package func withPlanes<R: ~Copyable, E: Error>(
    _ body: (_ luma: Plane, _ blue: Plane, _ red: Plane) throws(E) -> R
  ) throws(E) -> R {
    try body(image[plane: 0].readOnly, image[plane: 1].readOnly, image[plane: 2].readOnly)
  }

  /// Discards the record of what the canvas shows. The next composition draws everything.
  package mutating func invalidate() {
    state.invalidate()
  }
}
