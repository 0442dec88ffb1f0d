/// The input of a layout policy: the canvas and the items, as a collection view knows its bounds
/// and its data.
public struct LayoutContext: Hashable, Sendable {
  /// The canvas size in pixels; both sides are above 0.
  public var canvas: Size
  /// The gap between neighboring tiles in pixels, at least 0.
  public var gap: Double
  /// The fit of pictures for which the policy does not choose one.
  public var fit: PictureFit
  /// The items to place, in the order of their seats.
  public var items: [LayoutItem]
  /// All items that ever appear in the recording, in join order. Only `regions` needs them: it
  /// assigns its cells for the whole recording.
  public var allItems: [LayoutItem]

  /// Creates the context for `items` on `canvas`. If `allItems` is `nil`, it is `items`.
  public init(
    canvas: Size, gap: Double = 0, fit: PictureFit = .auto, items: [LayoutItem],
    allItems: [LayoutItem]? = nil
  ) {
    self.canvas = canvas
    self.gap = gap
    self.fit = fit
    self.items = items
    self.allItems = allItems ?? items
  }

  /// The area that cells divide without gaps: the canvas less half a gap on each side.
  ///
  /// Every cell is then made smaller by half a gap on each side (``Rect/inset(by:)``). Neighbors
  /// are then one gap apart, and the outermost cells one gap from the canvas edge. With a gap of 0
  /// the cells divide the canvas exactly.
  package var tilingBounds: Rect { canvas.bounds.inset(by: gap / 2) }

  /// Returns the frame of a tile in `cell`, a part of ``tilingBounds``.
  package func frame(ofCell cell: Rect) -> Rect { cell.inset(by: gap / 2) }

  /// True if the canvas is square or upright. Tiles are then nearly square, and wide pictures are
  /// cropped to fill them.
  var isUpright: Bool { canvas.width <= canvas.height }

  /// True if the only item is a camera on an upright canvas, which its picture covers.
  var isCoveredByOne: Bool {
    fit == .auto && isUpright && items.count == 1 && items[0].kind == .camera
  }

  /// True if the picture of `item` fills `tile` although ``PictureFit/auto`` would crop it less: a
  /// wide camera picture on an upright canvas.
  func isFilled(_ tile: Size, by item: LayoutItem) -> Bool {
    guard fit == .auto, isUpright, item.kind == .camera, let ratio = item.aspectRatio else {
      return false
    }
    return ratio > tile.aspectRatio
  }

  /// True if both contexts have the same canvas and items of the same kinds and shapes in the same
  /// order. The active speaker may differ.
  package func hasSamePlaces(as other: LayoutContext) -> Bool {
    canvas == other.canvas && gap == other.gap && fit == other.fit
      && items.elementsEqual(other.items) { a, b in
        a.id == b.id && a.kind == b.kind && a.aspectRatio == b.aspectRatio
          && a.isLocal == b.isLocal && a.isFocused == b.isFocused
      }
  }
}
