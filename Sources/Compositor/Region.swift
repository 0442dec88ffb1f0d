internal import Pixels

/// A set of canvas pixels, as rectangles that do not overlap; reusing it allocates nothing.
struct Region {
  private(set) var rectangles: [PixelRect] = []
  private var pieces: [PixelRect] = []

  var isEmpty: Bool { rectangles.isEmpty }

  mutating func removeAll() {
    rectangles.removeAll(keepingCapacity: true)
  }

  /// Adds the pixels of `rectangle`.
  mutating func insert(_ rectangle: PixelRect) {
    guard !rectangle.isEmpty else { return }
    pieces.removeAll(keepingCapacity: true)
    pieces.append(rectangle)
    for present in rectangles where present.intersects(rectangle) {
      Self.cut(present, from: &pieces)
    }
    rectangles.append(contentsOf: pieces)
  }

  /// Removes the pixels of `rectangle`.
  mutating func subtract(_ rectangle: PixelRect) {
    Self.cut(rectangle, from: &rectangles)
  }

  /// Whether every pixel of `rectangle` is in the region.
  func contains(_ rectangle: PixelRect) -> Bool {
    var area = 0
    for present in rectangles { area += present.intersection(rectangle).size.area }
    return area == rectangle.size.area
  }

  /// Replaces every rectangle by what remains of it outside `hole`.
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
