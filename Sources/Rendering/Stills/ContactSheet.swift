import TesseraCompositor
import TesseraJobs
import TesseraLayout
import TesseraPixels
import TesseraPlan
import TesseraPlanning

/// Small pictures side by side, as many in a row as make the sheet about as high as wide.
struct ContactSheet: ~Copyable {
  private let size: PixelSize
  private let cell: PixelSize
  private let columns: Int
  private let background: Color
  private var compositor: Compositor
  private var thumbnails: [Picture] = []

  /// The longest side of a picture in it, in pixels.
  private static let longestSide = 480.0
  /// Pixels between the pictures and around them.
  private static let gap = 4

  /// An empty sheet for `count` pictures of `size`.
  init(
    of size: PixelSize, count: Int, background: Color, filter: ResampleFilter, kernels: Kernels
  ) {
    let scale = min(1, Self.longestSide / Double(max(size.width, size.height)))
    cell = PixelSize(
      width: Self.even(Double(size.width) * scale), height: Self.even(Double(size.height) * scale))
    let columns = Double(count * cell.height) / Double(cell.width)
    self.columns = max(1, min(count, Int(columns.squareRoot().rounded(.up))))
    let rows = (count + self.columns - 1) / self.columns
    self.size = PixelSize(
      width: self.columns * (cell.width + Self.gap) + Self.gap,
      height: rows * (cell.height + Self.gap) + Self.gap)
    self.background = background
    compositor = Compositor(kernels: kernels, filter: filter)
  }

  private static func even(_ side: Double) -> Int { max(2, Int((side / 2).rounded()) * 2) }

  /// Puts a smaller copy of `picture` into the next place.
  mutating func append(_ picture: Picture) {
    var canvas = Canvas(size: cell)
    let tile = TileDraw(item: 0, frame: Rect(cell), fit: .cover)
    let scene = Scene(size: cell, background: background, tiles: [tile])
    _ = compositor.compose(scene, FrameSet([.picture(picture)]), onto: &canvas)
    thumbnails.append(canvas.copy())
  }

  /// The whole sheet.
  mutating func picture() -> Picture {
    let tiles = thumbnails.indices.map { index in
      let x = Self.gap + index % columns * (cell.width + Self.gap)
      let y = Self.gap + index / columns * (cell.height + Self.gap)
      var frame = Rect(cell)
      (frame.x, frame.y) = (Double(x), Double(y))
      return TileDraw(item: index, frame: frame, fit: .cover)
    }
    var canvas = Canvas(size: size)
    _ = compositor.compose(
      Scene(size: size, background: background, tiles: tiles),
      FrameSet(thumbnails.map { .picture($0) }), onto: &canvas)
    return canvas.copy()
  }
}

extension Rect {
  fileprivate init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  }
}
