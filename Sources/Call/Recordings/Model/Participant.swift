/// A person or device in a call. A person who returns after a break is the same participant.
public struct Participant: Hashable, Sendable, Codable, Identifiable {
  /// The identifier, unique in the recording and never empty.
  public var id: String
  /// The name that is displayed.
  public var name: String
  /// The source of ``name`` in words, unless the recorder states the name: `its folder`.
  package var nameSource: String?
  /// True for the participant from whose point of view the call is shown.
  public var isLocal: Bool
  /// False for a participant who is only heard: no tile, no card and no name is drawn.
  public var hasTile = true
  /// The path of an image that is shown when there is no picture.
  public var avatar: String?
  /// The participant's tracks, in order of start. Where two of one kind overlap, the later one
  /// counts.
  public var tracks: [Track]

  /// The identifier and the name of the participant whose track is a mix of everyone.
  static let (mixID, mixName) = ("everyone", "Everyone")
  /// True for a mix of everyone. Its name is not worth displaying.
  package var isMix: Bool { id == Self.mixID && name == Self.mixName }

  /// Creates a participant called `name`, or called by its identifier if `name` is `nil`.
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
