package import TesseraPixels

/// The luma of a picture as it is displayed, small enough to be searched.
package struct GrayPicture: Sendable {
  /// The number of columns and rows.
  package let size: PixelSize
  /// The samples, row by row.
  package let samples: [UInt8]

  /// The rows that faces are looked for in: a face is 24 of them at least.
  package static let rows = 180

  /// Samples of that size.
  package init(size: PixelSize, samples: [UInt8]) {
    precondition(samples.count == size.area)
    (self.size, self.samples) = (size, samples)
  }

  /// `picture` upright, in square pixels and at most ``rows`` rows, each the mean of what it covers.
  package init(_ picture: Picture) {
    let aspect = max(0.2, min(5, picture.displayAspectRatio))
    let height = min(Self.rows, picture.orientedSize.height)
    let width = max(1, Int((Double(height) * aspect).rounded()))
    size = PixelSize(width: width, height: height)
    let (luma, orientation) = (picture.luma, picture.orientation)
    let coded = luma.size
    // The coded rows and columns that a displayed column and row cover.
    let (across, down) =
      orientation.transposes ? (coded.height, coded.width) : (coded.width, coded.height)
    let (mirrorsAcross, mirrorsDown) =
      orientation.transposes
      ? (orientation.mirrorsVertically, orientation.mirrorsHorizontally)
      : (orientation.mirrorsHorizontally, orientation.mirrorsVertically)
    func spans(_ count: Int, of length: Int, mirrored: Bool) -> [Range<Int>] {
      (0..<count).map { index in
        let first = index * length / count
        let span = first..<max(first + 1, (index + 1) * length / count)
        return mirrored ? length - span.upperBound..<length - span.lowerBound : span
      }
    }
    let columns = spans(width, of: across, mirrored: mirrorsAcross)
    let rows = spans(height, of: down, mirrored: mirrorsDown)
    var samples = [UInt8](repeating: 0, count: width * height)
    for (y, row) in rows.enumerated() {
      for (x, column) in columns.enumerated() {
        let (lines, places) = orientation.transposes ? (column, row) : (row, column)
        var sum = 0
        for line in lines { for place in places { sum += Int(luma[place, line]) } }
        samples[y * width + x] = UInt8(sum / (lines.count * places.count))
      }
    }
    self.samples = samples
  }

  /// True if nothing in the picture is brighter than a dark gray, but for a hundredth of it.
  package var isBlack: Bool { samples.count { $0 > Self.darkest } * 100 <= samples.count }

  /// Luma of black is 16, and noise of a sensor adds to that.
  private static let darkest: UInt8 = 36

  /// The picture scaled to `size`, which is smaller, by the means of what samples cover.
  func scaled(to size: PixelSize) -> GrayPicture {
    var samples = [UInt8](repeating: 0, count: size.area)
    for y in 0..<size.height {
      let top = y * self.size.height / size.height
      let bottom = max(top + 1, (y + 1) * self.size.height / size.height)
      for x in 0..<size.width {
        let left = x * self.size.width / size.width
        let right = max(left + 1, (x + 1) * self.size.width / size.width)
        var sum = 0
        for row in top..<bottom {
          for column in left..<right { sum += Int(self.samples[row * self.size.width + column]) }
        }
        samples[y * size.width + x] = UInt8(sum / ((bottom - top) * (right - left)))
      }
    }
    return GrayPicture(size: size, samples: samples)
  }

  /// The sums of all samples above and left of each place, a row and a column more than the picture.
  var integral: [UInt32] {
    let stride = size.width + 1
    var sums = [UInt32](repeating: 0, count: stride * (size.height + 1))
    for y in 0..<size.height {
      var row: UInt32 = 0
      for x in 0..<size.width {
        row &+= UInt32(samples[y * size.width + x])
        sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] &+ row
      }
    }
    return sums
  }
}
