public import TesseraTimeline

/// One picture that a layout places: a participant's camera or screen.
public struct LayoutItem: Hashable, Sendable, Identifiable {
  /// What the picture shows.
  public enum Kind: Hashable, Sendable {
    /// A person.
    case camera
    /// A shared screen.
    case screen
    /// No picture: a tile that says how many people have none of their own.
    case overflow(count: Int)
  }

  /// A number that stays the same for the whole recording; never negative for a real picture.
  public var id: Int
  /// The names by which a layout file's `video_sources` and `stream#id` know it.
  public var sources: [String]
  /// The classes by which a stylesheet knows it.
  public var classes: [String]
  /// What the picture shows.
  public var kind: Kind
  /// Width over height as displayed, above 0; nil until it is known.
  public var aspectRatio: Double?
  /// Whether it is the person at whose place the call was recorded (the publisher).
  public var isLocal: Bool
  /// Whether it was asked to be large, or pinned.
  public var isFocused: Bool
  /// Whether the person is the active speaker.
  public var isSpeaking: Bool
  /// When the person last began to speak; nil for somebody who has not spoken.
  public var lastSpoke: MediaTime?
  /// Whether there is a picture now, and not a card in its place.
  package var isSeen = true
  /// Whether its picture is cropped around a face, so that it may fill tiles of any shape.
  package var isFramed = false
  /// Whether it has a place that nothing else takes: see ``KeptPlace``.
  package var isKept = false
  /// When the track runs; nil where that does not matter. Only `regions` asks.
  public var presence: TimeRange?

  /// An item that is known by its number only, unless more is said.
  public init(
    id: Int, sources: [String] = [], classes: [String] = [], kind: Kind = .camera,
    aspectRatio: Double? = nil, isLocal: Bool = false, isFocused: Bool = false,
    isSpeaking: Bool = false, lastSpoke: MediaTime? = nil, presence: TimeRange? = nil
  ) {
    self.id = id
    self.sources = sources
    self.classes = classes
    self.kind = kind
    self.aspectRatio = aspectRatio
    self.isLocal = isLocal
    self.isFocused = isFocused
    self.isSpeaking = isSpeaking
    self.lastSpoke = lastSpoke
    self.presence = presence
  }

  /// The identifier of the tile that counts those without a tile.
  public static let overflowID = -1

  /// The tile that stands for `count` people.
  static func overflow(count: Int) -> LayoutItem {
    LayoutItem(id: overflowID, kind: .overflow(count: count))
  }

  /// The aspect ratio that is planned with: 16:9 until the real one is known.
  package var plannedAspectRatio: Double { aspectRatio ?? 16.0 / 9.0 }
}
