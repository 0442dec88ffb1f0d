package import TesseraLayout
package import TesseraPixels

/// One tile of a scene: the position and style with which an item's content is drawn.
package struct TilePlacement: Hashable, Sendable {
  /// A line along the inner edge of a tile.
  package struct Border: Hashable, Sendable {
    /// The thickness in canvas pixels.
    package var width: Double
    package var color: Color
    /// The opacity, `0...1`.
    package var opacity: Double

    package init(width: Double, color: Color, opacity: Double = 1) {
      self.width = width
      self.color = color
      self.opacity = opacity
    }
  }

  /// The fraction of the frame that a picture of one aspect ratio covers
  /// (``PictureFit/Placement``). It overrides the tile's fit, so that a tile can move from one fit
  /// to another without a jump.
  package struct FillFraction: Hashable, Sendable {
    /// The aspect ratio (width over height) that ``share`` was computed for.
    package var aspectRatio: Double
    /// The fraction: 0 shows the whole picture, 1 fills the whole frame.
    package var share: Double

    package init(aspectRatio: Double, share: Double) {
      self.aspectRatio = aspectRatio
      self.share = share
    }

    /// True if the aspect ratio `other` differs by at most a thousandth from ``aspectRatio``.
    func holds(for other: Double) -> Bool {
      abs(other - aspectRatio) <= aspectRatio / 1000
    }
  }

  /// The index of the tile's content in the ``ItemContents``.
  package var item: Int
  /// The tile's rectangle in canvas pixels; may be fractional and may extend beyond the canvas.
  package var frame: Rect
  /// The rule for placing a picture of another shape.
  package var fit: PictureFit = .auto
  /// The fraction of the frame that a picture covers. ``fit`` decides if this is `nil` or the
  /// picture has another shape.
  package var coverage: FillFraction?
  /// The part of the picture that cropping keeps in sight; `nil` crops by ``PictureFit/cropAbove``.
  package var focus: Framing?
  /// True if a picture that does not cover the frame is over a blurred and dimmed copy of itself,
  /// as it always is by ``PictureFit/blur``.
  package var blursBars = false
  /// The opacity of the whole tile, `0...1`.
  package var alpha: Double = 1
  /// The radius of the tile's corners in canvas pixels.
  package var cornerRadius: Double = 0
  /// A line along the tile's inner edge; `nil` for none.
  package var border: Border?
  /// The factor by which ``frame`` is scaled about its center.
  package var scale: Double = 1
  /// The stacking order: greater is in front. Equal values are drawn in the order of the scene.
  package var zIndex: Int = 0
  /// Names and badges over the border, back to front, clipped to the tile.
  package var sprites: [SpritePlacement] = []

  /// Creates a tile that shows `item` in `frame` without decorations.
  package init(item: Int, frame: Rect, fit: PictureFit = .auto) {
    self.item = item
    self.frame = frame
    self.fit = fit
  }

  /// True if the content of both tiles is in the same place; decorations may differ.
  func isPlaced(like other: TilePlacement) -> Bool {
    item == other.item && frame == other.frame && fit == other.fit && coverage == other.coverage
      && focus == other.focus && blursBars == other.blursBars && alpha == other.alpha
      && cornerRadius == other.cornerRadius && scale == other.scale && zIndex == other.zIndex
  }

  /// True if both tiles have the same border and sprites.
  func isDecorated(like other: TilePlacement) -> Bool {
    border == other.border && sprites == other.sprites
  }
}
