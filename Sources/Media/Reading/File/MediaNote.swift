public import TesseraTimeline

/// Something that is worth knowing of a recording, but no loss.
public enum MediaNote: Hashable, Sendable, Codable {
  /// A stream is neither pictures nor sound.
  case ignored(Int, codec: String)
  /// A stream is declared, but has no data.
  case withoutData(Int, codec: String)
  /// Its own clock says that it begins then.
  case startsAt(ExactTime)
}

extension MediaNote: CustomStringConvertible {
  /// The note as the end of a sentence that begins with the file's name.
  public var description: String {
    switch self {
    case .ignored(let stream, let codec):
      "stream \(stream) (\(codec)) is neither pictures nor sound."
    case .withoutData(let stream, let codec):
      "stream \(stream) (\(codec)) is declared, but without data."
    case .startsAt(let time):
      "by its own clock it begins at \(time.rounded.clockWithTenths); it is placed at the beginning, "
        + "which --align container changes."
    }
  }
}
