/// How ``BestFitLayout`` packs tiles into an area, after `getLayout` of opentok-layout-js.
package struct Packing: Hashable, Sendable {
  /// Where what does not fill its space stands in it.
  package enum Alignment: String, Hashable, Sendable, CaseIterable {
    /// At the left and top.
    case start
    /// In the middle.
    case center
    /// At the right and bottom.
    case end

    func position(of extent: Double, in space: Double) -> Double {
      switch self {
      case .start: 0
      case .center: (space - extent) / 2
      case .end: space - extent
      }
    }
  }

  /// The shapes a tile may have, height over width.
  package var ratios: ClosedRange<Double>
  /// Whether tiles have their picture's shape instead.
  package var isFixed: Bool
  /// The most that a tile is wide and high.
  package var maximum: Size
  /// Where rows stand in the area, and tiles in rows that are not full.
  package var alignment: Alignment
  /// Whether rows that are not full grow into height that is left.
  package var growsShortRows: Bool
  /// Whether of equal areas the one with the fuller last row wins.
  package var prefersEvenRows: Bool

  /// The defaults of opentok-layout-js.
  package init(
    ratios: ClosedRange<Double> = 9.0 / 16.0...1.5, isFixed: Bool = false,
    maximum: Size = Size(width: .infinity, height: .infinity),
    alignment: Alignment = .center, growsShortRows: Bool = true, prefersEvenRows: Bool = true
  ) {
    self.ratios = ratios
    self.isFixed = isFixed
    self.maximum = maximum
    self.alignment = alignment
    self.growsShortRows = growsShortRows
    self.prefersEvenRows = prefersEvenRows
  }

  /// The tiles for pictures of the given ratios (height over width) in an area of size `area`.
  func boxes(_ pictures: [Double], in area: Size) -> [Rect] {
    guard let target = bestTile(pictures, in: area) else { return [] }
    var rows = stride(from: 0, to: pictures.count, by: target.columns).map { start in
      let row = pictures[start..<min(start + target.columns, pictures.count)]
      return Row(
        pictures: row, width: row.reduce(0) { $0 + tileWidth(target, ratio: $1) },
        height: target.height)
    }
    fit(&rows, target: target, in: area)
    return place(rows, target: target, in: area)
  }

  /// How long the tiles for pictures of the given ratios are together in an area of size `area`,
  /// before rows that are not full grow.
  func extent(of pictures: [Double], in area: Size, along axis: Axis) -> Double {
    guard let tile = bestTile(pictures, in: area) else { return 0 }
    let rows = (pictures.count + tile.columns - 1) / tile.columns
    return axis == .vertical ? tile.height * Double(rows) : tile.width * Double(tile.columns)
  }
}

extension Packing {
  private struct Row {
    let pictures: ArraySlice<Double>
    var width: Double
    var height: Double
  }

  private func tileWidth(_ target: Tile, ratio: Double) -> Double {
    isFixed ? target.height / ratio : target.width
  }

  /// Shrinks rows that are too wide and lets short ones grow into the height that is left.
  private func fit(_ rows: inout [Row], target: Tile, in area: Size) {
    for index in rows.indices where rows[index].width > area.width {
      rows[index].height = (rows[index].height * (area.width / rows[index].width)).rounded(.down)
      rows[index].width = area.width
    }
    guard growsShortRows else { return }
    var short = rows.indices.filter {
      rows[$0].width < area.width && rows[$0].height < maximum.height
    }[...]
    var remaining = area.height - rows.reduce(0) { $0 + $1.height }
    while remaining > 0, let index = short.popFirst() {
      let row = rows[index]
      var extra = remaining / Double(short.count + 1)
      if extra / row.height > (area.width - row.width) / row.width {
        extra = ((area.width - row.width) / row.width * row.height).rounded(.down)
      }
      extra = min(extra, row.height * (largestGrowth(row, target) - 1))
      rows[index].width += (extra / row.height * row.width).rounded(.down)
      rows[index].height += extra
      remaining -= extra
    }
  }

  /// By which factor a row can grow before one of its tiles is larger than the largest.
  private func largestGrowth(_ row: Row, _ target: Tile) -> Double {
    let widest = row.pictures.map { tileWidth(target, ratio: $0) }.max() ?? target.width
    return max(1, min(maximum.height / row.height, maximum.width / widest))
  }

  /// The width of a tile of `row` for a picture of that ratio.
  private func width(of ratio: Double, in row: Row, _ target: Tile) -> Double {
    if isFixed { return (row.height / ratio).rounded(.down) }
    guard row.height != target.height else { return target.width }
    return (target.width / target.height * row.height).rounded(.down)
  }

  /// The tiles of `rows`, one row under the other.
  private func place(_ rows: [Row], target: Tile, in area: Size) -> [Rect] {
    var y = alignment.position(of: rows.reduce(0) { $0 + $1.height }, in: area.height)
    var boxes: [Rect] = []
    for row in rows {
      let widths = row.pictures.map { width(of: $0, in: row, target) }
      // Widths are rounded down: what is left over lies on both sides, not on one.
      var x = alignment.position(of: widths.reduce(0, +), in: area.width)
      for width in widths {
        boxes.append(Rect(x: x, y: y, width: width, height: row.height))
        x += width
      }
      y += row.height
    }
    return boxes
  }
}
