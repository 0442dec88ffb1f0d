internal import TesseraPixels

extension Canvas {
  /// Copies the samples of `damage` from `other`.
  ///
  /// This canvas must show what `other` showed before `damage` was drawn; it then shows what
  /// `other` shows now.
  ///
  /// - Precondition: Both canvases have the same size.
  package borrowing func copy(_ damage: borrowing CanvasDamage, from other: borrowing Canvas) {
    precondition(size == other.size)
    for index in 0..<3 {
      let region = index == 0 ? damage.regions.luma : damage.regions.chroma
      for rectangle in region.rectangles {
        image[plane: index].copy(other.image[plane: index].readOnly, in: rectangle)
      }
    }
  }
}
