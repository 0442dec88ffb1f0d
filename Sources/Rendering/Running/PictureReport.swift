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

  mutating func note(_ lost: StreamLosses) {
    undecodablePackets = lost.undecodablePackets
    damagedPictures = lost.damagedPictures
    let why = lost.firstError.map { " (\($0))" } ?? ""
    if lost.stoppedEarly { losses.append("reading its pictures stopped before the end\(why).") }
    if lost.undecodablePackets > 0 {
      losses.append("\(lost.undecodablePackets) of its picture packets cannot be decoded\(why).")
    }
    if lost.damagedPictures > 0 {
      losses.append("\(lost.damagedPictures) of its pictures are damaged.")
    }
  }

  /// Notes pictures that are not shown, because their times lie before those of pictures that came
  /// earlier.
  mutating func noteLate(_ count: Int) {
    guard count > 0 else { return }
    losses.append(
      "\(count) of its pictures are not shown, because their times go back behind earlier ones.")
  }
}
