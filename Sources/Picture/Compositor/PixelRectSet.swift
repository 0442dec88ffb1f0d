package import TesseraPixels

/// A set of samples of one plane, stored as rectangles that do not overlap. Reusing a region
/// allocates nothing.
package struct PixelRectSet {
  package private(set) var rectangles: [PixelRect] = []
  private var pieces: [PixelRect] = []

  package init() {}

  package var isEmpty: Bool { rectangles.isEmpty }

  package mutating func removeAll() {
    rectangles.removeAll(keepingCapacity: true)
  }

  /// Replaces the region by a copy of `other`.
  package mutating func assign(_ other: borrowing PixelRectSet) {
    removeAll()
    rectangles.append(contentsOf: other.rectangles)
  }

  package mutating func insert(_ rectangle: PixelRect) {
    guard !rectangle.isEmpty else { return }
    pieces.removeAll(keepingCapacity: true)
    pieces.append(rectangle)
    for present in rectangles where present.intersects(rectangle) {
      Self.cut(present, from: &pieces)
    }
    rectangles.append(contentsOf: pieces)
  }

  package mutating func subtract(_ rectangle: PixelRect) {
    Self.cut(rectangle, from: &rectangles)
  }

  /// Replaces the region by the intersection of `rectangle` and `other`, as one rectangle if that
  /// is all of `rectangle`.
  package mutating func formIntersection(_ rectangle: PixelRect, with other: borrowing PixelRectSet)
  {
    removeAll()
    var area = 0
    for present in other.rectangles {
      let common = present.intersection(rectangle)
      guard !common.isEmpty else { continue }
      area += common.size.area
      rectangles.append(common)
    }
    guard area == rectangle.size.area, rectangles.count > 1 else { return }
    removeAll()
    rectangles.append(rectangle)
  }

  /// The smallest rectangle that contains all samples.
  package var bounds: PixelRect {
    var bounds = PixelRect.empty
    for rectangle in rectangles { bounds = bounds.union(rectangle) }
    return bounds
  }

  /// Removes `hole` from every rectangle of `list` and appends the parts that remain.
  private static func cut(_ hole: PixelRect, from list: inout [PixelRect]) {
    for index in list.indices.reversed() {
      let whole = list[index]
      let common = whole.intersection(hole)
      guard !common.isEmpty else { continue }
      list.swapAt(index, list.count - 1)
      list.removeLast()
      let parts = (
        PixelRect(x: whole.x, y: whole.y, width: whole.width, height: common.y - whole.y),
        PixelRect(x: whole.x, y: common.y, width: common.x - whole.x, height: common.height),
        PixelRect(
          x: common.maxX, y: common.y, width: whole.maxX - common.maxX, height: common.height),
        PixelRect(
          x: whole.x, y: common.maxY, width: whole.width, height: whole.maxY - common.maxY)
      )
      if !parts.0.isEmpty { list.append(parts.0) }
      if !parts.1.isEmpty { list.append(parts.1) }
      if !parts.2.isEmpty { list.append(parts.2) }
      if !parts.3.isEmpty { list.append(parts.3) }
    }
  }
}
