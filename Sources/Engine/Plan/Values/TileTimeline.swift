package import TesseraLayout

/// The contents and decorations of one tile over time.
///
/// A slot is neither a participant nor a track: a participant has one slot for the camera and one
/// for each shared screen, and a slot's pictures may come from many tracks or from none.
package struct TileTimeline: Hashable, Sendable, Codable, Identifiable {
  /// The purpose of a slot.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// A participant's camera.
    case camera
    /// A participant's shared screen.
    case screen
    /// The tile "+3", which stands for all participants without a tile of their own.
    case overflow
  }

  /// The content of a tile.
  package enum Content: Hashable, Sendable, Codable {
    /// Nothing: the tile is transparent.
    case nothing
    /// Pictures of a track.
    case track(TrackID)
    case card(Card)
    /// An image, by its path.
    case still(String)

    /// True for pictures and images, false for cards.
    package var isPicture: Bool {
      switch self {
      case .track, .still: true
      case .nothing, .card: false
      }
    }
  }

  /// Drawings over a tile's content.
  package struct Decorations: Hashable, Sendable, Codable {
    /// The name on the plate; empty for no plate.
    package var name = ""
    /// True if the microphone is off.
    package var isMuted = false
    /// True if the participant speaks.
    package var isSpeaking = false
    /// True for the plate of a shared screen.
    package var isScreen = false
    /// Opacity of the plate, 0...255.
    package var plateOpacity: UInt8 = 255

    /// Creates decorations without name and badges.
    package init() {}
  }

  package let id: SlotID
  /// The participant whom the slot shows; nil for the overflow slot.
  package let participant: ParticipantID?
  package let kind: Kind
  /// The content over time. A change between picture and card fades over
  /// ``OutputFormat/contentFade`` frames.
  package var contents = ValueTimeline<Content>()
  /// The drawings over the content, over time.
  package var decorations = ValueTimeline<Decorations>()
  /// The part of the picture that cropping preserves, over time; unspecified before the first
  /// change.
  package var framing = ValueTimeline<Framing>()
  /// The frames in which the layout places the slot, in ascending order.
  package var presence: [Range<Int>] = []

  package init(id: SlotID, participant: ParticipantID?, kind: Kind) {
    (self.id, self.participant, self.kind) = (id, participant, kind)
  }

  /// True if the layout places the slot in `frame` and in the frame before it. Other changes of
  /// content do not fade.
  package func isPresent(around frame: Int) -> Bool {
    presence.contains { $0.contains(frame) && $0.contains(frame - 1) }
  }
}

extension TileTimeline {
  /// A tile without a picture.
  package enum Card: Hashable, Sendable, Codable {
    /// A participant whose camera is off or who has none.
    case person(ParticipantID)
    /// A participant whose recording cannot be shown.
    case loss(ParticipantID)
    /// Several participants without tiles of their own.
    case several([ParticipantID])
  }
}
