/// The direction in which a layout runs its content.
package enum LayoutAxis: String, Hashable, Sendable, CaseIterable {
  /// Content runs from top to bottom.
  case vertical
  /// Content runs from left to right.
  case horizontal
}

extension Rect {
  /// The coordinate of the rectangle's near edge along `axis`.
  func start(_ axis: LayoutAxis) -> Double { axis == .vertical ? y : x }

  /// The coordinate of the rectangle's center along `axis`.
  func middle(_ axis: LayoutAxis) -> Double { axis == .vertical ? midY : midX }

  /// The rectangle's extent along `axis`.
  func length(_ axis: LayoutAxis) -> Double { size.length(axis) }

  /// Returns the rectangle with x and y exchanged if `axis` is horizontal.
  ///
  /// A layout computed for content from top to bottom becomes one along `axis`.
  func oriented(_ axis: LayoutAxis) -> Rect {
    axis == .vertical ? self : Rect(x: y, y: x, width: height, height: width)
  }
}

extension Size {
  /// Returns the size, scaled down to `width` and the same aspect ratio if the size is wider.
  func capped(width limit: Double) -> Size {
    width > limit ? Size(width: limit, height: height * limit / width) : self
  }

  /// The size's extent along `axis`.
  func length(_ axis: LayoutAxis) -> Double { axis == .vertical ? height : width }

  /// Returns the size with width and height exchanged if `axis` is horizontal.
  func oriented(_ axis: LayoutAxis) -> Size {
    axis == .vertical ? self : Size(width: height, height: width)
  }
}
