/// Tiles of one shape in rows: a block centered in an area, with an incomplete last row centered.
struct TileGrid {
  private let items: [LayoutItem]
  private let context: LayoutContext
  private let grid: GridShape
  private let shape: TileShape
  /// The part of the area that the tiles occupy.
  private let block: Rect

  /// Creates tiles of `items` in `area`.
  ///
  /// `columns` `nil` chooses the number that shows the most of the pictures. The pictures of
  /// `family` (default: `items`) decide the tiles' shape. `isClose` and `isStrip` are passed to
  /// ``TileShape``.
  init(
    _ items: [LayoutItem], of family: [LayoutItem]? = nil, in area: Rect,
    _ context: LayoutContext, columns: Int? = nil, isClose: Bool = false, isStrip: Bool = false
  ) {
    (self.items, self.context) = (items, context)
    let best = Self.best(items, in: area, context, columns) {
      TileShape(family ?? items, in: $0, context, isClose: isClose, isStrip: isStrip)
    }
    (grid, shape) = best
    let cell = grid.cell(0, in: area).size
    let inner = context.frame(ofCell: cell.bounds).size
    let tile = shape.size
    block = area.centered(
      width: Double(grid.columns) * (cell.width - inner.width + tile.width),
      height: Double(grid.rows) * (cell.height - inner.height + tile.height))
  }

  var columns: Int { grid.columns }

  /// The tiles, in the order of the items.
  var attributes: [LayoutAttributes] {
    items.enumerated().map { index, item in
      var attributes = LayoutAttributes(
        item, frame: context.frame(ofCell: grid.cell(index, in: block)))
      attributes.coverage = shape.coverage(of: item)
      return attributes
    }
  }

  /// Returns the grid and tile shape that show the most of the pictures; ties go to fewer empty
  /// cells, then to more columns. `columns` fixes the number.
  private static func best(
    _ items: [LayoutItem], in area: Rect, _ context: LayoutContext, _ columns: Int?,
    _ shape: (Size) -> TileShape
  ) -> (GridShape, TileShape) {
    func candidate(_ columns: Int) -> (grid: GridShape, shape: TileShape) {
      let grid = GridShape(count: items.count, columns: columns)
      let cell = context.frame(ofCell: grid.cell(0, in: area)).size
      return (grid, shape(cell))
    }
    if let columns { return candidate(min(columns, max(1, items.count))) }
    var best = candidate(1)
    var most = -1.0
    for columns in stride(from: 1, through: items.count, by: 1) {
      let next = candidate(columns)
      var value = items.reduce(0) { $0 + next.shape.value(of: $1) }
      // No picture has bars if another grid avoids them.
      if items.allSatisfy(next.shape.isClosed) { value += area.size.area }
      // Sums of equal values may differ in their last bits.
      let tolerance = most * 1e-9
      if value > most + tolerance
        || (value >= most - tolerance && next.grid.emptyCells <= best.grid.emptyCells)
      {
        (best, most) = (next, value)
      }
    }
    return best
  }
}

/// The arrangement of equal cells in rows and columns.
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

  /// Returns the cell of the item `index` in `bounds`, row by row, with an incomplete last row
  /// centered.
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
