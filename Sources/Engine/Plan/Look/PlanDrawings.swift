package import TesseraLettering
package import TesseraPixels

/// All drawings of a plan: cards, name plates, badges and overlays. They are drawn during planning,
/// so that rendering never opens a font or an image.
package struct PlanDrawings: Sendable, Codable {
  /// The text of a name plate.
  package struct PlateText: Hashable, Sendable, Codable {
    package var name: String
    /// True if the plate is shown on a shared screen.
    package var isScreen: Bool

    package init(name: String, isScreen: Bool) { (self.name, self.isScreen) = (name, isScreen) }
  }

  /// The appearance of a card.
  package struct CardStyle: Hashable, Sendable, Codable {
    package var background: Color
    /// The card's drawings, in steps for tiles of different sizes.
    package var art: SizeSteppedDrawings

    package init(background: Color, art: SizeSteppedDrawings) {
      self.background = background
      self.art = art
    }
  }

  /// The frame around the active speaker, for tiles of a minimum size.
  package struct Highlight: Hashable, Sendable, Codable {
    /// The minimum size of a tile that gets this frame.
    package var step: TileSizeStep
    package var frame: HighlightFrame

    package init(step: TileSizeStep, frame: HighlightFrame) {
      self.step = step
      self.frame = frame
    }
  }

  /// The appearance of each card.
  @SortedKeyDictionary package var cards: [TileTimeline.Card: CardStyle] = [:]
  /// The drawings of each name plate.
  @SortedKeyDictionary package var plates: [PlateText: SizeSteppedDrawings] = [:]
  /// The badge for a microphone that is off; nil if it is never shown.
  package var microphoneOff: SizeSteppedDrawings?
  /// The frames around the active speaker, sorted by tile size; empty if speakers are not marked.
  package var highlights: [Highlight] = []
  /// Overlays over the whole canvas, from back to front.
  package var overlays: [CanvasOverlay] = []
  /// The clock on the canvas; nil if none is shown.
  package var clock: DrawnClock?
  /// The background picture; nil for a background color.
  package var background: DrawingGroup?
  /// The images that slots show, by file path.
  package var stills: [String: DrawingGroup] = [:]
  /// The pixels of all drawings.
  package var store = DrawingStore()

  package struct DrawnClock: Hashable, Sendable, Codable {
    /// The drawings of the clock's digits.
    package var art: ClockDigits
    package var times: CanvasClock

    package init(art: ClockDigits, times: CanvasClock) {
      self.art = art
      self.times = times
    }
  }

  /// Creates a look without drawings.
  package init() {}
}
