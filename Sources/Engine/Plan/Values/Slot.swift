package import TesseraLayout

/// What one tile can show: its content and its decorations over time.
///
/// A slot is not a person – someone has one for the camera and one for each screen – and not a
/// track: what it shows may come from many, or from none.
package struct Slot: Hashable, Sendable, Codable, Identifiable {
  /// What a slot is for.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// A person.
    case camera
    /// What somebody shares.
    case screen
    /// Everyone whose own slot has no place.
    case overflow
  }

  /// What a tile shows.
  package enum Content: Hashable, Sendable, Codable {
    /// Nothing: what is under the tile shows.
    case nothing
    /// The pictures of a track.
    case track(TrackID)
    /// A card.
    case card(Card)
    /// An image, by its path.
    case still(String)

    /// Whether it is more than a card.
    package var isPicture: Bool {
      switch self {
      case .track, .still: true
      case .nothing, .card: false
      }
    }
  }

  /// What is drawn over the content.
  package struct Decorations: Hashable, Sendable, Codable {
    /// The name on the plate; empty where there is none.
    package var name = ""
    /// Whether the microphone is off.
    package var isMuted = false
    /// Whether the person speaks.
    package var isSpeaking = false
    /// Whether it shows a shared screen.
    package var isScreen = false
    /// How much of the plate is seen, 0...255.
    package var plateOpacity: UInt8 = 255

    /// No decorations.
    package init() {}
  }

  /// The number by which the layout knows it.
  package let id: SlotID
  /// Whose it is; nil for the overflow slot.
  package let participant: ParticipantID?
  /// What it is for.
  package let kind: Kind
  /// What it shows; a change takes as long as ``OutputFormat/contentFade``.
  package var contents = Changes<Content>()
  /// What is drawn over it.
  package var decorations = Changes<Decorations>()
  /// What of its pictures cropping keeps in sight; nothing in particular before the first change.
  package var framing = Changes<Framing>()
  /// The frames in which the layout has to place it, in ascending order.
  package var presence: [Range<Int>] = []

  /// An empty slot.
  package init(id: SlotID, participant: ParticipantID?, kind: Kind) {
    (self.id, self.participant, self.kind) = (id, participant, kind)
  }

  /// Whether it is placed in `frame` and in the one before: only then a change fades.
  package func isPresent(around frame: Int) -> Bool {
    presence.contains { $0.contains(frame) && $0.contains(frame - 1) }
  }
}

extension Slot {
  /// A tile without a picture: it stands for somebody or something.
  package enum Card: Hashable, Sendable, Codable {
    /// Somebody whose camera is off or who has none.
    case person(ParticipantID)
    /// Somebody whose recording cannot be shown.
    case loss(ParticipantID)
    /// Several people who have no tile of their own.
    case several([ParticipantID])
  }
}
