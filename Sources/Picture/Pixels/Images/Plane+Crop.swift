extension Plane {
  /// Returns a view of the samples in `area`, without copying.
  ///
  /// - Precondition: `area` is not empty and is inside the plane.
  package func cropped(to area: PixelRect) -> Plane {
    precondition(!area.isEmpty && PixelRect(size).intersection(area) == area)
    return unsafe Plane(base: base + area.y * stride + area.x, stride: stride, size: area.size)
  }

  /// Returns a view of rows 0, `step`, 2 `step` and so on, without copying.
  ///
  /// - Precondition: `step` is at least 1.
  package func everyRow(_ step: Int) -> Plane {
    precondition(step >= 1)
    let rows = PixelSize(width: size.width, height: (size.height + step - 1) / step)
    return unsafe Plane(base: base, stride: step * stride, size: rows)
  }
}

extension MutablePlane {
  /// Returns a writable view of the samples in `area`, without copying.
  ///
  /// - Precondition: `area` is not empty and is inside the plane.
  package func cropped(to area: PixelRect) -> MutablePlane {
    precondition(!area.isEmpty && PixelRect(size).intersection(area) == area)
    return unsafe MutablePlane(
      base: base + area.y * stride + area.x, stride: stride, size: area.size)
  }

  /// Returns a writable view of rows 0, `step`, 2 `step` and so on, without copying.
  ///
  /// - Precondition: `step` is at least 1.
  package func everyRow(_ step: Int) -> MutablePlane {
    precondition(step >= 1)
    let rows = PixelSize(width: size.width, height: (size.height + step - 1) / step)
    return unsafe MutablePlane(base: base, stride: step * stride, size: rows)
  }
}
