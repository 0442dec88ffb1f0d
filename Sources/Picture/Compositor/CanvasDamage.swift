internal import TesseraPixels

/// The samples of a canvas that must be redrawn.
package struct CanvasDamage {
  /// The damaged samples of each kind of plane. Chroma includes all samples that damaged luma
  /// touches.
  private(set) var regions = PlanePair(luma: PixelRectSet(), chroma: PixelRectSet())

  /// True if nothing has to be redrawn.
  package var isEmpty: Bool { regions.luma.isEmpty }

  mutating func removeAll() {
    regions.luma.removeAll()
    regions.chroma.removeAll()
  }

  /// Adds a rectangle of luma samples and the chroma samples that it touches.
  mutating func insert(_ rectangle: PixelRect) {
    guard !rectangle.isEmpty else { return }
    regions.luma.insert(rectangle)
    regions.chroma.insert(rectangle.chroma)
  }
}
