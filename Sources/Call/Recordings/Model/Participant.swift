/// Somebody, or something, that was in a call. A person who returns after a break is the same participant.
public struct Participant: Hashable, Sendable, Codable, Identifiable {
  /// What it is known by; never empty.
  public var id: String
  /// What it is called.
  public var name: String
  /// The source of ``name`` in words, if it is not the recorder: `its folder`.
  package var nameSource: String?
  /// Whether it is who sees the call.
  public var isLocal: Bool
  /// Whether it is seen; what is only heard has no tile, no card and no name.
  public var hasTile = true
  /// The path of an image for when there is no picture.
  public var avatar: String?
  /// Its recordings, in the order of their start. Where two of a kind overlap, the later one
  /// counts.
  public var tracks: [Track]

  /// The identifier and the name of a recording that holds everybody, mixed already.
  static let (mixID, mixName) = ("everyone", "Everyone")
  /// True for a recording that holds everybody: its name says nothing that a viewer would miss.
  package var isMix: Bool { id == Self.mixID && name == Self.mixName }

  /// A participant called `name`; by its identifier where that is nil.
  public init(
    id: String, name: String? = nil, isLocal: Bool = false, avatar: String? = nil,
    tracks: [Track] = []
  ) {
    self.id = id
    self.name = name ?? id
    self.isLocal = isLocal
    self.avatar = avatar
    self.tracks = tracks
  }
}
