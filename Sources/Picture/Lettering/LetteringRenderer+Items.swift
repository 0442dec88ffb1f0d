internal import TesseraLayout
internal import TesseraPixels

extension LetteringRenderer {
  /// Stores the coverage of `surface`, cropped to its bounding box, as an item in `color`; empty if
  /// nothing is covered.
  func item(
    _ surface: borrowing CairoSurface, color: Color, opacity: Double = 1, x: Int = 0, y: Int = 0
  ) -> [DrawingGroup.Item] {
    item(surface.coverage, color: color, opacity: opacity, x: x, y: y)
  }

  /// Stores `coverage`, cropped to its bounding box, as an item in `color`; empty if nothing is
  /// covered.
  func item(
    _ coverage: PixelCoverage, color: Color, opacity: Double = 1, x: Int, y: Int
  ) -> [DrawingGroup.Item] {
    guard let bounds = coverage.bounds else { return [] }
    var part = coverage.cropped(to: bounds)
    if opacity < 1 {
      part = PixelCoverage(
        size: part.size, bytes: part.bytes.map { UInt8(Double($0) * max(0, opacity) + 0.5) })
    }
    let id = store.insert(.coverage(part))
    return [
      DrawingGroup.Item(art: id, color: color, x: x + bounds.x, y: y + bounds.y, size: part.size)
    ]
  }

  /// Stores `image`, cropped to its bounding box, as an item; empty if it is transparent.
  func item(_ image: ColorImage, x: Int, y: Int) -> [DrawingGroup.Item] {
    guard let bounds = image.bounds else { return [] }
    let id = store.insert(.image(image.cropped(to: bounds)))
    return [
      DrawingGroup.Item(art: id, color: nil, x: x + bounds.x, y: y + bounds.y, size: bounds.size)
    ]
  }

  /// Stores `text` with the top left of its layout at (`x`, `y`), cropped to `limits`.
  func items(
    _ text: RenderedText, color: Color, x: Int, y: Int, limits: PixelRect
  ) -> [DrawingGroup.Item] {
    func part(_ area: PixelRect) -> (from: PixelRect, x: Int, y: Int)? {
      let shown = PixelRect(x: area.x + x, y: area.y + y, width: area.width, height: area.height)
        .intersection(limits)
      guard !shown.isEmpty else { return nil }
      let from = PixelRect(
        x: shown.x - x - area.x, y: shown.y - y - area.y, width: shown.width,
        height: shown.height)
      return (from, shown.x, shown.y)
    }
    var items: [DrawingGroup.Item] = []
    if let letters = text.letters, let part = part(letters.area) {
      let coverage = letters.content.cropped(to: part.from)
      items += item(coverage, color: color, x: part.x, y: part.y)
    }
    if let pictures = text.pictures, let part = part(pictures.area) {
      items += item(pictures.content.cropped(to: part.from), x: part.x, y: part.y)
    }
    return items
  }

  /// Stores a rectangle with round corners as an item.
  func box(
    _ area: PixelRect, radius: Double, color: Color, opacity: Double
  ) -> [DrawingGroup.Item] {
    let surface = CairoSurface(area.size)
    surface.rectangle(
      Rect(x: 0, y: 0, width: Double(area.width), height: Double(area.height)), radius: radius)
    surface.fill()
    return item(surface, color: color, opacity: opacity, x: area.x, y: area.y)
  }

  /// Stores a sign as an item, in a square with its top left at (`x`, `y`).
  func sign(_ sign: Icon, side: Int, color: Color, x: Int, y: Int) -> [DrawingGroup.Item] {
    // The pieces of torn film extend slightly beyond their square.
    let edge = side / 8 + 1
    let surface = CairoSurface(PixelSize(width: side + 2 * edge, height: side + 2 * edge))
    sign.draw(on: surface, x: Double(edge), y: Double(edge), side: Double(side))
    return item(surface, color: color, x: x - edge, y: y - edge)
  }
}
