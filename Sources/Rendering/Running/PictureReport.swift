import TesseraMedia

/// What one participant's pictures came to.
public struct PictureReport: Hashable, Sendable, Codable {
  /// Frames that came out of the decoder.
  public var decoded = 0
  /// Pictures that were shown in at least one frame.
  public var shown = 0
  /// Packets that could not be decoded.
  public var undecodablePackets = 0
  /// Pictures of which the decoder had to make up parts.
  public var damagedPictures = 0
  /// What was lost, a sentence each.
  public var losses: [String] = []

  /// Nothing decoded yet.
  public init() {}

  mutating func note(_ lost: [MediaLoss]) {
    undecodablePackets = lost.undecodablePackets
    damagedPictures = lost.damagedPictures
    losses += lost.map(\.description)
  }
}
