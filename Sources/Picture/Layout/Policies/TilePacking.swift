/// The rule by which ``BestFitLayout`` packs tiles into an area, after `getLayout` of
/// opentok-layout-js.
package struct TilePacking: Hashable, Sendable {
  /// The position of content in a space that it does not fill.
  package enum Alignment: String, Hashable, Sendable, CaseIterable {
    /// Left and top.
    case start
    case center
    /// Right and bottom.
    case end

    func position(of extent: Double, in space: Double) -> Double {
      switch self {
      case .start: 0
      case .center: (space - extent) / 2
      case .end: space - extent
      }
    }
  }

  /// The allowed tile shapes, height over width.
  package var ratios = 9.0 / 16.0...1.5
  /// True if each tile has its picture's shape instead of one from ``ratios``.
  package var isFixed = false
  /// The largest tile size in pixels.
  package var maximum = Size(width: .infinity, height: .infinity)
  /// The position of rows in the area, and of tiles in rows that are not full.
  package var alignment = Alignment.center
  /// True if rows that are not full grow into unused height.
  package var growsShortRows = true
  /// True if, of packings with equal tile area, one with a fuller last row wins.
  package var prefersEvenRows = true

  /// Returns the tiles for pictures of the given ratios (height over width) in an area of size
  /// `area`.
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

  /// Returns the total length along `axis` of the tiles for `pictures` in `area`, before rows that
  /// are not full grow.
  func extent(of pictures: [Double], in area: Size, along axis: LayoutAxis) -> Double {
    guard let tile = bestTile(pictures, in: area) else { return 0 }
    let rows = (pictures.count + tile.columns - 1) / tile.columns
    return axis == .vertical ? tile.height * Double(rows) : tile.width * Double(tile.columns)
  }
}

extension TilePacking {
  private struct Row {
    let pictures: ArraySlice<Double>
    var width: Double
    var height: Double
  }

  private func tileWidth(_ target: RegularTile, ratio: Double) -> Double {
    isFixed ? target.height / ratio : target.width
  }

  /// Shrinks rows that are too wide and grows short ones into the unused height.
  private func fit(_ rows: inout [Row], target: RegularTile, in area: Size) {
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

  /// Returns the factor by which a row can grow before one of its tiles exceeds ``maximum``.
  private func largestGrowth(_ row: Row, _ target: RegularTile) -> Double {
    let widest = row.pictures.map { tileWidth(target, ratio: $0) }.max() ?? target.width
    return max(1, min(maximum.height / row.height, maximum.width / widest))
  }

  /// Returns the width of the tile in `row` for a picture of `ratio` (height over width).
  private func width(of ratio: Double, in row: Row, _ target: RegularTile) -> Double {
    if isFixed { return (row.height / ratio).rounded(.down) }
    guard row.height != target.height else { return target.width }
    return (target.width / target.height * row.height).rounded(.down)
  }

  /// Returns the tiles of `rows`, one row below the other.
  private func place(_ rows: [Row], target: RegularTile, in area: Size) -> [Rect] {
    var y = alignment.position(of: rows.reduce(0) { $0 + $1.height }, in: area.height)
    var boxes: [Rect] = []
    for row in rows {
      let widths = row.pictures.map { width(of: $0, in: row, target) }
      // Widths are rounded down; what is left over is distributed by the alignment.
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
