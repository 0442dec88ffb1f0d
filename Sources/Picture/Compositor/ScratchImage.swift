internal import TesseraPixels

/// A 4:2:0 working image that grows on demand and never shrinks.
struct ScratchImage: ~Copyable {
  private(set) var image = Image(.yuv420p8, size: PixelSize(width: 1, height: 1))

  init() {}

  /// Makes room for `size` luma samples. Growing discards the contents.
  mutating func prepare(_ size: PixelSize) {
    let present = image.size
    guard present.width < size.width || present.height < size.height else { return }
    let grown = PixelSize(
      width: max(present.width, size.width), height: max(present.height, size.height))
    image = Image(.yuv420p8, size: grown)
  }

  /// Returns the top left `size` samples of the plane `index`.
  ///
  /// - Precondition: ``prepare(_:)`` has made room for them.
  func plane(_ index: Int, _ size: PixelSize) -> MutablePlane {
    image[plane: index].cropped(to: PixelRect(size))
  }

  /// Returns the whole plane `index`.
  func plane(_ index: Int) -> MutablePlane { image[plane: index] }

  /// Returns the first `count` samples of the first luma row.
  ///
  /// - Precondition: ``prepare(_:)`` has made room for them.
  func row(_ count: Int) -> MutableRow {
    image[plane: 0].row(0, 0..<count)
  }
}
