package import TesseraLettering
package import TesseraPixels

/// All drawings of a plan: cards, name plates, badges and overlays. They are drawn during planning,
/// so that rendering never opens a font or an image.
package struct Look: Sendable, Codable {
  /// The text of a name plate.
  package struct PlateText: Hashable, Sendable, Codable {
    package var name: String
    /// True if the plate is shown on a shared screen.
    package var isScreen: Bool

    package init(name: String, isScreen: Bool) { (self.name, self.isScreen) = (name, isScreen) }
  }

  /// The appearance of a card.
  package struct CardLook: Hashable, Sendable, Codable {
    package var background: Color
    /// The card's drawings, in steps for tiles of different sizes.
    package var art: SteppedArt

    package init(background: Color, art: SteppedArt) {
      self.background = background
      self.art = art
    }
  }

  /// The frame around the active speaker, for tiles of a minimum size.
  package struct Highlight: Hashable, Sendable, Codable {
    /// The minimum size of a tile that gets this frame.
    package var step: TileStep
    package var frame: HighlightFrame

    package init(step: TileStep, frame: HighlightFrame) {
      self.step = step
      self.frame = frame
    }
  }

  /// The appearance of each card.
  @SortedKeys package var cards: [Slot.Card: CardLook] = [:]
  /// The drawings of each name plate.
  @SortedKeys package var plates: [PlateText: SteppedArt] = [:]
  /// The badge for a microphone that is off; nil if it is never shown.
  package var microphoneOff: SteppedArt?
  /// The frames around the active speaker, sorted by tile size; empty if speakers are not marked.
  package var highlights: [Highlight] = []
  /// Overlays over the whole canvas, from back to front.
  package var overlays: [CanvasOverlay] = []
  /// The clock on the canvas; nil if none is shown.
  package var clock: Clock?
  /// The background picture; nil for a background color.
  package var background: ArtGroup?
  /// The images that slots show, by file path.
  package var stills: [String: ArtGroup] = [:]
  /// The pixels of all drawings.
  package var store = ArtStore()

  package struct Clock: Hashable, Sendable, Codable {
    /// The drawings of the clock's digits.
    package var art: ClockArt
    package var times: ClockTimes

    package init(art: ClockArt, times: ClockTimes) {
      self.art = art
      self.times = times
    }
  }

  /// Creates a look without drawings.
  package init() {}
}
