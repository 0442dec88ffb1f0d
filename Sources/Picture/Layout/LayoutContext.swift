/// What a policy places, and where: the canvas and the items, as a collection view knows its
/// bounds and its data.
public struct LayoutContext: Hashable, Sendable {
  /// The canvas, both extents above 0.
  public var canvas: Size
  /// The distance between neighbors in pixels, at least 0.
  public var gap: Double
  /// How pictures fit into their tiles where the policy does not say.
  public var fit: Fit
  /// The items to place, in the order of their seats.
  public var items: [LayoutItem]
  /// Everyone who is ever in the recording, in join order. Only `regions` needs it: its cells are
  /// dealt out for the whole recording.
  public var cast: [LayoutItem]

  /// The context for `items` on `canvas`; the cast is `items` unless it is given.
  public init(
    canvas: Size, gap: Double = 0, fit: Fit = .auto, items: [LayoutItem], cast: [LayoutItem]? = nil
  ) {
    self.canvas = canvas
    self.gap = gap
    self.fit = fit
    self.items = items
    self.cast = cast ?? items
  }

  /// The area that cells divide without gaps: the canvas less half a gap on each side.
  ///
  /// Every cell is then made smaller by half a gap on each side (``Rect/inset(by:)``), so that
  /// neighbors are one gap apart and the outermost cells one gap from the canvas edge. With a
  /// gap of 0 the cells divide the canvas exactly.
  package var tilingBounds: Rect { canvas.bounds.inset(by: gap / 2) }

  /// The frame of a cell of ``tilingBounds``.
  package func frame(ofCell cell: Rect) -> Rect { cell.inset(by: gap / 2) }

  /// Whether the canvas is as high as it is wide, or higher: tiles are then near square, and wide
  /// pictures are cropped to fill them.
  var isUpright: Bool { canvas.width <= canvas.height }

  /// True if the only item is a camera on an upright canvas, which its picture covers.
  var isCoveredByOne: Bool {
    fit == .auto && isUpright && items.count == 1 && items[0].kind == .camera
  }

  /// Whether the picture of `item` fills a tile of size `tile`, for which less of it is seen than
  /// by ``Fit/auto``: a wide picture of a camera on an upright canvas.
  func isFilled(_ tile: Size, by item: LayoutItem) -> Bool {
    guard fit == .auto, isUpright, item.kind == .camera, let ratio = item.aspectRatio else {
      return false
    }
    return ratio > tile.aspectRatio
  }

  /// Whether the same items, of the same kinds and shapes, stand in the same order on the same
  /// canvas; the active speaker may differ.
  package func hasSamePlaces(as other: LayoutContext) -> Bool {
    canvas == other.canvas && gap == other.gap && fit == other.fit
      && items.elementsEqual(other.items) { a, b in
        a.id == b.id && a.kind == b.kind && a.aspectRatio == b.aspectRatio
          && a.isLocal == b.isLocal && a.isFocused == b.isFocused
      }
  }
}
