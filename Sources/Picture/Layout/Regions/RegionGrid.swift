import TesseraTimeline

/// The cells of a ``LayoutRegion`` on a canvas. All positions and lengths are even, as hisui makes
/// them.
struct RegionGrid: Hashable {
  let columns: Int
  let rows: Int
  private let originX: Int
  private let originY: Int
  private let cellWidth: Int
  private let cellHeight: Int
  private let border: Int

  /// Creates the grid with at least `count` usable cells.
  init(_ region: LayoutRegion, count: Int, canvas: Size) {
    (columns, rows) = Self.shape(region, needed: region.cellsNeeded(for: count))
    border = region.border
    let horizontal = Self.cells(
      region.width, at: region.x, count: columns, canvas: Int(saturating: canvas.width),
      border: border)
    let vertical = Self.cells(
      region.height, at: region.y, count: rows, canvas: Int(saturating: canvas.height),
      border: border)
    (originX, cellWidth) = horizontal
    (originY, cellHeight) = vertical
  }

  /// Returns the frame of the cell `index`, counted row by row from 0.
  func cell(_ index: Int) -> Rect {
    let (row, column) = index.quotientAndRemainder(dividingBy: columns)
    return Rect(
      x: Double(originX + column * (cellWidth + border)),
      y: Double(originY + row * (cellHeight + border)),
      width: Double(cellWidth), height: Double(cellHeight))
  }

  /// Returns a grid shape for `needed` cells: as square as possible with at most one column more
  /// than rows, unless a side is limited.
  private static func shape(_ region: LayoutRegion, needed: Int) -> (columns: Int, rows: Int) {
    func divided(_ count: Int, by size: Int) -> Int { (count + size - 1) / size }
    switch (region.maxColumns, region.maxRows) {
    case (nil, nil):
      let columns = max(1, Int(saturating: Double(needed).squareRoot().rounded(.up)))
      let rows = max(1, columns - 1)
      return (columns, rows * columns < needed ? rows + 1 : rows)
    case (let maxColumns?, let maxRows) where maxColumns <= maxRows ?? .max:
      return (
        max(1, min(needed, maxColumns)),
        max(1, min(divided(needed, by: maxColumns), maxRows ?? .max))
      )
    case (let maxColumns, let maxRows):
      let limit = maxRows ?? 1
      return (
        max(1, min(divided(needed, by: limit), maxColumns ?? .max)), max(1, min(needed, limit))
      )
    }
  }

  /// Returns the position of the first cell along one side, and the length of each cell, in pixels.
  private static func cells(
    _ extent: LayoutRegion.Extent, at position: Int, count: Int, canvas: Int, border: Int
  ) -> (origin: Int, length: Int) {
    let position = position & ~1
    let inner = border * (count - 1)
    let total: Int
    switch extent {
    case .cell(let wanted):
      let length = min(wanted, max(0, canvas - position - inner) / count) & ~1
      return (position + (position + length * count + inner + border < canvas ? border : 0), length)
    case .region(let length): total = length & ~1
    case .remaining: total = (canvas - position) & ~1
    }
    let outer = total < canvas ? 2 * border : 0
    let length = max(0, (total - outer - inner) / count) & ~1
    let left = max(0, total - count * length - inner)
    return (position + ((left / 2) & ~1), length)
  }
}

extension LayoutRegion {
  /// Returns the number of cells, excluded ones included, of which `count` are usable.
  fileprivate func cellsNeeded(for count: Int) -> Int {
    var needed = count
    for cell in excludedCells.sorted() {
      guard cell < needed else { break }
      needed += 1
    }
    return needed
  }
}
