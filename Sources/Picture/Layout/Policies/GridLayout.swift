/// Equal tiles in the number of columns that shows the most of the pictures; the last row is
/// centered.
///
/// For every number of columns the area that the pictures take in tiles of a suitable shape
/// (``TileShape``) is added up. The largest sum wins, then fewer empty cells, then more columns.
public struct GridLayout: LayoutPolicy, Hashable {
  /// The number of columns; `nil` chooses the number that shows the most of the pictures.
  public var columns: Int?

  /// Creates a grid of `columns` columns; `nil` chooses the number that shows the most of the
  /// pictures.
  public init(columns: Int? = nil) {
    self.columns = columns
  }

  init(options: inout LayoutOptionParser) throws(LayoutError) {
    columns = try options.integer(
      "columns", in: 1...100, else: "the number that shows the most of the pictures",
      "the number of columns")
  }

  public var seating: SeatingRule { .seats }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
  }

  public func prepare(_ context: LayoutContext) -> LayoutArrangement {
    LayoutArrangement(contentSize: context.canvas, attributes: tiles(context).attributes)
  }

  /// Returns the canvas size at which a 16:9 picture fills each cell of the grid chosen for a 16:9
  /// canvas.
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
  /// Returns the largest size of `aspectRatio` inside this size.
  func fitted(aspectRatio: Double) -> Size {
    width > height * aspectRatio
      ? Size(width: height * aspectRatio, height: height)
      : Size(width: width, height: width / aspectRatio)
  }
}
