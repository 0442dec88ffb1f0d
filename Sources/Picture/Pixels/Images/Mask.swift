/// An immutable 8-bit coverage mask for luma and for 4:2:0 chroma: 0 is transparent, 255 opaque.
package final class Mask: UniqueObject, Sendable {
  private let image: Image
  /// The coverage of the chroma samples, for masks that begin on even and odd columns and rows.
  private let chroma: InlineArray<4, Image>
  /// A number that no other mask of this process has.
  package let identity: UInt64

  /// Creates a mask that owns a `gray8` image of coverage.
  package init(_ image: consuming Image) {
    precondition(image.format == .gray8)
    let coverage = image[plane: 0].readOnly
    self.chroma = InlineArray { parity in
      Self.chroma(of: coverage, oddX: parity & 1, oddY: parity >> 1)
    }
    self.image = image
    self.identity = Self.newIdentity()
  }

  /// The number of columns and rows.
  package var size: PixelSize { image.size }

  /// The coverage of the luma samples, valid while the mask lives.
  package var luma: Plane { image[plane: 0].readOnly }

  /// Returns the coverage of chroma samples, valid while the mask lives.
  ///
  /// `oddX` and `oddY` are true if the mask begins on an odd column or row, so that its first luma
  /// sample is the second one of its chroma sample.
  package func chroma(oddX: Bool, oddY: Bool) -> Plane {
    chroma[(oddX ? 1 : 0) + (oddY ? 2 : 0)][plane: 0].readOnly
  }

  /// Returns the mean coverage of every 2x2 luma samples, rounded half up.
  private static func chroma(of luma: Plane, oddX: Int, oddY: Int) -> Image {
    let padded = PixelSize(width: luma.size.width + oddX, height: luma.size.height + oddY)
    let image = Image(.gray8, size: padded.chroma)
    let plane = image[plane: 0]
    for y in 0..<plane.size.height {
      for x in 0..<plane.size.width {
        var sum = 2
        for row in max(0, 2 * y - oddY)..<min(2 * y - oddY + 2, luma.size.height) {
          for column in max(0, 2 * x - oddX)..<min(2 * x - oddX + 2, luma.size.width) {
            sum += Int(luma[column, row])
          }
        }
        plane[x, y] = UInt8(sum / 4)
      }
    }
    return image
  }
}
