/// A width and a height, in canvas pixels unless stated otherwise.
public struct Size: Hashable, Sendable, Codable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The size's width over its height; 0 if the height is 0.
  public var aspectRatio: Double { height > 0 ? width / height : 0 }

  /// The size's width times its height.
  public var area: Double { width * height }
}

/// A rectangle with its origin at the top left and y pointing down, in canvas pixels unless stated
/// otherwise.
public struct Rect: Hashable, Sendable, Codable {
  /// The coordinate of the rectangle's left edge.
  public var x: Double
  /// The coordinate of the rectangle's top edge.
  public var y: Double
  public var width: Double
  public var height: Double

  /// Creates the rectangle with its top left corner at (`x`, `y`).
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The coordinate of the rectangle's right edge, `x + width`.
  public var maxX: Double { x + width }
  /// The coordinate of the rectangle's bottom edge, `y + height`.
  public var maxY: Double { y + height }
  /// The x coordinate of the rectangle's center.
  public var midX: Double { x + width / 2 }
  /// The y coordinate of the rectangle's center.
  public var midY: Double { y + height / 2 }
  public var size: Size { Size(width: width, height: height) }
}
