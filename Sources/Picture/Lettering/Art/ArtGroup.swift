package import TesseraPixels

/// A point of a tile or a canvas to which drawings keep their distance.
public enum Anchor: String, Hashable, Sendable, Codable, CaseIterable {
  case topLeft = "top-left"
  case top
  case topRight = "top-right"
  case left
  case center
  case right
  case bottomLeft = "bottom-left"
  case bottom
  case bottomRight = "bottom-right"

  /// How far from left to right it is, 0...1.
  package var fractionX: Double { Double(halvesX) / 2 }
  /// How far from top to bottom it is, 0...1.
  package var fractionY: Double { Double(halvesY) / 2 }

  /// How far from left to right it is, in halves of the space.
  var halvesX: Int {
    switch self {
    case .topLeft, .left, .bottomLeft: 0
    case .top, .center, .bottom: 1
    case .topRight, .right, .bottomRight: 2
    }
  }

  /// How far from top to bottom it is, in halves of the space.
  var halvesY: Int {
    switch self {
    case .topLeft, .top, .topRight: 0
    case .left, .center, .right: 1
    case .bottomLeft, .bottom, .bottomRight: 2
    }
  }
}

/// Drawings that keep their places among each other, placed as one in a tile or on the canvas.
package struct ArtGroup: Hashable, Sendable, Codable {
  /// One drawing.
  package struct Item: Hashable, Sendable, Codable {
    /// Its name in the ``ArtStore``.
    package var art: ArtID
    /// The color of a mask; nil for a picture.
    package var color: Color?
    /// Its first column, from the group's left edge.
    package var x: Int
    /// Its first row, from the group's top edge.
    package var y: Int
    /// The number of its columns and rows.
    package var size: PixelSize
  }

  /// What the group keeps its distance to.
  package var anchor: Anchor
  /// Pixels from where the anchor puts the group, rightwards.
  package var x: Int
  /// Pixels from where the anchor puts the group, downwards.
  package var y: Int
  /// The space that the group takes.
  package var size: PixelSize
  /// The drawings, each above the one before.
  package var items: [Item]

  /// The group's first column and row in a tile or canvas of `area`.
  package func origin(in area: PixelSize) -> (x: Int, y: Int) {
    let (spareX, spareY) = (area.width - size.width, area.height - size.height)
    return (x + ((spareX * anchor.halvesX) >> 1), y + ((spareY * anchor.halvesY) >> 1))
  }

  /// The drawings where they lie in a tile or canvas of `area`.
  package func placed(in area: PixelSize) -> [Item] {
    let origin = origin(in: area)
    return items.map { item in
      var item = item
      item.x += origin.x
      item.y += origin.y
      return item
    }
  }
}
