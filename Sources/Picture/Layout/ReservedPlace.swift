/// A strip of the canvas reserved for one participant, shown whole and at a constant size: an
/// interpreter (WCAG 2.2, success criterion 1.2.6).
package struct ReservedPlace: Hashable, Sendable {
  /// The edge of the canvas along which the strip runs.
  package let edge: FilmstripLayout.Position
  /// The strip's fraction of the canvas across ``edge``, above 0 and below 1.
  package let share: Double

  package init(edge: FilmstripLayout.Position, share: Double) {
    (self.edge, self.share) = (edge, share)
  }

  /// Divides `canvas` into the part for all other items and the reserved strip.
  func divide(_ canvas: Size) -> (rest: Rect, place: Rect) {
    let extent = edge.isVertical ? canvas.width : canvas.height
    let (rest, place) = canvas.bounds.divided(large: extent * (1 - share), stripAt: edge)
    return (rest, place)
  }

  /// Returns the tile of the reserved participant `item` on `canvas`, in front of all others.
  func tile(_ item: LayoutItem, on canvas: Size, gap: Double) -> LayoutAttributes {
    let place = divide(canvas).place.inset(by: gap)
    let size = place.size.fitted(aspectRatio: item.plannedAspectRatio)
    let frame = Rect(
      x: place.x + (place.width - size.width) / 2, y: place.maxY - size.height,
      width: size.width, height: size.height)
    return LayoutAttributes(item, frame: frame, zIndex: Int(Int32.max), fit: .contain)
  }
}
