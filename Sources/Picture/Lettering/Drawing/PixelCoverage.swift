import TesseraPixels

/// The coverage of every pixel of a drawing, `0...255`; at render time it becomes a ``Mask``.
struct PixelCoverage: Hashable {
  /// The number of columns and rows, at least 1 each.
  let size: PixelSize
  /// One byte per pixel, row by row.
  let bytes: [UInt8]

  init(size: PixelSize, bytes: [UInt8]) {
    precondition(size.width >= 1 && size.height >= 1 && bytes.count == size.area)
    self.size = size
    self.bytes = bytes
  }

  /// The bounding box of all pixels with coverage above 0; `nil` if there are none.
  var bounds: PixelRect? {
    bytes.bounds(size: size) { bytes, index in bytes[index] != 0 }
  }

  /// Returns the part in `area`, which must be inside.
  func cropped(to area: PixelRect) -> PixelCoverage {
    var part: [UInt8] = []
    part.reserveCapacity(area.size.area)
    for y in area.y..<area.maxY {
      let start = y * size.width + area.x
      part += bytes[start..<start + area.width]
    }
    return PixelCoverage(size: area.size, bytes: part)
  }
}

extension ColorImage {
  /// The bounding box of all pixels that are not fully transparent; `nil` if there are none.
  var bounds: PixelRect? {
    bytes.bounds(size: size) { bytes, index in bytes[4 * index + 3] != 0 }
  }
}

extension [UInt8] {
  /// Returns the bounding box of the pixels for which `isInked` returns true, in a picture of
  /// `size`; `nil` if there are none.
  fileprivate func bounds(
    size: PixelSize, isInked: ([UInt8], _ index: Int) -> Bool
  ) -> PixelRect? {
    var (left, right) = (size.width, -1)
    var (top, bottom) = (size.height, -1)
    for y in 0..<size.height {
      for x in 0..<size.width where isInked(self, y * size.width + x) {
        (left, right) = (Swift.min(left, x), Swift.max(right, x))
        (top, bottom) = (Swift.min(top, y), y)
      }
    }
    guard right >= 0 else { return nil }
    return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }
}
