extension MutablePlane {
  /// Writes the samples of `source`, a plane of the same size.
  public func copy(_ source: Plane) {
    precondition(source.size == size)
    for y in 0..<size.height {
      unsafe (base + y * stride).update(from: source.base + y * source.stride, count: size.width)
    }
  }
}
