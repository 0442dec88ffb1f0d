/// A corner of the canvas.
package enum Corner: String, Hashable, Sendable, CaseIterable {
  /// Top and left.
  case topLeft = "top-left"
  /// Top and right.
  case topRight = "top-right"
  /// Bottom and left.
  case bottomLeft = "bottom-left"
  /// Bottom and right.
  case bottomRight = "bottom-right"

  /// The rectangle of `size` in this corner of `canvas`, with the given distances to its edges.
  func place(_ size: Size, in canvas: Size, marginX: Double, marginY: Double) -> Rect {
    let isLeft = self == .topLeft || self == .bottomLeft
    let isTop = self == .topLeft || self == .topRight
    return Rect(
      x: isLeft ? marginX : canvas.width - size.width - marginX,
      y: isTop ? marginY : canvas.height - size.height - marginY,
      width: size.width, height: size.height)
  }
}
