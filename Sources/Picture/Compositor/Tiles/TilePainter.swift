internal import TesseraPixels

/// Draws parts of one tile at a time onto a canvas.
///
/// Content, border and sprites of a row are composed first. This happens on the canvas itself if
/// the tile fully covers the row, or if only the background is below, which is then blended under
/// them. Otherwise the row is composed in a scratch image and blended over the canvas in one step.
struct TilePainter: ~Copyable {
  private let kernels: PixelKernels
  private var content: TileContentRows
  /// A band of scratch rows as wide as the canvas.
  private var aside = ScratchImage()
  /// A row of coverage as wide as the canvas.
  private var scaled = ScratchImage()
  /// The inks below the border: a card's drawings.
  private var below: [SpritePlane] = []
  /// The inks above the border: the tile's sprites.
  private var inks: [SpritePlane] = []
  private var borderValue: UInt8 = 0
  private var borderOpacity: UInt8 = 0
  /// The background's sample, if only the background is below the tile and has not been drawn;
  /// otherwise `nil`.
  private var ground: UInt8?

  init(kernels: PixelKernels) {
    self.kernels = kernels
    self.content = TileContentRows(kernels: kernels)
  }

  /// A tile to draw, with one of its layers.
  struct PaintedTile {
    let draw: TilePlacement
    let plan: TilePlan
    let shown: TileLayer
    /// The picture's blurred copy, if the plan requires one.
    let soft: BlurSource?
    /// True if only the background color is below the content, and has not been drawn there.
    let isBare: Bool
  }

  /// Draws the part of a tile that is in `damage`.
  mutating func paint(
    _ tile: PaintedTile, damage: borrowing PlanePair<PixelRectSet>, background: Color,
    onto canvas: borrowing Image, _ statistics: inout ComposeStatistics
  ) {
    let chroma = damage.chroma.bounds
    let touched = PixelRect(
      x: 2 * chroma.x, y: 2 * chroma.y, width: 2 * chroma.width, height: 2 * chroma.height)
    let needed = touched.union(damage.luma.bounds)
      .intersection(tile.plan.planes.luma.visible)
    if !needed.isEmpty { content.begin(tile.shown, tile.plan, soft: tile.soft, needed: needed) }
    aside.prepare(PixelSize(width: canvas.size.width, height: Self.band))
    scaled.prepare(PixelSize(width: canvas.size.width, height: 1))
    for index in 0..<3 {
      prepareInks(tile, plane: index)
      ground = tile.isBare ? background.sample(plane: index) : nil
      let plane = tile.plan.planes[index]
      for rectangle in damage[index].rectangles {
        let part = rectangle.intersection(plane.visible)
        if !part.isEmpty {
          content.begin(tile.shown, tile.plan, plane: index, area: part)
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

  private mutating func prepareInks(_ tile: PaintedTile, plane index: Int) {
    let (draw, plan) = (tile.draw, tile.plan)
    borderValue = draw.border?.color.sample(plane: index) ?? 0
    borderOpacity = UInt8(255 * max(0, min(1, draw.border?.opacity ?? 0)) + 0.5)
    inks.removeAll(keepingCapacity: true)
    below.removeAll(keepingCapacity: true)
    if let card = tile.shown.card {
      for part in card.parts(in: plan.size) {
        let whole = part.area(in: plan.size).moved(by: plan.origin.x, plan.origin.y)
        let ink = SpritePlane(
          part.sprite, at: whole, clippedTo: plan.frame, opacity: 1, plane: index)
        if let ink { below.append(ink) }
      }
    }
    for item in draw.sprites {
      let ink = SpritePlane(
        item.sprite, at: plan.area(of: item), clippedTo: plan.frame, opacity: item.opacity,
        plane: index)
      if let ink { inks.append(ink) }
    }
  }

  /// The number of rows drawn before they are decorated, which stay in the L1 cache.
  private static let band = 32

  /// Draws the content of `part`, then border and sprites over it.
  private mutating func paint(
    _ part: PixelRect, of plane: TilePlan.Plane, _ index: Int, onto canvas: MutablePlane
  ) {
    let hasBorder = plane.border != nil && borderOpacity > 0
    let isPlain = plane.coverage == nil && !hasBorder && inks.isEmpty && below.isEmpty
    let band = isPlain ? part.height : Self.band
    var y = part.y
    while y < part.maxY {
      let beside = isBeside(plane, part, row: y)
      let limit = min(part.maxY, y + band)
      let end = (y + 1..<limit).first { isBeside(plane, part, row: $0) != beside } ?? limit
      let rows = PixelRect(x: part.x, y: y, width: part.width, height: end - y)
      let target = beside ? aside.plane(0, rows.size) : canvas.cropped(to: rows)
      content.rows(rows, plane: index, into: target)
      if !isPlain { decorate(rows, plane, onto: target) }
      if beside { lay(target, over: rows, plane, onto: canvas) }
      if let ground { underlay(ground, rows, plane, onto: target) }
      y = end
    }
  }

  /// True if a row of `part` must be composed in the scratch image, because the tile does not fully
  /// cover it and the canvas below is not plain background.
  private func isBeside(_ plane: TilePlan.Plane, _ part: PixelRect, row: Int) -> Bool {
    guard ground == nil, let coverage = plane.coverage else { return false }
    let span = coverage.spans[row - plane.visible.y]
    return span.coverage < 255 || span.even.lowerBound > part.x - plane.visible.x
      || span.even.upperBound < part.maxX - plane.visible.x
  }

  /// Blends the background's sample under `rows`, stored in `target`, where the tile does not fully
  /// cover them.
  private func underlay(
    _ ground: UInt8, _ rows: PixelRect, _ plane: TilePlan.Plane, onto target: MutablePlane
  ) {
    guard let coverage = plane.coverage else { return }
    let visible = plane.visible
    coverage.forEachRun(of: rows.moved(by: 0, -visible.y).rows) { span, run in
      func underlay(_ columns: Range<Int>) {
        guard !columns.isEmpty else { return }
        let own = PixelRect(
          x: columns.lowerBound - rows.x, y: run.lowerBound + visible.y - rows.y,
          width: columns.count, height: run.count)
        kernels.blend(
          ground, under: target.cropped(to: own),
          coverage: coverage.row(span, columns, from: visible.x))
      }
      guard span.coverage == 255 else { return underlay(rows.columns) }
      let even = span.even(in: rows.columns, from: visible.x)
      underlay(rows.x..<even.lowerBound)
      underlay(even.upperBound..<rows.maxX)
    }
  }

  /// Blends rows from the scratch image over the canvas by the tile's coverage.
  private func lay(
    _ beside: MutablePlane, over rows: PixelRect, _ plane: TilePlan.Plane,
    onto canvas: MutablePlane
  ) {
    guard let coverage = plane.coverage else { return }
    let source = beside.readOnly
    for (line, y) in rows.rows.enumerated() {
      let span = coverage.spans[y - plane.visible.y]
      let even = span.even(in: rows.columns, from: plane.visible.x)
      func own(_ columns: Range<Int>) -> Row {
        source.row(line, columns.lowerBound - rows.x..<columns.upperBound - rows.x)
      }
      func blend(_ part: Range<Int>) {
        guard !part.isEmpty else { return }
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

  /// Draws a card's drawings, the border and the sprites over the content of `rows`, stored in
  /// `target`.
  private func decorate(_ rows: PixelRect, _ plane: TilePlan.Plane, onto target: MutablePlane) {
    for ink in below { lay(ink, over: rows, target) }
    if let border = plane.border, borderOpacity > 0 {
      let visible = plane.visible
      border.forEachRun(of: rows.moved(by: 0, -visible.y).rows) { span, run in
        let line = run.lowerBound + visible.y - rows.y
        let own = PixelRect(x: 0, y: line, width: rows.width, height: run.count)
        paintBorder(
          border, span, own.moved(by: rows.x, rows.y), visible, onto: target.cropped(to: own))
      }
    }
    for ink in inks { lay(ink, over: rows, target) }
  }

  /// Draws an ink over `rows`, stored in `target`.
  private func lay(_ ink: SpritePlane, over rows: PixelRect, _ target: MutablePlane) {
    let common = rows.intersection(ink.area)
    guard !common.isEmpty else { return }
    let own = common.moved(by: -rows.x, -rows.y).columns
    let scratch = scaled.row(common.width)
    for y in common.rows {
      ink.lay(
        over: target.row(y - rows.y, own), y: y, common.columns, scratch: scratch,
        kernels: kernels)
    }
  }

  /// Draws the border over `rows`, all of which have the coverage `span`.
  private func paintBorder(
    _ border: PlaneCoverage, _ span: PlaneCoverage.RowSpan, _ rows: PixelRect, _ visible: PixelRect,
    onto target: MutablePlane
  ) {
    func paint(_ edge: Range<Int>) {
      let columns = rows.columns.clamped(
        to: edge.lowerBound + visible.x..<edge.upperBound + visible.x)
      guard !columns.isEmpty else { return }
      let own = PixelRect(
        x: columns.lowerBound - rows.x, y: 0, width: columns.count, height: rows.height)
      let coverage = border.row(span, columns, from: visible.x)
      let scratch = scaled.row(columns.count)
      if borderOpacity < 255 { kernels.scale(coverage, by: borderOpacity, into: scratch) }
      kernels.blend(
        borderValue, over: target.cropped(to: own),
        coverage: borderOpacity < 255 ? scratch.readOnly : coverage)
    }
    paint(span.leading)
    paint(span.trailing)
  }

  /// Draws the sprites at the tile's opacity where the tile has no content, and returns the number
  /// of samples written.
  private func paintInks(
    in bar: PixelRect, opacity: UInt8, onto canvas: MutablePlane
  ) -> Int {
    var written = 0
    for ink in inks {
      let part = bar.intersection(ink.area)
      guard !part.isEmpty else { continue }
      written += part.size.area
      let scratch = scaled.row(part.width)
      for y in part.rows {
        ink.lay(
          over: canvas.row(y, part.columns), y: y, part.columns, opacity: opacity,
          scratch: scratch, kernels: kernels)
      }
    }
    return written
  }
}
