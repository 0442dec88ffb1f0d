/// The loudness to which a mix is brought.
public enum LoudnessTarget: Hashable, Sendable, Codable {
  /// The recordings' own loudness, without leveling.
  case off
  /// A loudness in LUFS.
  case loudness(Double)

  /// The target for conversation: -16 LUFS.
  public static let speech = LoudnessTarget.loudness(-16)
  /// The target of EBU R 128 for broadcast: -23 LUFS.
  public static let broadcast = LoudnessTarget.loudness(-23)
  /// The target of music platforms: -14 LUFS.
  public static let web = LoudnessTarget.loudness(-14)
  /// The range of accepted targets, in LUFS.
  package static let range = -40.0 ... -8.0

  /// The names that ``init(_:)`` accepts.
  package static let names = ["off", "speech", "broadcast", "web"]

  /// Parses `off`, `speech`, `broadcast`, `web` or a number of LUFS in ``range``; returns `nil` for
  /// any other text.
  public init?(_ text: String) {
    switch text {
    case "off": self = .off
    case "speech": self = .speech
    case "broadcast": self = .broadcast
    case "web": self = .web
    default:
      guard let number = Double(text), Self.range.contains(number) else { return nil }
      self = .loudness(number)
    }
  }
}
