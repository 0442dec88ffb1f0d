import TesseraMedia

/// What pictures came to.
public struct PictureReport: Hashable, Sendable, Codable {
  /// Frames that came out of the decoder.
  public var decoded = 0
  /// Pictures that were shown in at least one frame.
  public var shown = 0
  /// Packets that could not be decoded.
  public var undecodablePackets = 0
  /// Pictures of which the decoder had to make up parts.
  public var damagedPictures = 0
  /// Why reading ended early, or could not begin; nil where it did neither.
  public var failure: String?
  /// What libav* said first, where something is wrong.
  public var firstError: String?
  /// Whether reading ended before the end.
  public var stoppedEarly = false

  /// Whether nothing was lost.
  public var isWhole: Bool {
    failure == nil && !stoppedEarly && undecodablePackets == 0 && damagedPictures == 0
  }

  /// Nothing decoded yet.
  public init() {}

  mutating func note(_ lost: StreamLosses) {
    undecodablePackets = lost.undecodablePackets
    damagedPictures = lost.damagedPictures
    firstError = lost.firstError
    stoppedEarly = lost.stoppedEarly
  }

  /// What both came to.
  static func + (a: PictureReport, b: PictureReport) -> PictureReport {
    var sum = a
    sum.decoded += b.decoded
    sum.shown += b.shown
    sum.undecodablePackets += b.undecodablePackets
    sum.damagedPictures += b.damagedPictures
    sum.failure = a.failure ?? b.failure
    sum.firstError = a.firstError ?? b.firstError
    sum.stoppedEarly = a.stoppedEarly || b.stoppedEarly
    return sum
  }
}
