extension FilmstripLayout {
  /// The measures of the strip on a canvas.
  struct Strip {
    let large: Rect
    let contentSize: Size
    /// The number of tiles.
    let count: Int
    /// How many of them lie under the canvas at once.
    let capacity: Int
    /// The length of a tile along the strip.
    let length: Double
    private let strip: Rect
    let isVertical: Bool
    private let start: Double

    init(_ layout: FilmstripLayout, at position: Position, _ context: LayoutContext) {
      let bounds = context.tilingBounds
      count = context.items.count - 1
      isVertical = position.isVertical
      guard count > 0 else {
        (large, strip, contentSize) = (bounds, bounds, context.canvas)
        (capacity, length, start) = (0, bounds.width, 0)
        return
      }
      (large, strip) = layout.divided(bounds, at: position)
      let along = isVertical ? strip.height : strip.width
      let across = isVertical ? strip.width : strip.height
      let wanted = layout.tileLength.length(
        count: count, along: along, across: across, isVertical: isVertical)
      capacity = min(count, max(1, Int((along / wanted + 1e-9).rounded(.down))))
      // A strip that scrolls is filled by whole tiles.
      length = capacity < count ? max(wanted, along / Double(capacity)) : wanted
      start = layout.isCentered ? max(0, along - length * Double(count)) / 2 : 0
      let excess = length * Double(count - capacity)
      contentSize = Size(
        width: context.canvas.width + (isVertical ? 0 : excess),
        height: context.canvas.height + (isVertical ? excess : 0))
    }

    /// The cell of the tile `index`.
    func tile(_ index: Int) -> Rect {
      let distance = start + Double(index) * length
      return isVertical
        ? Rect(x: strip.x, y: strip.y + distance, width: strip.width, height: length)
        : Rect(x: strip.x + distance, y: strip.y, width: length, height: strip.height)
    }
  }
}

extension FilmstripLayout.TileLength {
  /// The length of each of `count` tiles of a strip of the given extents.
  fileprivate func length(
    count: Int, along: Double, across: Double, isVertical: Bool
  ) -> Double {
    switch self {
    case .share(let share): return along * share
    case .shape:
      let natural = isVertical ? across * 9 / 16 : across * 16 / 9
      let least = isVertical ? across / 2 : across * 4 / 5
      return min(along, max(least, min(natural, along / Double(count))))
    }
  }
}

extension Rect {
  /// The two parts of the rectangle on either side of a line parallel to the edge `position`, the
  /// far one of which is `length` long.
  func divided(
    large length: Double, stripAt position: FilmstripLayout.Position
  ) -> (large: Rect, strip: Rect) {
    let lineX = position == .left ? maxX - length : x + length
    let lineY = position == .top ? maxY - length : y + length
    let (left, right) = (
      Rect(left: x, top: y, right: lineX, bottom: maxY),
      Rect(left: lineX, top: y, right: maxX, bottom: maxY)
    )
    let (upper, lower) = (
      Rect(left: x, top: y, right: maxX, bottom: lineY),
      Rect(left: x, top: lineY, right: maxX, bottom: maxY)
    )
    return switch position {
    case .left: (right, left)
    case .right: (left, right)
    case .top: (lower, upper)
    case .bottom: (upper, lower)
    }
  }
}
