/// The sample aspect ratio (SAR): the width of one pixel over its height.
package struct SampleAspectRatio: Hashable, Sendable, Codable {
  package let numerator: Int
  package let denominator: Int

  /// Creates the ratio `numerator`:`denominator`. If either is below 1, which in streams means
  /// unknown, the ratio is 1:1.
  package init(_ numerator: Int, _ denominator: Int) {
    let known = numerator > 0 && denominator > 0
    self.numerator = known ? numerator : 1
    self.denominator = known ? denominator : 1
  }

  package static let square = SampleAspectRatio(1, 1)

  /// The width over the height.
  package var value: Double { Double(numerator) / Double(denominator) }
}

/// An immutable decoded picture: 8-bit planar 4:2:0 of any size.
///
/// Chroma planes have `size.chroma` samples. The planes' memory belongs to an owner that the
/// picture retains. No byte outside the rows is read.
package final class Picture: UniqueObject, Sendable {
  /// The luma samples, of the size ``size``.
  package let luma: Plane
  /// The blue-difference (Cb) samples, of the size `size.chroma`.
  package let blue: Plane
  /// The red-difference (Cr) samples, of the size `size.chroma`.
  package let red: Plane
  /// The matrix and range of the samples.
  package let color: ColorSpace
  /// The rotation and mirroring from coded to displayed picture.
  package let orientation: Orientation
  /// The shape of a coded pixel, before ``orientation``.
  package let sampleAspectRatio: SampleAspectRatio
  /// The position of the chroma samples.
  package let chromaSiting: ChromaSiting
  /// A number that no other picture of this process has.
  package let identity: UInt64
  private let owner: any AnyObject & Sendable

  /// Creates a picture over planes whose memory `owner` keeps alive and unchanged.
  ///
  /// - Precondition: Both chroma planes have the size that `luma` implies.
  package init(
    luma: Plane, blue: Plane, red: Plane, color: ColorSpace, orientation: Orientation = .upright,
    sampleAspectRatio: SampleAspectRatio = .square, chromaSiting: ChromaSiting = .left,
    owner: any AnyObject & Sendable
  ) {
    precondition(blue.size == luma.size.chroma && red.size == luma.size.chroma)
    self.luma = luma
    self.blue = blue
    self.red = red
    self.color = color
    self.orientation = orientation
    self.sampleAspectRatio = sampleAspectRatio
    self.chromaSiting = chromaSiting
    self.owner = owner
    self.identity = Self.newIdentity()
  }

  /// Creates a picture that owns a 4:2:0 image.
  package convenience init(
    _ image: consuming Image, color: ColorSpace, orientation: Orientation = .upright,
    sampleAspectRatio: SampleAspectRatio = .square, chromaSiting: ChromaSiting = .left
  ) {
    precondition(image.format == .yuv420p8)
    let owner = ImageOwner(image)
    self.init(
      luma: owner.image[plane: 0].readOnly, blue: owner.image[plane: 1].readOnly,
      red: owner.image[plane: 2].readOnly, color: color, orientation: orientation,
      sampleAspectRatio: sampleAspectRatio, chromaSiting: chromaSiting, owner: owner)
  }

  /// The coded size in luma samples.
  package var size: PixelSize { luma.size }

  /// The displayed size in coded pixels: ``size``, transposed if the orientation transposes.
  package var orientedSize: PixelSize { orientation.transposes ? size.transposed : size }

  /// The displayed width over height, with sample aspect ratio and orientation applied.
  package var displayAspectRatio: Double {
    let coded = Double(size.width) * sampleAspectRatio.value / Double(size.height)
    return orientation.transposes ? 1 / coded : coded
  }
}

/// The owner of an image, retained by the pictures over its planes.
private final class ImageOwner: Sendable {
  let image: Image

  init(_ image: consuming Image) {
    self.image = image
  }
}

extension Picture {
  /// Creates a picture of `image` over black in the canvas's colors.
  package convenience init(_ image: ColorImage) {
    let sprite = Sprite(image)
    self.init(
      luma: sprite.luma, blue: sprite.chroma(isRed: false, oddX: false, oddY: false),
      red: sprite.chroma(isRed: true, oddX: false, oddY: false), color: .canvas, owner: sprite)
  }
}
