package import TesseraPixels

/// The luma of a picture as displayed, downscaled for face detection.
package struct GrayPicture: Sendable {
  package let size: PixelSize
  /// The samples in row-major order.
  package let samples: [UInt8]

  /// The maximum height for face detection. A face must be at least 24 rows high.
  package static let rows = 180

  /// Creates a picture of `samples`; their number must be the area of `size`.
  package init(size: PixelSize, samples: [UInt8]) {
    precondition(samples.count == size.area)
    (self.size, self.samples) = (size, samples)
  }

  /// Rotates `picture` upright and downscales it to square pixels and at most ``rows`` rows. Each
  /// sample is the mean of the source samples that it covers.
  package init(_ picture: Picture) {
    let aspect = max(0.2, min(5, picture.displayAspectRatio))
    let height = min(Self.rows, picture.orientedSize.height)
    let width = max(1, Int((Double(height) * aspect).rounded()))
    size = PixelSize(width: width, height: height)
    let (luma, orientation) = (picture.luma, picture.orientation)
    let coded = luma.size
    // The coded lengths along the displayed width and height.
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

  /// True if at most 1 % of the samples are brighter than a dark gray.
  package var isBlack: Bool { samples.count { $0 > Self.darkest } * 100 <= samples.count }

  /// The brightest luma that counts as black. Black is 16; sensor noise adds to that.
  private static let darkest: UInt8 = 36

  /// Downscales the picture to `size` by averaging the samples that each result covers.
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

  /// The integral image: the sums of all samples above and left of each position, with one more row
  /// and column than the picture.
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
