/// A direction in which content runs.
package enum Axis: String, Hashable, Sendable, CaseIterable {
  /// From top to bottom.
  case vertical
  /// From left to right.
  case horizontal
}

extension Rect {
  /// Where the rectangle begins along `axis`.
  func start(_ axis: Axis) -> Double { axis == .vertical ? y : x }

  /// Where the rectangle's center lies along `axis`.
  func middle(_ axis: Axis) -> Double { axis == .vertical ? midY : midX }

  /// How long the rectangle is along `axis`.
  func length(_ axis: Axis) -> Double { size.length(axis) }

  /// The rectangle mirrored at the diagonal where `axis` is horizontal: what was placed as if
  /// content ran from top to bottom then runs along `axis`.
  func oriented(_ axis: Axis) -> Rect {
    axis == .vertical ? self : Rect(x: y, y: x, width: height, height: width)
  }
}

extension Size {
  /// The size, or the largest one of its shape that is at most `width` wide.
  func capped(width limit: Double) -> Size {
    width > limit ? Size(width: limit, height: height * limit / width) : self
  }

  /// The extent along `axis`.
  func length(_ axis: Axis) -> Double { axis == .vertical ? height : width }

  /// The size with its extents exchanged where `axis` is horizontal.
  func oriented(_ axis: Axis) -> Size {
    axis == .vertical ? self : Size(width: height, height: width)
  }
}
