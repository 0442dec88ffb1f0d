internal import TesseraPixels

extension Canvas {
  /// Brings this canvas, which showed what `other` showed before `damage` was drawn, to what `other`
  /// shows now.
  ///
  /// - Precondition: both canvases have the same size.
  public borrowing func copy(_ damage: borrowing Damage, from other: borrowing Canvas) {
    precondition(size == other.size)
    for index in 0..<3 {
      let region = index == 0 ? damage.regions.luma : damage.regions.chroma
      for rectangle in region.rectangles {
        image[plane: index].copy(other.image[plane: index].readOnly, in: rectangle)
      }
    }
  }
}
