/// A corner of the canvas.
package enum CanvasCorner: String, Hashable, Sendable, CaseIterable {
  case topLeft = "top-left"
  case topRight = "top-right"
  case bottomLeft = "bottom-left"
  case bottomRight = "bottom-right"

  /// Returns the rectangle of `size` in this corner of `canvas`, at the given distances from its
  /// edges in pixels.
  func place(_ size: Size, in canvas: Size, marginX: Double, marginY: Double) -> Rect {
    let isLeft = self == .topLeft || self == .bottomLeft
    let isTop = self == .topLeft || self == .topRight
    return Rect(
      x: isLeft ? marginX : canvas.width - size.width - marginX,
      y: isTop ? marginY : canvas.height - size.height - marginY,
      width: size.width, height: size.height)
  }
}
