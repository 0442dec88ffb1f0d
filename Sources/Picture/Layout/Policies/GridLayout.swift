/// Equal tiles in as many columns as show the most of the pictures; the last row is centered.
///
/// For every number of columns the area is added up that the pictures take in tiles of the shape
/// that suits them (``TileShape``); the largest sum wins. Ties go to fewer empty cells, then to
/// more columns.
public struct GridLayout: LayoutPolicy, Hashable {
  /// The number of columns; nil chooses it.
  public var columns: Int?

  /// A grid of that many columns, or of as many as show the most of the pictures.
  public init(columns: Int? = nil) {
    self.columns = columns
  }

  init(options: inout LayoutOptions) throws(LayoutError) {
    columns = try options.integer(
      "columns", in: 1...100, else: "the number that shows the most of the pictures",
      "the number of columns")
  }

  public var seating: Seating { .seats }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
  }

  public func prepare(_ context: LayoutContext) -> Arrangement {
    Arrangement(contentSize: context.canvas, attributes: tiles(context).attributes)
  }

  /// The size at which a 16:9 picture fills each cell of the grid of a 16:9 canvas.
  public func sizeThatFits(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double
  ) -> Size {
    let canvas = proposal.widescreen
    let context = LayoutContext(canvas: canvas, gap: gap, items: items)
    let shape = GridShape(count: items.count, columns: tiles(context).columns)
    let (columns, rows) = (Double(shape.columns), Double(shape.rows))
    let across = (canvas.width - gap) / columns - gap
    let down = (canvas.height - gap) / rows - gap
    return Size(
      width: columns * (down * 16 / 9 + gap) + gap, height: rows * (across * 9 / 16 + gap) + gap)
  }

  private func tiles(_ context: LayoutContext) -> TileGrid {
    TileGrid(context.items, in: context.tilingBounds, context, columns: columns, isClose: true)
  }
}

extension Size {
  /// The largest size of the given aspect ratio inside this one.
  func fitted(aspectRatio: Double) -> Size {
    width > height * aspectRatio
      ? Size(width: height * aspectRatio, height: height)
      : Size(width: width, height: width / aspectRatio)
  }
}
