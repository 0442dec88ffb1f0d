package import TesseraLayout
package import TesseraPixels

/// One tile of a scene: where and how an item's content is drawn.
package struct TileDraw: Hashable, Sendable {
  /// A line along the inner edge of a tile.
  package struct Border: Hashable, Sendable {
    /// The thickness in canvas pixels.
    package var width: Double
    /// The color.
    package var color: Color
    /// The opacity, 0...1.
    package var opacity: Double

    /// A border `width` pixels thick.
    package init(width: Double, color: Color, opacity: Double = 1) {
      self.width = width
      self.color = color
      self.opacity = opacity
    }
  }

  /// How much of the frame a picture of one shape covers (``Fit/Placement``), whatever the tile's
  /// fit would make of it: so a tile can move from one fit to another without a jump.
  package struct Coverage: Hashable, Sendable {
    /// The shape that it was reckoned for, width over height.
    package var aspectRatio: Double
    /// What of the frame is covered: 0 shows the whole picture, 1 fills the whole frame.
    package var share: Double

    /// A coverage by `share` for pictures of `aspectRatio`.
    package init(aspectRatio: Double, share: Double) {
      self.aspectRatio = aspectRatio
      self.share = share
    }

    /// Whether it was reckoned for pictures of `other`, but for a thousandth.
    func holds(for other: Double) -> Bool {
      abs(other - aspectRatio) <= aspectRatio / 1000
    }
  }

  /// The index of the content in the ``FrameSet``.
  package var item: Int
  /// The tile's rectangle in canvas pixels; may be fractional and may leave the canvas.
  package var frame: Rect
  /// How a picture of another shape is placed.
  package var fit: Fit = .auto
  /// How much of the frame a picture covers; nil, or a picture of another shape, leaves it to
  /// ``fit``.
  package var coverage: Coverage?
  /// What of a picture cropping keeps in sight; nil for ``Fit/cropAbove``.
  package var focus: Framing?
  /// Whether a picture that does not cover the frame lies over a blurred and dimmed copy of itself,
  /// as it always does by ``Fit/blur``.
  package var blursBars = false
  /// The opacity of the whole tile, 0...1.
  package var alpha: Double = 1
  /// The radius of the tile's corners in canvas pixels.
  package var cornerRadius: Double = 0
  /// A line along the inner edge.
  package var border: Border?
  /// The tile's size as a multiple of `frame`, about its center.
  package var scale: Double = 1
  /// Tiles with greater indexes lie above; equal ones in the order of the scene.
  package var zIndex: Int = 0
  /// Names and badges over the border, each above the one before; clipped to the tile.
  package var sprites: [SpriteDraw] = []

  /// A plain tile that shows `item` in `frame`.
  package init(item: Int, frame: Rect, fit: Fit = .auto) {
    self.item = item
    self.frame = frame
    self.fit = fit
  }

  /// Whether the content lies where it does in `other`, whatever decorates it.
  func isPlaced(like other: TileDraw) -> Bool {
    item == other.item && frame == other.frame && fit == other.fit && coverage == other.coverage
      && focus == other.focus && blursBars == other.blursBars && alpha == other.alpha
      && cornerRadius == other.cornerRadius && scale == other.scale && zIndex == other.zIndex
  }

  /// Whether it is decorated like `other`.
  func isDecorated(like other: TileDraw) -> Bool {
    border == other.border && sprites == other.sprites
  }
}
