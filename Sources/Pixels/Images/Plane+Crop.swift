extension Plane {
  /// The part of the plane at `area`; the rows stay where they are.
  ///
  /// - Precondition: `area` has samples and lies inside the plane.
  public func cropped(to area: PixelRect) -> Plane {
    precondition(!area.isEmpty && PixelRect(size).intersection(area) == area)
    return unsafe Plane(base: base + area.y * stride + area.x, stride: stride, size: area.size)
  }
}

extension MutablePlane {
  /// The part of the plane at `area`; the rows stay where they are.
  ///
  /// - Precondition: `area` has samples and lies inside the plane.
  public func cropped(to area: PixelRect) -> MutablePlane {
    precondition(!area.isEmpty && PixelRect(size).intersection(area) == area)
    return unsafe MutablePlane(
      base: base + area.y * stride + area.x, stride: stride, size: area.size)
  }
}
