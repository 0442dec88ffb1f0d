package import TesseraLettering
package import TesseraPixels

/// How all looks that is not a picture: cards, plates, signs and overlays, drawn when the plan was
/// made, so that nothing that renders opens a font or an image.
package struct Look: Sendable, Codable {
  /// What a name plate says.
  package struct PlateText: Hashable, Sendable, Codable {
    /// The name.
    package var name: String
    /// Whether it stands on a shared screen.
    package var isScreen: Bool

    /// The plate with `name`.
    package init(name: String, isScreen: Bool) { (self.name, self.isScreen) = (name, isScreen) }
  }

  /// A card's color and drawings.
  package struct CardLook: Hashable, Sendable, Codable {
    /// The color of the tile.
    package var background: Color
    /// The drawings, for tiles of several sizes.
    package var art: SteppedArt

    /// A tile of that color with `art` on it.
    package init(background: Color, art: SteppedArt) {
      self.background = background
      self.art = art
    }
  }

  /// A frame around the active speaker, for tiles from one size on.
  package struct Highlight: Hashable, Sendable, Codable {
    /// The size that a tile has at least.
    package var step: TileStep
    /// The frame.
    package var frame: HighlightFrame

    /// `frame` from `step` on.
    package init(step: TileStep, frame: HighlightFrame) {
      self.step = step
      self.frame = frame
    }
  }

  /// What each card looks like.
  @CodedInOrder package var cards: [Slot.Card: CardLook] = [:]
  /// The plates with names.
  @CodedInOrder package var plates: [PlateText: SteppedArt] = [:]
  /// The sign that a microphone is off.
  package var microphoneOff: SteppedArt?
  /// The frames around the active speaker, for small tiles first; empty where there are none.
  package var highlights: [Highlight] = []
  /// What lies on the whole canvas, each above the one before.
  package var overlays: [CanvasOverlay] = []
  /// A running clock.
  package var clock: Clock?
  /// A picture that fills the background, as a drawing; nil for a color.
  package var background: ArtGroup?
  /// The images that slots show, by their paths.
  package var stills: [String: ArtGroup] = [:]
  /// The drawings themselves.
  package var store = ArtStore()

  /// A clock on the canvas.
  package struct Clock: Hashable, Sendable, Codable {
    /// What its digits look like.
    package var art: ClockArt
    /// What it shows when.
    package var times: ClockTimes

    /// A clock that shows `times`.
    package init(art: ClockArt, times: ClockTimes) {
      self.art = art
      self.times = times
    }
  }

  /// Nothing drawn yet.
  package init() {}
}
