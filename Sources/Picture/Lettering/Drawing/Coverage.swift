import TesseraPixels

/// How much of every pixel is covered, 0...255: a ``Mask`` before it is one.
struct Coverage: Hashable {
  /// The number of columns and rows, at least 1 each.
  let size: PixelSize
  /// One byte for every pixel, row by row.
  let bytes: [UInt8]

  init(size: PixelSize, bytes: [UInt8]) {
    precondition(size.width >= 1 && size.height >= 1 && bytes.count == size.area)
    self.size = size
    self.bytes = bytes
  }

  /// The smallest rectangle with all pixels that are covered at all; nil where none is.
  var bounds: PixelRect? {
    bytes.bounds(size: size) { bytes, index in bytes[index] != 0 }
  }

  /// The part at `area`, which lies inside.
  func cropped(to area: PixelRect) -> Coverage {
    var part: [UInt8] = []
    part.reserveCapacity(area.size.area)
    for y in area.y..<area.maxY {
      let start = y * size.width + area.x
      part += bytes[start..<start + area.width]
    }
    return Coverage(size: area.size, bytes: part)
  }

  /// The mask of this coverage.
  var mask: Mask {
    let image = Image(.gray8, size: size)
    let plane = image[plane: 0]
    for y in 0..<size.height {
      for x in 0..<size.width { plane[x, y] = bytes[y * size.width + x] }
    }
    return Mask(image)
  }
}

extension ColorImage {
  /// The smallest rectangle with all pixels that are not transparent; nil where all are.
  var bounds: PixelRect? {
    bytes.bounds(size: size) { bytes, index in bytes[4 * index + 3] != 0 }
  }
}

extension [UInt8] {
  /// The smallest rectangle of a picture of `size` with all pixels that `isInked`.
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
