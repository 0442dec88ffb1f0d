public import TesseraPixels

/// How a call looks: colors, distances, fonts. Distances are pixels of a canvas whose shorter
/// side has 1080, and grow with it.
public struct Theme: Hashable, Sendable, Codable {
  /// The plate with a person's name.
  public struct Plate: Hashable, Sendable, Codable {
    /// Whether names are shown where nothing else says so.
    public var isShown = true
    /// The plate's color.
    public var color: Color
    /// How much of the picture the plate covers, 0...1.
    public var opacity: Double
    /// The color of the letters.
    public var textColor: Color
    /// How heavy the letters are.
    package var weight: TextStyle.Weight = .regular
    /// Where the plate lies in the tile.
    public var corner: Anchor = .bottomLeft
    /// How round its corners are: 0 square, 1 half circles.
    public var roundness: Double = 0.5
    /// A bar along the plate's left edge, or nil.
    public var accent: Color?
  }

  /// The frame around the active speaker.
  public struct Highlight: Hashable, Sendable, Codable {
    /// Whether speakers are marked where nothing else says so.
    public var isShown = true
    /// The frame's color.
    public var color: Color
    /// Its thickness on a tile 480 pixels high, in pixels; others grow with the root of the height.
    public var width: Double
  }

  /// What stands for people without a picture.
  public struct Card: Hashable, Sendable, Codable {
    /// The color of the tile.
    public var color: Color
    /// How much of a person's own color the tile takes on, 0...1.
    public var tint: Double
    /// The color of signs and words.
    public var textColor: Color
    /// Whether the tiles of people stay plain.
    public var isBlank = false
    /// The diameter of discs with initials, as a share of the tile's shorter side, 0.1...0.8.
    public var disc: Double = 0.44
  }

  /// The signs in a tile's corner.
  public struct Badge: Hashable, Sendable, Codable {
    /// Whether there are any.
    public var isShown = true
    /// The disc's color.
    public var color: Color
    /// How much of the picture the disc covers, 0...1.
    public var opacity: Double = 1
    /// The sign's color.
    public var signColor: Color
  }

  /// What this look is called.
  public var name: String
  /// The canvas between and around the tiles.
  public var background: Color
  /// The radius of the tiles' corners.
  public var cornerRadius: Double
  /// The space between tiles and around them.
  public var gap: Double
  /// True if ``gap`` and ``cornerRadius`` hold also for a tile that fills the canvas; a file that gives one of
  /// them sets it.
  public var keepsEdges = false
  /// Whether what a picture leaves free of its tile shows a blurred copy of it, in place of bars.
  public var blursBars = false
  /// The families of all letters, the best first.
  public var families: [String] = ["Noto Sans"]
  /// Names.
  public var plate: Plate
  /// The active speaker.
  public var highlight: Highlight
  /// People without a picture.
  public var card: Card
  /// Whose microphone is off.
  public var badge: Badge

  /// A distance of this theme on a canvas of `canvas`, in pixels.
  public func pixels(_ distance: Double, on canvas: PixelSize) -> Double {
    distance * Double(min(canvas.width, canvas.height)) / 1080
  }
}
