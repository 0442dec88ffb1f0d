package import TesseraPixels

/// Where a tile lies on a canvas, and whose it is.
package struct MarkedTile: Hashable, Sendable, Codable {
  /// The place of whose it is among those that the proof names.
  package var slot: Int
  /// Where it lies on the canvas, in samples of luma, all of it inside.
  package var area: PixelRect
  /// Where names and badges lie on it; nil where none do.
  package var plate: PixelRect?

  /// The tile of `slot` in `area`.
  package init(slot: Int, area: PixelRect, plate: PixelRect? = nil) {
    (self.slot, self.area, self.plate) = (slot, area, plate)
  }

  /// The columns and rows of cells that a tile is measured in.
  package static let (columns, rows) = (4, 2)
  /// How many cells a tile has.
  package static let cellCount = columns * rows
  /// The fewest samples of a side that is measured.
  package static let least = 16
}

/// What is measured of one canvas.
package struct CanvasMarks: Hashable, Sendable {
  /// The tiles, from bottom to top.
  package var tiles: [MarkedTile] = []
  /// The mean luma of each cell of each tile, row by row.
  package var cells: [UInt8] = []
  /// How much the canvas differs from the one before, as ``MotionMeter/byte(_:)`` says; 0 where it does not, or where
  /// that is not known.
  package var motion: UInt8 = 0
  /// What is measured now and then; nil in between.
  package var overview: Overview?

  /// What is measured of the whole canvas.
  package struct Overview: Hashable, Sendable {
    /// The columns and rows of cells that the canvas is measured in.
    package static let (columns, rows) = (8, 4)
    /// How many cells a canvas has.
    package static let cellCount = columns * rows

    /// The means of luma, of blue and of red chroma of each cell, row by row.
    package var (luma, blue, red): ([UInt8], [UInt8], [UInt8])
    /// How sharp what lies on each tile is, its names: four times the mean difference between samples of luma and those
    /// to their right; 0 without any.
    package var details: [UInt8]
  }

  /// Nothing.
  package init() {}

  /// What `tiles` show on the canvas with these planes, and, where it is wanted, an overview.
  package init(
    _ tiles: [MarkedTile], luma: Plane, blue: Plane, red: Plane, overview: Bool
  ) {
    self.tiles = tiles
    cells.reserveCapacity(tiles.count * MarkedTile.cellCount)
    for tile in tiles {
      Self.append(
        tile.area, of: luma, columns: MarkedTile.columns, rows: MarkedTile.rows, to: &cells)
    }
    guard overview else { return }
    func means(_ plane: Plane) -> [UInt8] {
      var means: [UInt8] = []
      Self.append(
        PixelRect(plane.size), of: plane, columns: Overview.columns, rows: Overview.rows, to: &means
      )
      return means
    }
    self.overview = Overview(
      luma: means(luma), blue: means(blue), red: means(red),
      details: tiles.map { $0.plate.map { Self.detail(of: $0, luma) } ?? 0 })
  }

  /// The most rows of a cell that are looked at.
  private static let mostRows = 32

  /// Appends the means of the cells of `area`.
  private static func append(
    _ area: PixelRect, of plane: Plane, columns: Int, rows: Int, to means: inout [UInt8]
  ) {
    for row in 0..<rows {
      let top = area.y + area.height * row / rows
      let bottom = area.y + area.height * (row + 1) / rows
      let step = max(1, (bottom - top) / mostRows)
      for column in 0..<columns {
        let left = area.x + area.width * column / columns
        let right = area.x + area.width * (column + 1) / columns
        guard right > left, bottom > top else {
          means.append(0)
          continue
        }
        var (sum, count) = (0, 0)
        for y in stride(from: top, to: bottom, by: step) {
          sum += plane.row(y, left..<right).sum
          count += right - left
        }
        means.append(UInt8((sum + count / 2) / count))
      }
    }
  }

  /// How sharp `area` is.
  private static func detail(of area: PixelRect, _ plane: Plane) -> UInt8 {
    let sum = area.rows.reduce(0) { $0 + plane.row($1, area.columns).detail }
    return UInt8(min(255, 4 * sum / max(1, (area.width - 1) * area.height)))
  }
}
