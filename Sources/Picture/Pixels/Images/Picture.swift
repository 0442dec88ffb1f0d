internal import Synchronization

/// The shape of one pixel: its width over its height.
package struct SampleAspectRatio: Hashable, Sendable, Codable {
  /// The width's share.
  package let numerator: Int
  /// The height's share.
  package let denominator: Int

  /// The ratio `numerator`:`denominator`; 1:1 where either is below 1, which is how streams say
  /// that they do not know.
  package init(_ numerator: Int, _ denominator: Int) {
    let known = numerator > 0 && denominator > 0
    self.numerator = known ? numerator : 1
    self.denominator = known ? denominator : 1
  }

  /// Square pixels.
  package static let square = SampleAspectRatio(1, 1)

  /// Width over height.
  package var value: Double { Double(numerator) / Double(denominator) }
}

/// An immutable decoded picture: 8-bit planar 4:2:0 of any size.
///
/// Chroma planes have `size.chroma` samples. The planes' memory belongs to an owner that the
/// picture keeps alive; no byte outside the rows is read.
package final class Picture: Sendable {
  /// Luma samples, `size`.
  package let luma: Plane
  /// Blue-difference samples, `size.chroma`.
  package let blue: Plane
  /// Red-difference samples, `size.chroma`.
  package let red: Plane
  /// How the samples stand for colors.
  package let color: ColorSpace
  /// How the coded picture is turned to be displayed.
  package let orientation: Orientation
  /// The shape of a coded pixel, before `orientation`.
  package let sampleAspectRatio: SampleAspectRatio
  /// Where the chroma samples lie.
  package let chromaSiting: ChromaSiting
  /// A number that no other picture of this process has.
  package let identity: UInt64
  private let owner: any AnyObject & Sendable

  /// A picture over planes whose memory `owner` keeps alive and unchanged.
  ///
  /// - Precondition: both chroma planes have the size that `luma` implies.
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
    self.identity = Self.count.add(1, ordering: .relaxed).newValue
  }

  /// A picture that takes over a 4:2:0 image.
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

  /// The coded size.
  package var size: PixelSize { luma.size }

  /// The size as displayed, in coded pixels: sides exchanged where the orientation transposes.
  package var orientedSize: PixelSize { orientation.transposes ? size.transposed : size }

  /// Width over height as displayed: sample aspect ratio and orientation applied.
  package var displayAspectRatio: Double {
    let coded = Double(size.width) * sampleAspectRatio.value / Double(size.height)
    return orientation.transposes ? 1 / coded : coded
  }

  private static let count = Atomic<UInt64>(0)
}

extension Picture: Hashable {
  /// Whether both are the same picture.
  package static func == (one: Picture, other: Picture) -> Bool {
    one === other
  }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}

/// Keeps an image alive for the pictures over its planes.
private final class ImageOwner: Sendable {
  let image: Image

  init(_ image: consuming Image) {
    self.image = image
  }
}

extension Picture {
  /// The picture of `image`, over black where it is transparent, in the canvas's colors.
  package convenience init(_ image: ColorImage) {
    let sprite = Sprite(image)
    self.init(
      luma: sprite.luma, blue: sprite.chroma(isRed: false, oddX: false, oddY: false),
      red: sprite.chroma(isRed: true, oddX: false, oddY: false), color: .canvas, owner: sprite)
  }
}
