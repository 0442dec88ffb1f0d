internal import TesseraPixels

/// The samples of a canvas that have to be drawn again.
package struct Damage {
  /// In samples of the plane each. Chroma takes all that damaged luma touches.
  private(set) var regions = Planar(luma: Region(), chroma: Region())

  /// Whether nothing has to be drawn.
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
