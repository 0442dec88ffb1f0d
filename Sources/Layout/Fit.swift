/// How a picture whose shape differs from its tile's is placed in the tile.
public enum Fit: String, Hashable, Sendable, Codable, CaseIterable {
  /// ``cover`` while that crops at most a third of the picture's area, else ``contain``.
  case auto
  /// The picture fills the tile; what hangs over is cropped evenly on both sides.
  case cover
  /// The whole picture is shown; the rest of the tile stays background.
  case contain

  /// The largest share of a picture's area that ``auto`` crops.
  public static let largestCrop = 1.0 / 3.0

  /// Where a picture goes in a tile and which part of it is shown.
  public struct Placement: Hashable, Sendable {
    /// The rectangle that the picture fills, inside the tile.
    public var destination: Rect
    /// The part of the picture that is shown, in units of its width and height (0...1).
    public var crop: Rect
  }

  /// Places a picture of `aspectRatio` (width over height as displayed, above 0) in `tile`.
  public func place(aspectRatio: Double, in tile: Rect) -> Placement {
    let whole = Rect(x: 0, y: 0, width: 1, height: 1)
    guard aspectRatio > 0, tile.width > 0, tile.height > 0 else {
      return Placement(destination: tile, crop: whole)
    }
    let relative = aspectRatio / tile.size.aspectRatio
    let kept = min(relative, 1 / relative)
    let covers =
      switch self {
      case .auto: 1 - kept <= Self.largestCrop + 1e-9
      case .cover: true
      case .contain: false
      }
    let width = relative > 1 ? (covers ? kept : 1) : (covers ? 1 : kept)
    let height = relative > 1 ? (covers ? 1 : kept) : (covers ? kept : 1)
    guard !covers else {
      let crop = Rect(x: (1 - width) / 2, y: (1 - height) / 2, width: width, height: height)
      return Placement(destination: tile, crop: crop)
    }
    let destination = Rect(
      x: tile.x + tile.width * (1 - width) / 2, y: tile.y + tile.height * (1 - height) / 2,
      width: tile.width * width, height: tile.height * height)
    return Placement(destination: destination, crop: whole)
  }
}
