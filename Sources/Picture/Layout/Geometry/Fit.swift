/// How a picture whose shape differs from its tile's is placed in the tile.
public enum Fit: String, Hashable, Sendable, Codable, CaseIterable {
  /// ``cover`` while that crops at most ``largestCrop``. Where it would crop more, a picture wider than
  /// the tile loses so much of its width, and a taller one nothing: heads are in the middle, and at
  /// the top.
  case auto
  /// The picture fills the tile; what hangs over is cropped, around the focus if there is one.
  case cover
  /// The whole picture is shown; the rest of the tile stays background.
  case contain
  /// The whole picture is shown, over a blurred and dimmed copy of itself that fills the tile.
  case blur

  /// The largest share of a picture that ``auto`` crops.
  public static let largestCrop = 1.0 / 3.0

  /// Width over height of the narrowest part that is left of a wide camera on an upright canvas, and
  /// of one that is cropped around a face or stands in a grid of equal tiles.
  static let (tallestUpright, narrowestFramed) = (0.75, 0.5)

  /// The share of what is cropped of a picture's height that is taken from above, where nothing
  /// says where to look: heads are in the upper half.
  public static let cropAbove = 1.0 / 3.0

  /// Where a picture goes in a tile and which part of it is shown.
  package struct Placement: Hashable, Sendable {
    /// The rectangle that the picture fills, inside the tile.
    package var destination: Rect
    /// The part of the picture that is shown, in units of its width and height (0...1).
    package var crop: Rect

    /// A picture of `aspectRatio` (width over height as displayed, above 0) in `tile`.
    ///
    /// `coverage` says how it fits: 0 shows the whole picture, 1 fills the whole tile, and between
    /// them the picture grows evenly from one to the other, so that a tile can change from one fit
    /// to the other without a jump.
    ///
    /// `focus` says what of the picture is kept in sight. Without it, as much is cropped from the left
    /// as from the right, and ``Fit/cropAbove`` says how much from above.
    package init(aspectRatio: Double, in tile: Rect, coverage: Double, focus: Framing? = nil) {
      guard aspectRatio > 0, tile.width > 0, tile.height > 0 else {
        destination = tile
        crop = Rect(x: 0, y: 0, width: 1, height: 1)
        return
      }
      let kept = Placement.keptByCovering(aspectRatio, tile.size)
      let growth = 1 + (1 / kept - 1) * coverage
      let (shown, filled) = (1 / growth, coverage == 1 ? 1 : kept * growth)
      let isWide = aspectRatio > tile.size.aspectRatio
      destination = tile.centered(
        width: tile.width * (isWide ? 1 : filled), height: tile.height * (isWide ? filled : 1))
      crop = Placement.crop(
        width: isWide ? shown : 1, height: isWide ? 1 : shown, around: focus)
    }

    /// The part of a picture of this size, in units of the picture's, that lies around `focus`.
    private static func crop(width: Double, height: Double, around focus: Framing?) -> Rect {
      focus?.crop(width: width, height: height)
        ?? Rect(x: (1 - width) / 2, y: (1 - height) * Fit.cropAbove, width: width, height: height)
    }

    /// The share of a picture that is still shown where it fills the whole tile.
    static func keptByCovering(_ aspectRatio: Double, _ tile: Size) -> Double {
      let relative = aspectRatio / tile.aspectRatio
      return min(relative, 1 / relative)
    }
  }

  /// Whether a picture of `aspectRatio` that fills a tile of size `tile` still shows a face whole: a
  /// quarter of its width, or two thirds of its height.
  static func holdsFace(_ aspectRatio: Double, in tile: Size) -> Bool {
    tile.aspectRatio >= aspectRatio / 4 && tile.aspectRatio <= aspectRatio / (1 - largestCrop)
  }

  /// The coverage with which a tile of size `tile` shows so much of the width and height of a
  /// picture of `aspectRatio`, as nearly as there is one: no less than fills the tile.
  static func coverage(aspectRatio: Double, in tile: Size, showing crop: Size) -> Double {
    let kept = Placement.keptByCovering(aspectRatio, tile)
    let shown = aspectRatio > tile.aspectRatio ? crop.width : crop.height
    return shown > kept ? (1 / shown - 1) / (1 / kept - 1) : 1
  }

  /// How much of a tile of size `tile` a picture of `aspectRatio` covers by this fit, as
  /// ``Placement/init(aspectRatio:in:coverage:)`` takes it.
  public func coverage(aspectRatio: Double, in tile: Size) -> Double {
    switch self {
    case .contain, .blur: return 0
    case .cover: return 1
    case .auto:
      guard aspectRatio > 0, tile.aspectRatio > 0 else { return 1 }
      let kept = Placement.keptByCovering(aspectRatio, tile)
      guard 1 - kept > Self.largestCrop + 1e-9 else { return 1 }
      guard aspectRatio > tile.aspectRatio else { return 0 }
      return Self.coverage(
        aspectRatio: aspectRatio, in: tile, showing: Size(width: 1 - Self.largestCrop, height: 1))
    }
  }

  /// Places a picture of `aspectRatio` (width over height as displayed, above 0) in `tile`.
  package func place(
    aspectRatio: Double, in tile: Rect, focus: Framing? = nil
  ) -> Placement {
    Placement(
      aspectRatio: aspectRatio, in: tile,
      coverage: coverage(aspectRatio: aspectRatio, in: tile.size), focus: focus)
  }
}
