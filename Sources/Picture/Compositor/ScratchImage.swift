internal import TesseraPixels

/// A 4:2:0 image to work in; it grows, never shrinks.
struct ScratchImage: ~Copyable {
  private(set) var image = Image(.yuv420p8, size: PixelSize(width: 1, height: 1))

  init() {}

  /// Makes room for `size` luma samples; what the image held is lost.
  mutating func prepare(_ size: PixelSize) {
    let present = image.size
    guard present.width < size.width || present.height < size.height else { return }
    let grown = PixelSize(
      width: max(present.width, size.width), height: max(present.height, size.height))
    image = Image(.yuv420p8, size: grown)
  }

  /// The top left `size` samples of the plane at `index`.
  ///
  /// - Precondition: there is room for them.
  func plane(_ index: Int, _ size: PixelSize) -> MutablePlane {
    image[plane: index].cropped(to: PixelRect(size))
  }

  /// All of the plane at `index`.
  func plane(_ index: Int) -> MutablePlane { image[plane: index] }

  /// The first `count` samples of the first row.
  ///
  /// - Precondition: there is room for them.
  func row(_ count: Int) -> MutableRow {
    image[plane: 0].row(0, 0..<count)
  }
}
