/// Places the boxes of styled elements on a canvas one after the other, by the parts of CSS's
/// visual formatting model that ``Stylesheet`` supports.
struct StyleBoxLayout {
  private let canvas: Size
  /// The margin boxes of the floats placed so far.
  private var floats: [Rect] = []
  /// The y coordinate at which the next box that does not float starts.
  private var blockTop = 0.0

  init(canvas: Size) { self.canvas = canvas }

  /// Places the next element and returns its border box: content, padding and border, without the
  /// margin.
  mutating func place(_ style: ElementStyle) -> Rect {
    let margin = EdgeLengths(style.margin, canvas)
    let size = outerSize(style)
    let outer = Size(
      width: size.width + margin.left + margin.right,
      height: size.height + margin.top + margin.bottom)
    var origin: Point
    if style.position == .absolute {
      origin = absoluteOrigin(style, outer)
    } else if style.isFloating {
      origin = floatOrigin(outer, clears: style.clearsFloats)
      floats.append(Rect(x: origin.x, y: origin.y, width: outer.width, height: outer.height))
    } else {
      let top = style.clearsFloats ? max(blockTop, floats.map(\.maxY).max() ?? 0) : blockTop
      origin = Point(x: 0, y: top)
      blockTop = top + outer.height
    }
    if style.position == .relative {
      origin.x += offset(style.offset.left, style.offset.right, canvas.width)
      origin.y += offset(style.offset.top, style.offset.bottom, canvas.height)
    }
    return Rect(
      x: origin.x + margin.left, y: origin.y + margin.top, width: size.width, height: size.height)
  }

  /// Returns the size with padding and border. A side without a length extends across the canvas,
  /// or between the offsets of an absolute box.
  private func outerSize(_ style: ElementStyle) -> Size {
    let padding = EdgeLengths(style.padding, canvas)
    let border = 2 * (style.border?.width ?? 0)
    let isAbsolute = style.position == .absolute
    func length(
      _ given: ElementStyle.Length, _ extra: Double, _ extent: Double, _ near: ElementStyle.Length,
      _ far: ElementStyle.Length
    ) -> Double {
      if let given = given.pixels(of: extent) { return given + extra }
      guard isAbsolute else { return extent }
      return max(0, extent - (near.pixels(of: extent) ?? 0) - (far.pixels(of: extent) ?? 0))
    }
    return Size(
      width: length(
        style.width, padding.left + padding.right + border, canvas.width, style.offset.left,
        style.offset.right),
      height: length(
        style.height, padding.top + padding.bottom + border, canvas.height, style.offset.top,
        style.offset.bottom))
  }

  private func absoluteOrigin(_ style: ElementStyle, _ outer: Size) -> Point {
    func position(
      _ near: ElementStyle.Length, _ far: ElementStyle.Length, _ length: Double, _ extent: Double
    ) -> Double {
      near.pixels(of: extent) ?? far.pixels(of: extent).map { extent - $0 - length } ?? 0
    }
    return Point(
      x: position(style.offset.left, style.offset.right, outer.width, canvas.width),
      y: position(style.offset.top, style.offset.bottom, outer.height, canvas.height))
  }

  /// Returns the origin of a float (CSS 2.1, 9.5.1): not above the previous float, as high as there
  /// is room beside the others, and there as far left as possible.
  private func floatOrigin(_ outer: Size, clears: Bool) -> Point {
    var top = max(blockTop, floats.last?.y ?? 0)
    if clears { top = max(top, floats.map(\.maxY).max() ?? 0) }
    while true {
      var (left, nextTop) = (0.0, Double.infinity)
      for float in floats
      where float.y < top + max(outer.height, 1e-6) && float.maxY > top + 1e-6 {
        (left, nextTop) = (max(left, float.maxX), min(nextTop, float.maxY))
      }
      if nextTop == .infinity || left + outer.width <= canvas.width + 1e-3 {
        return Point(x: left, y: top)
      }
      top = nextTop
    }
  }

  private func offset(_ near: ElementStyle.Length, _ far: ElementStyle.Length, _ extent: Double)
    -> Double
  {
    near.pixels(of: extent) ?? far.pixels(of: extent).map { -$0 } ?? 0
  }
}

/// The lengths of the four edges in pixels. A vertical percentage refers to the canvas's height.
struct EdgeLengths {
  let top: Double
  let right: Double
  let bottom: Double
  let left: Double

  init(_ edges: ElementStyle.Edges, _ canvas: Size) {
    top = edges.top.pixels(of: canvas.height) ?? 0
    right = edges.right.pixels(of: canvas.width) ?? 0
    bottom = edges.bottom.pixels(of: canvas.height) ?? 0
    left = edges.left.pixels(of: canvas.width) ?? 0
  }
}
