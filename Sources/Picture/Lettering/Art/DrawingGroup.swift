package import TesseraPixels

/// A point of a tile or canvas to which drawings keep a constant distance.
public enum AnchorPoint: String, Hashable, Sendable, Codable, CaseIterable {
  case topLeft = "top-left"
  case top
  case topRight = "top-right"
  case left
  case center
  case right
  case bottomLeft = "bottom-left"
  case bottom
  case bottomRight = "bottom-right"

  /// The anchor's horizontal position, `0...1` from left to right.
  package var fractionX: Double { Double(halvesX) / 2 }
  /// The anchor's vertical position, `0...1` from top to bottom.
  package var fractionY: Double { Double(halvesY) / 2 }

  /// The anchor's horizontal position from left to right, in halves of the width.
  var halvesX: Int {
    switch self {
    case .topLeft, .left, .bottomLeft: 0
    case .top, .center, .bottom: 1
    case .topRight, .right, .bottomRight: 2
    }
  }

  /// The anchor's vertical position from top to bottom, in halves of the height.
  var halvesY: Int {
    switch self {
    case .topLeft, .top, .topRight: 0
    case .left, .center, .right: 1
    case .bottomLeft, .bottom, .bottomRight: 2
    }
  }
}

/// Drawings with fixed positions relative to each other, placed as a unit in a tile or on the
/// canvas.
package struct DrawingGroup: Hashable, Sendable, Codable {
  /// One drawing of a group.
  package struct Item: Hashable, Sendable, Codable {
    /// The drawing's identifier in the ``DrawingStore``.
    package var art: DrawingID
    /// The color of a mask; `nil` for a picture.
    package var color: Color?
    /// The drawing's first column, relative to the group's left edge.
    package var x: Int
    /// The drawing's first row, relative to the group's top edge.
    package var y: Int
    /// The number of the drawing's columns and rows.
    package var size: PixelSize

    func moved(by dx: Int, _ dy: Int) -> Item {
      Item(art: art, color: color, x: x + dx, y: y + dy, size: size)
    }
  }

  /// The point to which the group keeps a constant distance.
  package var anchor: AnchorPoint
  /// The offset to the right from the anchored position, in pixels.
  package var x: Int
  /// The offset downwards from the anchored position, in pixels.
  package var y: Int
  /// The size of the group in pixels.
  package var size: PixelSize
  /// The drawings, back to front.
  package var items: [Item]

  /// Returns the group's first column and row in a tile or canvas of size `area`.
  package func origin(in area: PixelSize) -> (x: Int, y: Int) {
    let (spareX, spareY) = (area.width - size.width, area.height - size.height)
    return (x + ((spareX * anchor.halvesX) >> 1), y + ((spareY * anchor.halvesY) >> 1))
  }
}
