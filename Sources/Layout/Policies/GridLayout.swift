/// Equal cells in as many columns as show the most of the pictures; the last row is centered.
///
/// For every number of columns the area is added up that the whole pictures take when each is
/// fitted into its cell; the largest sum wins. Ties go to fewer empty cells, then to more columns.
/// With 16:9 pictures only, that is the number of columns with the largest 16:9 picture in a cell.
public struct GridLayout: LayoutPolicy, Hashable {
  /// The number of columns; nil chooses it.
  public var columns: Int?

  /// A grid of so many columns, or of as many as show the most of the pictures.
  public init(columns: Int? = nil) {
    self.columns = columns
  }

  init(options: inout LayoutOptions) throws(LayoutError) {
    columns = try options.integer("columns", in: 1...100)
  }

  public var seating: Seating { .seats }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
  }

  public func prepare(_ context: LayoutContext) -> Arrangement {
    let items = context.items
    let bounds = context.tilingBounds
    let columns = min(self.columns ?? bestColumns(context), max(1, items.count))
    let shape = GridShape(count: items.count, columns: columns)
    let attributes = items.enumerated().map { index, item in
      LayoutAttributes(item, frame: context.frame(ofCell: shape.cell(index, in: bounds)))
    }
    return Arrangement(contentSize: context.canvas, attributes: attributes)
  }

  /// The size at which a 16:9 picture fills each cell of the grid of a 16:9 canvas.
  public func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    let canvas = proposal.widescreen
    let context = LayoutContext(canvas: canvas, gap: gap, items: items)
    let shape = GridShape(
      count: items.count, columns: min(columns ?? bestColumns(context), max(1, items.count)))
    let (columns, rows) = (Double(shape.columns), Double(shape.rows))
    let across = (canvas.width - gap) / columns - gap
    let down = (canvas.height - gap) / rows - gap
    return Size(
      width: columns * (down * 16 / 9 + gap) + gap, height: rows * (across * 9 / 16 + gap) + gap)
  }

  /// The number of columns, 1 up to the number of items, that shows the most of the pictures.
  func bestColumns(_ context: LayoutContext) -> Int {
    let ratios = context.items.map(\.plannedAspectRatio)
    var best = (columns: 1, area: -1.0, empty: Int.max)
    for columns in stride(from: 1, through: ratios.count, by: 1) {
      let shape = GridShape(count: ratios.count, columns: columns)
      let cell = context.frame(ofCell: shape.cell(0, in: context.tilingBounds))
      let area = ratios.reduce(0) { $0 + cell.size.fitted(aspectRatio: $1).area }
      // Sums of the same areas may differ in their last bits.
      let tolerance = best.area * 1e-9
      if area > best.area + tolerance
        || (area >= best.area - tolerance && shape.emptyCells <= best.empty)
      {
        best = (columns, area, shape.emptyCells)
      }
    }
    return best.columns
  }
}

/// How a number of equal cells stands in rows.
struct GridShape {
  let count: Int
  let columns: Int
  let rows: Int

  init(count: Int, columns: Int) {
    self.count = count
    self.columns = max(1, columns)
    rows = max(1, (count + self.columns - 1) / self.columns)
  }

  var emptyCells: Int { rows * columns - count }

  /// The cell of the item `index` in `bounds`, row by row, an incomplete last row centered.
  func cell(_ index: Int, in bounds: Rect) -> Rect {
    let (row, column) = index.quotientAndRemainder(dividingBy: columns)
    let inRow = row == rows - 1 ? count - row * columns : columns
    let (width, height) = (bounds.width / Double(columns), bounds.height / Double(rows))
    let indent = Double(columns - inRow) * width / 2
    return Rect(
      x: bounds.x + indent + Double(column) * width, y: bounds.y + Double(row) * height,
      width: width, height: height)
  }
}

extension Size {
  /// The largest size of the given aspect ratio inside this one.
  func fitted(aspectRatio: Double) -> Size {
    width > height * aspectRatio
      ? Size(width: height * aspectRatio, height: height)
      : Size(width: width, height: width / aspectRatio)
  }
}
