extension MutablePlane {
  /// Copies all samples of `source`.
  ///
  /// - Precondition: Both planes have the same size.
  package func copy(_ source: Plane) {
    precondition(source.size == size)
    for y in 0..<size.height {
      unsafe (base + y * stride).update(from: source.base + y * source.stride, count: size.width)
    }
  }

  /// Copies the samples of `source` in `rectangle`.
  ///
  /// - Precondition: Both planes have the same size, and `rectangle` is inside them.
  package func copy(_ source: Plane, in rectangle: PixelRect) {
    precondition(source.size == size)
    for y in rectangle.rows {
      let row = self.row(y, rectangle.columns)
      unsafe row.base.update(
        from: source.row(y, rectangle.columns).base, count: rectangle.columns.count)
    }
  }
}
