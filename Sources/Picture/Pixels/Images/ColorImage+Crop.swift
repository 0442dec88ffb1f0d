extension ColorImage {
  /// Returns a copy of the pixels in `area`.
  ///
  /// - Precondition: `area` is not empty and is inside the picture.
  package func cropped(to area: PixelRect) -> ColorImage {
    precondition(!area.isEmpty && PixelRect(size).intersection(area) == area)
    var part: [UInt8] = []
    part.reserveCapacity(4 * area.size.area)
    for y in area.y..<area.maxY {
      let start = 4 * (y * size.width + area.x)
      part += bytes[start..<start + 4 * area.width]
    }
    return ColorImage(width: area.width, height: area.height, bytes: part)
  }
}
