package import TesseraPixels

/// A tile's rectangle on the canvas and the slot that it shows.
package struct ProofTile: Hashable, Sendable, Codable {
  /// The index of the tile's slot in ``OutputProof/Pictures/slots``.
  package var slot: Int
  /// The tile's rectangle in luma samples, always inside the canvas.
  package var area: PixelRect
  /// The rectangle of the names and badges on the tile; `nil` if the tile has none.
  package var plate: PixelRect?

  package init(slot: Int, area: PixelRect, plate: PixelRect? = nil) {
    (self.slot, self.area, self.plate) = (slot, area, plate)
  }

  /// The grid of cells in which a tile is measured.
  package static let (columns, rows) = (4, 2)
  package static let cellCount = columns * rows
  /// The minimum width and height of a measured tile, in luma samples.
  package static let least = 16
}

/// The measurements of one canvas, taken before encoding: mean luma of each tile's cells, motion,
/// and from time to time an overview.
package struct CanvasMeasurements: Hashable, Sendable {
  /// The tiles in drawing order, from bottom to top.
  package var tiles: [ProofTile] = []
  /// The mean luma of each cell: ``ProofTile/cellCount`` values per tile in row-major order, tile
  /// after tile.
  package var cells: [UInt8] = []
  /// The difference from the previous canvas, coded by ``MotionMeter/byte(_:)``; 0 if the canvases
  /// are equal or the difference is unknown.
  package var motion: UInt8 = 0
  /// The measurements of the whole canvas, taken from time to time; `nil` for canvases in between.
  package var overview: Overview?

  /// Coarse measurements of the whole canvas: color means and the sharpness of the names.
  package struct Overview: Hashable, Sendable {
    /// The grid of cells in which the canvas is measured.
    package static let (columns, rows) = (8, 4)
    /// The number of cells of a canvas.
    package static let cellCount = columns * rows

    /// The means of luma, blue chroma and red chroma of each cell, in row-major order.
    package var (luma, blue, red): ([UInt8], [UInt8], [UInt8])
    /// The sharpness of each tile's ``ProofTile/plate``: four times the mean absolute difference
    /// between horizontally neighboring luma samples, at most 255; 0 for a tile without a plate.
    package var details: [UInt8]
  }

  /// Creates measurements of a canvas without tiles.
  package init() {}

  /// Measures `tiles` on the canvas with the given planes; adds an overview if `overview` is true.
  package init(
    _ tiles: [ProofTile], luma: Plane, blue: Plane, red: Plane, overview: Bool
  ) {
    self.tiles = tiles
    cells.reserveCapacity(tiles.count * ProofTile.cellCount)
    for tile in tiles {
      Self.append(
        tile.area, of: luma, columns: ProofTile.columns, rows: ProofTile.rows, to: &cells)
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

  /// The maximum number of rows that are sampled per cell.
  private static let mostRows = 32

  /// Appends to `means` the mean of each cell of `area`, in row-major order. Cells without samples
  /// are 0.
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

  /// Returns the sharpness of `area`, as in ``Overview/details``.
  private static func detail(of area: PixelRect, _ plane: Plane) -> UInt8 {
    let sum = area.rows.reduce(0) { $0 + plane.row($1, area.columns).detail }
    return UInt8(min(255, 4 * sum / max(1, (area.width - 1) * area.height)))
  }
}
