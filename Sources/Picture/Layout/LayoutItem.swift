public import TesseraTimeline

/// One picture that a layout places: a participant's camera or screen.
public struct LayoutItem: Hashable, Sendable, Identifiable {
  /// The kind of content in an item's picture.
  public enum Kind: Hashable, Sendable {
    /// The camera of a participant.
    case camera
    /// A shared screen.
    case screen
    /// An overflow tile, without a picture, for `count` participants that have no tile.
    case overflow(count: Int)
  }

  /// The item's number, constant for the whole recording; never negative for a real picture.
  public var id: Int
  /// The names by which a layout file's `video_sources` and `stream#id` refer to the item.
  public var sources: [String]
  /// The classes by which a stylesheet refers to the item.
  public var classes: [String]
  public var kind: Kind
  /// The picture's width over its height as displayed, above 0; `nil` until it is known.
  public var aspectRatio: Double?
  /// True if the participant is the one at whose place the call was recorded (the publisher).
  public var isLocal: Bool
  /// True if the item was requested to be large, or pinned.
  public var isFocused: Bool
  /// True if the participant is the active speaker.
  public var isSpeaking: Bool
  /// The time at which the participant last started to speak; `nil` if the participant has not
  /// spoken.
  public var lastSpoke: MediaTime?
  /// True if the item shows a picture now; false if it shows a card.
  package var isSeen = true
  /// True if the picture is cropped around a face, so that it may fill tiles of any shape.
  package var isFramed = false
  /// True if the item has a reserved strip of the canvas; see ``ReservedPlace``.
  package var isKept = false
  /// The time range of the item's track; `nil` if unknown. Only `regions` reads it.
  public var presence: TimeRange?

  /// Creates an item, by default a camera of which nothing but its number is known.
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

  /// The identifier of the overflow tile.
  public static let overflowID = -1

  /// Creates the item for the overflow tile that stands for `count` participants.
  static func overflow(count: Int) -> LayoutItem {
    LayoutItem(id: overflowID, kind: .overflow(count: count))
  }

  /// The aspect ratio used for planning: the known one, otherwise 16:9.
  package var plannedAspectRatio: Double { aspectRatio ?? 16.0 / 9.0 }
}
