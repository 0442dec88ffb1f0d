public import TesseraPixels

/// The appearance of a call: colors, distances, fonts. Distances are in pixels of a canvas whose
/// shorter side has 1080 pixels, and scale with the canvas.
public struct Theme: Hashable, Sendable, Codable {
  /// The plate with a participant's name.
  public struct Plate: Hashable, Sendable, Codable {
    /// True if names are shown by default.
    public var isShown = true
    public var color: Color
    /// The opacity of the plate, `0...1`.
    public var opacity: Double
    public var textColor: Color
    /// The weight of the letters.
    package var weight: TextStyle.Weight = .regular
    /// The position of the plate in the tile.
    public var corner: AnchorPoint = .bottomLeft
    /// The roundness of the plate's corners: 0 is square, 1 is half circles.
    public var roundness: Double = 0.5
    /// The color of a bar along the plate's left edge; `nil` for no bar.
    public var accent: Color?
  }

  /// The frame around the active speaker.
  public struct Highlight: Hashable, Sendable, Codable {
    /// True if the active speaker is marked by default.
    public var isShown = true
    public var color: Color
    /// The frame's thickness in pixels on a tile 480 pixels high. The thickness on other tiles
    /// scales with the square root of the height.
    public var width: Double
  }

  /// The card of a participant without a picture.
  public struct Card: Hashable, Sendable, Codable {
    /// The color of the tile.
    public var color: Color
    /// The fraction of the participant's own color in the tile's color, `0...1`.
    public var tint: Double
    /// The color of signs and text.
    public var textColor: Color
    /// True if the tiles of participants show only the color.
    public var isBlank = false
    /// The diameter of discs with initials, as a fraction of the tile's shorter side, `0.1...0.8`.
    public var disc: Double = 0.44
  }

  /// The signs in a tile's corner, such as the muted microphone.
  public struct Badge: Hashable, Sendable, Codable {
    /// True if signs are shown.
    public var isShown = true
    /// The color of the disc behind the sign.
    public var color: Color
    /// The opacity of the disc, `0...1`.
    public var opacity: Double = 1
    public var signColor: Color
  }

  public var name: String
  /// The color of the canvas between and around the tiles.
  public var background: Color
  /// The radius of the tiles' corners.
  public var cornerRadius: Double
  /// The distance between tiles, and between tiles and the canvas's edges.
  public var gap: Double
  /// True if ``gap`` and ``cornerRadius`` also apply to a tile that fills the canvas. A theme file
  /// that sets either value sets this.
  public var keepsEdges = false
  /// True if the part of a tile that its picture does not cover shows a blurred copy of the picture
  /// instead of bars.
  public var blursBars = false
  /// The font families of all text in order of preference.
  public var families: [String] = ["Noto Sans"]
  /// The style of name plates.
  public var plate: Plate
  /// The style of the frame around the active speaker.
  public var highlight: Highlight
  /// The style of the cards of participants without a picture.
  public var card: Card
  /// The style of the muted-microphone sign.
  public var badge: Badge

  /// Converts a distance of this theme to pixels on a canvas of size `canvas`.
  public func pixels(_ distance: Double, on canvas: PixelSize) -> Double {
    distance * Double(min(canvas.width, canvas.height)) / 1080
  }
}
