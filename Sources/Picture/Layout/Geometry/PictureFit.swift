/// The rule by which a picture is scaled and cropped into a tile of another shape.
public enum PictureFit: String, Hashable, Sendable, Codable, CaseIterable {
  /// Like ``cover`` where that crops at most ``largestCrop`` of the picture.
  ///
  /// If ``cover`` would crop more, a picture wider than the tile loses ``largestCrop`` of its
  /// width, and a taller picture is shown whole. Heads are in the middle of a picture and near its
  /// top.
  case auto
  /// The picture fills the tile. The overhang is cropped, around the focus if there is one.
  case cover
  /// The whole picture is shown. The rest of the tile shows the background.
  case contain
  /// The whole picture is shown over a blurred and dimmed copy of itself that fills the tile.
  case blur

  /// The largest fraction of a picture's width or height that ``auto`` crops.
  public static let largestCrop = 1.0 / 3.0

  /// The narrowest aspect ratios (width over height) to which a wide camera picture is cropped.
  ///
  /// `tallestUpright` applies on an upright canvas. `narrowestFramed` applies to a picture cropped
  /// around a face and to equal tiles of a grid.
  static let (tallestUpright, narrowestFramed) = (0.75, 0.5)

  /// The fraction of the cropped height that is taken from the top if there is no focus. Heads are
  /// in the upper half.
  public static let cropAbove = 1.0 / 3.0

  /// The rectangle that a picture fills inside its tile, and the visible part of the picture.
  package struct Placement: Hashable, Sendable {
    /// The rectangle that the picture fills, inside the tile, in canvas pixels.
    package var destination: Rect
    /// The visible part of the picture, in units of its width and height (`0...1`).
    package var crop: Rect

    /// Places a picture of `aspectRatio` (width over height as displayed) in `tile`.
    ///
    /// A `coverage` of 0 shows the whole picture and 1 fills the whole tile. Between them the
    /// picture grows evenly, so a tile can change its fit without a jump.
    ///
    /// `focus` is the part of the picture to keep in sight. If it is `nil`, left and right are
    /// cropped equally, and ``PictureFit/cropAbove`` of the cropped height is taken from the top.
    /// If `aspectRatio` or the tile's area is not above 0, the picture is stretched to the tile.
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

    /// Returns the crop of `width` by `height` around `focus`, all in units of the picture's width
    /// and height.
    private static func crop(width: Double, height: Double, around focus: Framing?) -> Rect {
      focus?.crop(width: width, height: height)
        ?? Rect(
          x: (1 - width) / 2, y: (1 - height) * PictureFit.cropAbove, width: width, height: height)
    }

    /// Returns the fraction of a picture that stays visible when the picture fills the tile.
    static func keptByCovering(_ aspectRatio: Double, _ tile: Size) -> Double {
      let relative = aspectRatio / tile.aspectRatio
      return min(relative, 1 / relative)
    }
  }

  /// True if a picture of `aspectRatio` that fills `tile` still shows a whole face.
  ///
  /// A face needs a quarter of the picture's width, or two thirds of its height.
  static func holdsFace(_ aspectRatio: Double, in tile: Size) -> Bool {
    tile.aspectRatio >= aspectRatio / 4 && tile.aspectRatio <= aspectRatio / (1 - largestCrop)
  }

  /// Returns the coverage at which `tile` shows the fraction `crop` of a picture's width and
  /// height.
  ///
  /// If the picture would have to be cropped more than covering does, the result is 1.
  static func coverage(aspectRatio: Double, in tile: Size, showing crop: Size) -> Double {
    let kept = Placement.keptByCovering(aspectRatio, tile)
    let shown = aspectRatio > tile.aspectRatio ? crop.width : crop.height
    return shown > kept ? (1 / shown - 1) / (1 / kept - 1) : 1
  }

  /// Returns the coverage, `0...1`, that this fit gives a picture of `aspectRatio` in a tile of
  /// size `tile`, for ``Placement/init(aspectRatio:in:coverage:)``.
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

  /// Places a picture of `aspectRatio` (width over height as displayed, above 0) in `tile` by this
  /// fit.
  package func place(
    aspectRatio: Double, in tile: Rect, focus: Framing? = nil
  ) -> Placement {
    Placement(
      aspectRatio: aspectRatio, in: tile,
      coverage: coverage(aspectRatio: aspectRatio, in: tile.size), focus: focus)
  }
}
