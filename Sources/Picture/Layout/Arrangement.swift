import TesseraTimeline

/// What a policy returns when it is prepared: the attributes of all items it places, in content
/// coordinates, and how large the content is.
public struct Arrangement: Hashable, Sendable {
  /// The size of all content; the canvas where the policy does not scroll.
  public let contentSize: Size
  /// The attributes of every placed item, in the order of the items.
  public let attributes: [LayoutAttributes]

  /// Indexes of ``attributes`` by where their frames begin along the content's longer side.
  private let order: [Int]
  /// The farthest end of the frames up to each position of ``order``: rises, so it can be searched.
  private let reach: [Double]

  /// The arrangement of `attributes` in content of size `contentSize`.
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

  /// The attributes of the item `id`; nil where it is not placed.
  public func attributes(of id: LayoutItem.ID) -> LayoutAttributes? {
    attributes.first { $0.id == id }
  }

  /// The attributes of all items that are seen in `rect`, in the order of the items: they are
  /// visible, and share an area with it as they are scaled.
  ///
  /// - Complexity: O(log n + m log m), m the items that begin before `rect` ends and whose
  ///   predecessors reach into it.
  public func attributes(in rect: Rect) -> [LayoutAttributes] {
    placed(in: rect).filter { $0.isVisible && $0.displayFrame.intersects(rect) }
  }

  /// The attributes of all items whose frames, scaled or not, share an area with `rect`, in the
  /// order of the items: for policies that scale and fade items by their places.
  ///
  /// - Complexity: O(log n + m log m), m the items that begin before `rect` ends and whose
  ///   predecessors reach into it.
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
  /// The larger one of the frame and what is drawn.
  fileprivate var extent: Rect { scale > 1 ? displayFrame : frame }
}

extension Arrangement {
  /// The items that are placed, but of which no way of scrolling brings a pixel onto `canvas`,
  /// edges lying on multiples of `alignment`; as they are prepared.
  func strays(canvas: Size, alignment: Int) -> Set<LayoutItem.ID> {
    let reachable = Rect(
      x: 0, y: 0, width: max(canvas.width, contentSize.width),
      height: max(canvas.height, contentSize.height))
    let placed = attributes.filter { !$0.isHidden && $0.overflowCount == 0 }
    let seen = placed.filter { $0.isSeen(in: reachable, alignment: alignment) }
    return Set(placed.map(\.id)).subtracting(seen.map(\.id))
  }
}
