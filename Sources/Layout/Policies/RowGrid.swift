/// Rows of people on an upright canvas, as high as each other and each as wide as the canvas: where
/// equal tiles would leave holes. Where rows cannot have equally many, the first ones have one tile
/// more, or the last ones where that shows more of the pictures, as on an upright canvas.
struct RowGrid {
  /// The tiles, in the order of the items.
  let attributes: [LayoutAttributes]

  /// Of more people than these, equal tiles leave small holes only.
  private static let most = 9

  /// The share of an area that tiles have to fill.
  static let fullShare = 0.9

  /// The tiles of `items` in `area`, in as many rows as show the most of the pictures; nil where no
  /// number of rows fills the area, or somebody shares a screen.
  init?(_ items: [LayoutItem], in area: Rect, _ context: LayoutContext) {
    guard items.allSatisfy({ $0.kind == .camera }), (2...Self.most).contains(items.count) else {
      return nil
    }
    var best: (attributes: [LayoutAttributes], value: Double)?
    let choices = (1...items.count).flatMap { [($0, items.count % $0), ($0, 0)] }
    for (rows, extra) in choices {
      let (attributes, value) = Self.tiles(items, rows, longUpTo: extra, in: area, context)
      guard attributes.share(of: context.frame(ofCell: area).size) >= Self.fullShare else {
        continue
      }
      if best.map({ value > $0.value * (1 + 1e-9) }) ?? true { best = (attributes, value) }
    }
    guard let best else { return nil }
    attributes = best.attributes
  }

  private static func tiles(
    _ items: [LayoutItem], _ rows: Int, longUpTo first: Int, in area: Rect, _ context: LayoutContext
  ) -> (attributes: [LayoutAttributes], value: Double) {
    var (attributes, value, next) = ([LayoutAttributes](), 0.0, 0)
    let height = area.height / Double(rows)
    for row in 0..<rows {
      let isLong = first > 0 ? row < first : row >= rows - items.count % rows
      let count = items.count / rows + (isLong ? 1 : 0)
      let members = Array(items[next..<next + count])
      next += count
      let width = area.width / Double(count)
      for (column, item) in members.enumerated() {
        let frame = context.frame(
          ofCell: Rect(
            x: area.x + Double(column) * width, y: area.y + Double(row) * height, width: width,
            height: height))
        let shape = TileShape(members, in: frame.size, context)
        var tile = LayoutAttributes(
          item, frame: frame.centered(width: shape.size.width, height: shape.size.height))
        tile.coverage = shape.coverage(of: item)
        attributes.append(tile)
        value += shape.value(of: item)
      }
    }
    return (attributes, value)
  }
}

extension [LayoutAttributes] {
  /// The share of an area of that size that the tiles, which do not overlap, fill.
  func share(of size: Size) -> Double {
    size.area > 0 ? reduce(0) { $0 + $1.frame.size.area } / size.area : 0
  }
}
