import TesseraCompositor
import TesseraLayout
package import TesseraPixels
import TesseraTimeline

/// The grid of a contact sheet: small pictures side by side, in as many columns as make the sheet
/// about as high as wide.
package struct ContactSheetGrid: Hashable, Sendable, Codable {
  /// The size of the whole sheet.
  package let size: PixelSize
  /// The size of each picture.
  package let cell: PixelSize
  /// Number of pictures in a row.
  package let columns: Int
  /// Pixels between the pictures and around them.
  let gap: Int

  /// Creates the grid of `count` pictures of `size`, which are scaled down to at most `longestSide`
  /// pixels on the longer side.
  package init(of size: PixelSize, count: Int, longestSide: Double = 480, gap: Int = 4) {
    let scale = min(1, longestSide / Double(max(size.width, size.height)))
    cell = PixelSize(
      width: Self.even(Double(size.width) * scale), height: Self.even(Double(size.height) * scale))
    let columns = Double(count * cell.height) / Double(cell.width)
    self.columns = max(1, min(count, Int(saturating: columns.squareRoot().rounded(.up))))
    self.gap = gap
    let rows = (count + self.columns - 1) / self.columns
    self.size = PixelSize(
      width: self.columns * (cell.width + gap) + gap, height: rows * (cell.height + gap) + gap)
  }

  /// Returns the top left corner of picture `number`, row by row from the top.
  package func place(of number: Int) -> (x: Int, y: Int) {
    (
      gap + number % columns * (cell.width + gap), gap + number / columns * (cell.height + gap)
    )
  }

  private static func even(_ side: Double) -> Int {
    max(2, Int(saturating: (side / 2).rounded()) * 2)
  }
}

/// A contact sheet that is being drawn.
struct ContactSheet: ~Copyable {
  private let grid: ContactSheetGrid
  private let background: Color
  private var compositor: Compositor
  private var thumbnails: [Picture] = []

  init(_ grid: ContactSheetGrid, background: Color, filter: ResampleFilter, kernels: PixelKernels) {
    self.grid = grid
    self.background = background
    compositor = Compositor(kernels: kernels, filter: filter)
  }

  /// Adds a scaled copy of `picture`.
  mutating func append(_ picture: Picture) {
    var canvas = Canvas(size: grid.cell)
    let tile = TilePlacement(item: 0, frame: Rect(grid.cell), fit: .cover)
    let scene = Scene(size: grid.cell, background: background, tiles: [tile])
    _ = compositor.compose(scene, ItemContents([.picture(picture)]), onto: &canvas)
    thumbnails.append(canvas.copy())
  }

  /// Draws the whole sheet.
  mutating func picture() -> Picture {
    let tiles = thumbnails.indices.map { index in
      let (x, y) = grid.place(of: index)
      var frame = Rect(grid.cell)
      (frame.x, frame.y) = (Double(x), Double(y))
      return TilePlacement(item: index, frame: frame, fit: .cover)
    }
    var canvas = Canvas(size: grid.size)
    _ = compositor.compose(
      Scene(size: grid.size, background: background, tiles: tiles),
      ItemContents(thumbnails.map { .picture($0) }), onto: &canvas)
    return canvas.copy()
  }
}

extension Rect {
  fileprivate init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  }
}
