/// How loud a mix is to be.
public enum LoudnessTarget: Hashable, Sendable, Codable {
  /// As loud as the recordings are.
  case off
  /// That many LUFS.
  case loudness(Double)

  /// Where conversation is listened to: -16 LUFS.
  public static let speech = LoudnessTarget.loudness(-16)
  /// EBU R 128: -23 LUFS.
  public static let broadcast = LoudnessTarget.loudness(-23)
  /// Where music plays beside it: -14 LUFS.
  public static let web = LoudnessTarget.loudness(-14)
  /// What can be asked for.
  package static let range = -40.0 ... -8.0

  /// The words that ``init(_:)`` reads.
  package static let names = ["off", "speech", "broadcast", "web"]

  /// Reads `off`, `speech`, `broadcast`, `web` or a number of LUFS in ``range``; nil for anything
  /// else.
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
