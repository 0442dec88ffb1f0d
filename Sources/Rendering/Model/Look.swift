public import TesseraLettering
public import TesseraPixels

/// How all looks that is no picture: cards, plates, signs and overlays, drawn when the plan was made,
/// so that nothing that renders opens a font or an image.
public struct Look: Sendable, Codable {
  /// What a name plate says.
  public struct PlateText: Hashable, Sendable, Codable {
    /// The name.
    public var name: String
    /// Whether it stands on a shared screen.
    public var isScreen: Bool

    /// The plate with `name`.
    public init(name: String, isScreen: Bool) { (self.name, self.isScreen) = (name, isScreen) }
  }

  /// A card's color and drawings.
  public struct CardLook: Hashable, Sendable, Codable {
    /// The color of the tile.
    public var background: Color
    /// The drawings, for tiles of several sizes.
    public var art: SteppedArt
  }

  /// A frame around who speaks, for tiles from one size on.
  public struct Highlight: Hashable, Sendable, Codable {
    /// The size that a tile has at least.
    public var step: TileStep
    /// The frame.
    public var frame: HighlightFrame
  }

  /// What each card looks like.
  @CodedInOrder public var cards: [Card: CardLook] = [:]
  /// The plates with names.
  @CodedInOrder public var plates: [PlateText: SteppedArt] = [:]
  /// The sign that a microphone is off.
  public var microphoneOff: SteppedArt?
  /// The frames around who speaks, for small tiles first; empty where there are none.
  public var highlights: [Highlight] = []
  /// What lies on the whole canvas, each above the one before.
  public var overlays: [CanvasOverlay] = []
  /// A running clock.
  public var clock: Clock?
  /// A picture that fills the background, as a drawing; nil for a color.
  public var background: ArtGroup?
  /// The images that slots show, by their paths.
  public var stills: [String: ArtGroup] = [:]
  /// The drawings themselves.
  public var store = ArtStore()

  /// A clock on the canvas.
  public struct Clock: Hashable, Sendable, Codable {
    /// What its digits look like.
    public var art: ClockArt
    /// What it shows when.
    public var times: ClockTimes
  }

  /// Nothing drawn yet.
  public init() {}
}
