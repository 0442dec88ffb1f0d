internal import Layout
internal import Pixels

extension PixelRect {
  /// The pixels of a rectangle: every edge is rounded half-up, so that neighbours tile.
  init(rounding rect: Rect) {
    let (left, top) = (Self.edge(rect.x), Self.edge(rect.y))
    self.init(
      x: left, y: top, width: max(0, Self.edge(rect.maxX) - left),
      height: max(0, Self.edge(rect.maxY) - top))
  }

  private static func edge(_ position: Double) -> Int {
    let bound = Double(1 << 24)
    return Int((min(max(-bound, position), bound) + 0.5).rounded(.down))
  }

  /// The least rectangle with even edges around this one.
  var roundedOutToEven: PixelRect {
    let chroma = chroma
    return PixelRect(
      x: 2 * chroma.x, y: 2 * chroma.y, width: 2 * chroma.width, height: 2 * chroma.height)
  }

  /// The greatest rectangle with even edges inside this one; may be empty.
  var roundedInToEven: PixelRect {
    let (left, top) = ((x + 1) & ~1, (y + 1) & ~1)
    return PixelRect(
      x: left, y: top, width: max(0, (maxX & ~1) - left), height: max(0, (maxY & ~1) - top))
  }
}
