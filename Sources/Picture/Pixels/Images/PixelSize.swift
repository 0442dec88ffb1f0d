/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Sendable, Codable {
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size without pixels.
  public static let zero = PixelSize(width: 0, height: 0)

  /// The number of pixels.
  public var area: Int { width * height }

  /// The size with columns and rows exchanged.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The size of a chroma plane of a 4:2:0 picture of this size, rounded up.
  public var chroma: PixelSize { PixelSize(width: (width + 1) / 2, height: (height + 1) / 2) }
}
