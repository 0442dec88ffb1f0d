internal import Pixels

/// Draws parts of one tile at a time onto a canvas.
///
/// Content, border and overlays of a row are put together first, on the canvas itself where the
/// tile covers the row wholly, else beside it, to be mixed over the canvas as one.
struct TilePainter: ~Copyable {
  /// An overlay's samples in one plane.
  private struct Ink {
    let coverage: Plane
    /// Where the coverage lies, clipped to the tile.
    let area: PixelRect
    /// The position of the first sample of the coverage.
    let origin: (x: Int, y: Int)
    let value: UInt8

    func coverage(_ y: Int, _ columns: Range<Int>) -> Row {
      coverage.row(y - origin.y, columns.lowerBound - origin.x..<columns.upperBound - origin.x)
    }
  }

  private let kernels: Kernels
  private var content: TileContentRows
  /// One row beside the canvas, as wide as it.
  private var aside = ScratchImage()
  private var inks: [Ink] = []
  private var borderValue: UInt8 = 0

  init(kernels: Kernels) {
    self.kernels = kernels
    self.content = TileContentRows(kernels: kernels)
  }

  /// Draws what lies in `damage` of a tile that shows `content`.
  mutating func paint(
    _ tile: CanvasHolding.Tile, _ shown: TileContent, damage: borrowing Planar<Region>,
    onto canvas: borrowing Image, _ statistics: inout ComposeStatistics
  ) {
    let chroma = damage.chroma.bounds
    let touched = PixelRect(
      x: 2 * chroma.x, y: 2 * chroma.y, width: 2 * chroma.width, height: 2 * chroma.height)
    let needed = touched.union(damage.luma.bounds)
      .intersection(tile.plan.planes.luma.visible)
    if !needed.isEmpty { content.begin(shown, tile.plan, needed: needed) }
    aside.prepare(PixelSize(width: canvas.size.width, height: 1))
    for index in 0..<3 {
      prepareInks(tile, plane: index)
      let plane = tile.plan.planes[index]
      for rectangle in damage[index].rectangles {
        let part = rectangle.intersection(plane.visible)
        if !part.isEmpty {
          content.begin(shown, tile.plan, plane: index, area: part)
          paint(part, of: plane, index, onto: canvas[plane: index])
        }
        var count = part.size.area
        for bar in plane.bars where !inks.isEmpty {
          count += paintInks(
            in: bar.intersection(rectangle), opacity: tile.plan.opacity,
            onto: canvas[plane: index])
        }
        statistics.add(count, plane: index)
      }
    }
  }

  private mutating func prepareInks(_ tile: CanvasHolding.Tile, plane index: Int) {
    borderValue = tile.draw.border?.color.sample(plane: index) ?? 0
    inks.removeAll(keepingCapacity: true)
    for overlay in tile.draw.overlays {
      let whole = tile.plan.area(of: overlay)
      let clipped = whole.intersection(tile.plan.frame)
      guard !clipped.isEmpty else { continue }
      let (oddX, oddY) = (whole.x & 1 == 1, whole.y & 1 == 1)
      inks.append(
        Ink(
          coverage: index == 0 ? overlay.mask.luma : overlay.mask.chroma(oddX: oddX, oddY: oddY),
          area: index == 0 ? clipped : clipped.chroma,
          origin: index == 0 ? (whole.x, whole.y) : (whole.x >> 1, whole.y >> 1),
          value: overlay.color.sample(plane: index)))
    }
  }

  /// Draws the content, the border and the overlays over them.
  private mutating func paint(
    _ part: PixelRect, of plane: TilePlan.Plane, _ index: Int, onto canvas: MutablePlane
  ) {
    guard plane.coverage != nil || plane.border != nil || !inks.isEmpty else {
      content.rows(part, plane: index, onto: canvas)
      return
    }
    let beside = aside.plane(0, PixelSize(width: canvas.size.width, height: 1))
    let columns = part.columns
    for y in part.rows {
      let span = plane.coverage?.spans[y - plane.visible.y]
      let isDirect = span?.isFull ?? true
      let (target, line) = isDirect ? (canvas, y) : (beside, 0)
      content.row(y, from: part.x, plane: index, into: target.row(line, columns))
      if let border = plane.border {
        paintBorder(border, y, part, plane.visible, onto: target, line)
      }
      for ink in inks where ink.area.rows.contains(y) {
        let common = columns.clamped(to: ink.area.columns)
        guard !common.isEmpty else { continue }
        kernels.blend(
          ink.value, over: target.row(line, common), coverage: ink.coverage(y, common))
      }
      guard !isDirect, let coverage = plane.coverage, let span else { continue }
      kernels.blend(
        target.row(line, columns).readOnly, over: canvas.row(y, columns),
        coverage: coverage.row(span, columns, from: plane.visible.x))
    }
  }

  private func paintBorder(
    _ border: PlaneCoverage, _ y: Int, _ part: PixelRect, _ visible: PixelRect,
    onto target: MutablePlane, _ line: Int
  ) {
    let span = border.spans[y - visible.y]
    for index in 0..<2 {
      let edge = index == 0 ? span.leading : span.trailing
      let columns = part.columns.clamped(
        to: edge.lowerBound + visible.x..<edge.upperBound + visible.x)
      guard !columns.isEmpty else { continue }
      kernels.blend(
        borderValue, over: target.row(line, columns),
        coverage: border.row(span, columns, from: visible.x))
    }
  }

  /// Draws the overlays where no content lies below, at the tile's opacity.
  private mutating func paintInks(
    in bar: PixelRect, opacity: UInt8, onto canvas: MutablePlane
  ) -> Int {
    let beside = aside.plane(0, PixelSize(width: canvas.size.width, height: 1))
    var written = 0
    for ink in inks {
      let part = bar.intersection(ink.area)
      written += part.size.area
      for y in part.rows where !part.isEmpty {
        let coverage = beside.row(0, part.columns)
        kernels.fill(coverage, with: 0)
        kernels.blend(opacity, over: coverage, coverage: ink.coverage(y, part.columns))
        kernels.blend(
          ink.value, over: canvas.row(y, part.columns), coverage: coverage.readOnly)
      }
    }
    return written
  }
}
