internal import Pixels

/// Draws parts of one tile at a time onto a canvas.
///
/// Content, border and overlays of a row are put together first: on the canvas itself where the
/// tile covers the row wholly, or evenly and over the background; else beside it, to be mixed over
/// the canvas as one.
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
  /// Rows beside the canvas, as wide as it.
  private var aside = ScratchImage()
  private var inks: [Ink] = []
  private var borderValue: UInt8 = 0
  /// The background's value, where nothing but that lies below and it has not been drawn.
  private var ground: UInt8?

  init(kernels: Kernels) {
    self.kernels = kernels
    self.content = TileContentRows(kernels: kernels)
  }

  /// Draws what lies in `damage` of a tile that shows `content`.
  ///
  /// Below the visible part of a bare tile lies the background, which has not been drawn there.
  mutating func paint(
    _ tile: CanvasHolding.Tile, _ shown: TileContent, damage: borrowing Planar<Region>,
    background: Color, onto canvas: borrowing Image, _ statistics: inout ComposeStatistics
  ) {
    let chroma = damage.chroma.bounds
    let touched = PixelRect(
      x: 2 * chroma.x, y: 2 * chroma.y, width: 2 * chroma.width, height: 2 * chroma.height)
    let needed = touched.union(damage.luma.bounds)
      .intersection(tile.plan.planes.luma.visible)
    if !needed.isEmpty { content.begin(shown, tile.plan, needed: needed) }
    aside.prepare(PixelSize(width: canvas.size.width, height: Self.band))
    for index in 0..<3 {
      prepareInks(tile, plane: index)
      ground = tile.isBare ? background.sample(plane: index) : nil
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

  /// The rows that are drawn before they are decorated: they stay in the first cache.
  private static let band = 32

  /// Draws the content, the border and the overlays over them.
  private mutating func paint(
    _ part: PixelRect, of plane: TilePlan.Plane, _ index: Int, onto canvas: MutablePlane
  ) {
    let isPlain = plane.coverage == nil && plane.border == nil && inks.isEmpty
    let band = isPlain ? part.height : Self.band
    var y = part.y
    while y < part.maxY {
      let evenly = evenCoverage(plane, part, row: y)
      let limit = min(part.maxY, y + band)
      let end = (y + 1..<limit).first { evenCoverage(plane, part, row: $0) != evenly } ?? limit
      let rows = PixelRect(x: part.x, y: y, width: part.width, height: end - y)
      let target = evenly == nil ? aside.plane(0, rows.size) : canvas.cropped(to: rows)
      content.rows(rows, plane: index, into: target)
      if !isPlain { decorate(rows, plane, onto: target) }
      if evenly == nil { lay(target, over: rows, plane, onto: canvas) }
      if let ground, let evenly, evenly < 255 {
        kernels.fade(target, over: ground, coverage: evenly)
      }
      y = end
    }
  }

  /// How much the tile covers of every sample in a row of `part`, where that is all or what lies
  /// below is known; nil where the row has to be put together beside the canvas.
  private func evenCoverage(_ plane: TilePlan.Plane, _ part: PixelRect, row: Int) -> UInt8? {
    guard let coverage = plane.coverage else { return 255 }
    let span = coverage.spans[row - plane.visible.y]
    let isEven =
      span.even.lowerBound <= part.x - plane.visible.x
      && span.even.upperBound >= part.maxX - plane.visible.x
    return isEven && (span.coverage == 255 || ground != nil) ? span.coverage : nil
  }

  /// Lays what was put together beside the canvas over it, by the tile's coverage.
  private func lay(
    _ beside: MutablePlane, over rows: PixelRect, _ plane: TilePlan.Plane,
    onto canvas: MutablePlane
  ) {
    guard let coverage = plane.coverage else { return }
    let source = beside.readOnly
    for (line, y) in rows.rows.enumerated() {
      let span = coverage.spans[y - plane.visible.y]
      let even =
        (span.even.lowerBound + plane.visible.x..<span.even.upperBound + plane.visible.x)
        .clamped(to: rows.columns)
      func own(_ columns: Range<Int>) -> Row {
        source.row(line, columns.lowerBound - rows.x..<columns.upperBound - rows.x)
      }
      func blend(_ part: Range<Int>) {
        guard !part.isEmpty else { return }
        if let ground { kernels.fill(canvas.row(y, part), with: ground) }
        kernels.blend(
          own(part), over: canvas.row(y, part),
          coverage: coverage.row(span, part, from: plane.visible.x))
      }
      guard span.coverage == 255 else {
        blend(rows.columns)
        continue
      }
      blend(rows.x..<even.lowerBound)
      if !even.isEmpty { kernels.copy(own(even), to: canvas.row(y, even)) }
      blend(even.upperBound..<rows.maxX)
    }
  }

  /// Draws the border and the overlays over the content of `rows`, which `target` holds.
  private func decorate(_ rows: PixelRect, _ plane: TilePlan.Plane, onto target: MutablePlane) {
    if let border = plane.border {
      let first = rows.y - plane.visible.y
      let spans = border.spans[first..<first + rows.height]
      if let span = spans.first, span.stored == spans.last?.stored {
        paintBorder(border, span, rows, plane.visible, onto: target)
      } else {
        for (line, span) in spans.enumerated() {
          let row = PixelRect(x: rows.x, y: rows.y + line, width: rows.width, height: 1)
          paintBorder(
            border, span, row, plane.visible,
            onto: target.cropped(to: PixelRect(x: 0, y: line, width: rows.width, height: 1)))
        }
      }
    }
    for ink in inks {
      let common = rows.intersection(ink.area)
      for y in common.rows where !common.isEmpty {
        let own = common.moved(by: -rows.x, -rows.y).columns
        kernels.blend(
          ink.value, over: target.row(y - rows.y, own), coverage: ink.coverage(y, common.columns))
      }
    }
  }

  /// Draws the border over `rows`, for all of which `span` stands.
  private func paintBorder(
    _ border: PlaneCoverage, _ span: PlaneCoverage.Span, _ rows: PixelRect, _ visible: PixelRect,
    onto target: MutablePlane
  ) {
    func paint(_ edge: Range<Int>) {
      let columns = rows.columns.clamped(
        to: edge.lowerBound + visible.x..<edge.upperBound + visible.x)
      guard !columns.isEmpty else { return }
      let own = PixelRect(
        x: columns.lowerBound - rows.x, y: 0, width: columns.count, height: rows.height)
      kernels.blend(
        borderValue, over: target.cropped(to: own),
        coverage: border.row(span, columns, from: visible.x))
    }
    paint(span.leading)
    paint(span.trailing)
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
