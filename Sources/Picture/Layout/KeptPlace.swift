/// A place beside all tiles that one person always has, whole and at the same size: an interpreter
/// (WCAG 2.2, success criterion 1.2.6).
package struct KeptPlace: Hashable, Sendable {
  /// The edge along which the place lies.
  package let edge: FilmstripLayout.Position
  /// The share of the canvas that the place takes across that edge, above 0 and below 1.
  package let share: Double

  /// A place of that share along the edge.
  package init(edge: FilmstripLayout.Position, share: Double) {
    (self.edge, self.share) = (edge, share)
  }

  /// The part of `canvas` that is left for the others, and the place.
  func divide(_ canvas: Size) -> (rest: Rect, place: Rect) {
    let extent = edge.isVertical ? canvas.width : canvas.height
    let (rest, place) = canvas.bounds.divided(large: extent * (1 - share), stripAt: edge)
    return (rest, place)
  }

  /// The tile of `item` on `canvas`.
  func tile(_ item: LayoutItem, on canvas: Size, gap: Double) -> LayoutAttributes {
    let place = divide(canvas).place.inset(by: gap)
    let size = place.size.fitted(aspectRatio: item.plannedAspectRatio)
    let frame = Rect(
      x: place.x + (place.width - size.width) / 2, y: place.maxY - size.height,
      width: size.width, height: size.height)
    return LayoutAttributes(item, frame: frame, zIndex: Int(Int32.max), fit: .contain)
  }
}
