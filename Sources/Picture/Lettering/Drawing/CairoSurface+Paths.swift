import CTesseraPango
import TesseraLayout

extension CairoSurface {
  /// Starts a new subpath at a point.
  func move(_ x: Double, _ y: Double) { unsafe cairo_move_to(context, x, y) }

  /// Adds a straight line to a point.
  func line(_ x: Double, _ y: Double) { unsafe cairo_line_to(context, x, y) }

  /// Adds a subpath through `corners`.
  func polyline(_ corners: [(x: Double, y: Double)]) {
    for (index, corner) in corners.enumerated() {
      index == 0 ? move(corner.x, corner.y) : line(corner.x, corner.y)
    }
  }

  /// Closes the current subpath.
  func close() { unsafe cairo_close_path(context) }

  /// Adds an arc between two angles in quarter turns, clockwise from the right.
  func arc(_ x: Double, _ y: Double, _ radius: Double, _ quarters: ClosedRange<Double>) {
    unsafe cairo_arc(
      context, x, y, radius, quarters.lowerBound * .pi / 2, quarters.upperBound * .pi / 2)
  }

  /// Adds a full circle.
  func circle(_ x: Double, _ y: Double, _ radius: Double) {
    unsafe cairo_new_sub_path(context)
    arc(x, y, radius, 0...4)
    close()
  }

  /// Adds a rectangle with round corners. `radius` is limited to half of each side.
  func rectangle(_ area: Rect, radius: Double = 0) {
    let radius = max(0, min(radius, area.width / 2, area.height / 2))
    unsafe cairo_new_sub_path(context)
    arc(area.maxX - radius, area.y + radius, radius, -1...0)
    arc(area.maxX - radius, area.maxY - radius, radius, 0...1)
    arc(area.x + radius, area.maxY - radius, radius, 1...2)
    arc(area.x + radius, area.y + radius, radius, 2...3)
    close()
  }
}
