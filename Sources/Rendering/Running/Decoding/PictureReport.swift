public import TesseraMedia

/// What pictures came to.
public struct PictureReport: Hashable, Sendable, Codable {
  /// Frames that came out of the decoder.
  public var decoded = 0
  /// Pictures that were shown in at least one frame.
  public var shown = 0
  /// What was lost while reading.
  public var losses: [MediaLoss] = []
  /// Why reading could not begin; nil where it did.
  public var failure: String?

  /// Whether nothing was lost.
  public var isWhole: Bool { failure == nil && losses.isEmpty }

  /// Nothing decoded yet.
  public init() {}

  /// What both came to.
  static func + (a: PictureReport, b: PictureReport) -> PictureReport {
    var sum = a
    sum.decoded += b.decoded
    sum.shown += b.shown
    sum.losses = a.losses.merged(with: b.losses)
    sum.failure = a.failure ?? b.failure
    return sum
  }
}
