import TesseraTimeline

/// The result of preparing a layout policy: the attributes of all placed items, in content
/// coordinates, and the size of the content.
public struct LayoutArrangement: Hashable, Sendable {
  /// The size of all content in pixels; the canvas size if the policy does not scroll.
  public let contentSize: Size
  /// The attributes of every placed item, in the order of the items.
  public let attributes: [LayoutAttributes]

  /// Indexes of ``attributes``, sorted by the start of each frame along the content's longer side.
  private let order: [Int]
  /// The running maximum of the frames' ends in ``order``. The values never decrease, so they can
  /// be searched by bisection.
  private let reach: [Double]

  /// Creates the arrangement and its index for ``attributes(in:)``.
  public init(contentSize: Size, attributes: [LayoutAttributes]) {
    self.contentSize = contentSize
    self.attributes = attributes
    let isWide = contentSize.width > contentSize.height
    order = attributes.indices.sorted { a, b in
      let (p, q) = (attributes[a].extent, attributes[b].extent)
      return isWide ? (p.x, a) < (q.x, b) : (p.y, a) < (q.y, b)
    }
    var farthest = -Double.infinity
    reach = order.map { index in
      let frame = attributes[index].extent
      farthest = max(farthest, isWide ? frame.maxX : frame.maxY)
      return farthest
    }
  }

  /// Returns the first attributes of the item `id`; `nil` if the item is not placed.
  public func attributes(of id: LayoutItem.ID) -> LayoutAttributes? {
    attributes.first { $0.id == id }
  }

  /// Returns the attributes of all items that are visible in `rect`, in the order of the items.
  ///
  /// An item counts if it is visible and its scaled frame shares an area with `rect`.
  ///
  /// - Complexity: O(log n + m log m), where m is the number of items that begin before the end of
  ///   `rect` and whose predecessors reach into it.
  public func attributes(in rect: Rect) -> [LayoutAttributes] {
    placed(in: rect).filter { $0.isVisible && $0.displayFrame.intersects(rect) }
  }

  /// Returns the attributes of all items whose frames, scaled or not, share an area with `rect`, in
  /// the order of the items.
  ///
  /// Policies that scale and fade items by their position need the hidden items, too.
  ///
  /// - Complexity: O(log n + m log m), where m is the number of items that begin before the end of
  ///   `rect` and whose predecessors reach into it.
  package func placed(in rect: Rect) -> [LayoutAttributes] {
    let isWide = contentSize.width > contentSize.height
    let (start, end) = isWide ? (rect.x, rect.maxX) : (rect.y, rect.maxY)
    let first = reach.partitioningIndex { $0 > start }
    let last = order.partitioningIndex { index in
      let frame = attributes[index].extent
      return (isWide ? frame.x : frame.y) >= end
    }
    guard first < last else { return [] }
    return order[first..<last].sorted().map { attributes[$0] }.filter { $0.extent.intersects(rect) }
  }
}

extension LayoutAttributes {
  /// The union of the frame and the scaled frame: whichever is larger, as both have one center.
  fileprivate var extent: Rect { scale > 1 ? displayFrame : frame }
}

extension LayoutArrangement {
  /// Returns the placed items of which no scroll offset brings a pixel onto `canvas`.
  ///
  /// Drawn edges are on whole pixels. Attributes count as prepared, before a policy changes them by
  /// scroll offset.
  func offCanvasItems(canvas: Size) -> Set<LayoutItem.ID> {
    let reachable = Rect(
      x: 0, y: 0, width: max(canvas.width, contentSize.width),
      height: max(canvas.height, contentSize.height))
    let placed = attributes.filter { !$0.isHidden && $0.overflowCount == 0 }
    let seen = placed.filter { $0.isSeen(in: reachable) }
    return Set(placed.map(\.id)).subtracting(seen.map(\.id))
  }
}
