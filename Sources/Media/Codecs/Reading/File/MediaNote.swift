package import TesseraTimeline

/// Something that is worth knowing of a recording, but no loss.
package enum MediaNote: Hashable, Sendable, Codable {
  /// A stream is neither pictures nor sound.
  case ignored(Int, codec: String)
  /// A stream is declared, but has no data.
  case withoutData(Int, codec: String)
  /// Its own clock says that it begins then.
  case startsAt(ExactTime)
  /// A playlist does not say that it is whole; so many segments follow those that it names.
  case openEnded(unnamed: Int)
  /// The times of a stream leap so often, and so far at most, as only a broken clock's do.
  case brokenClock(Int, codec: String, leaps: Int, longest: MediaTime)
}

extension MediaNote: CustomStringConvertible {
  /// The note as the end of a sentence that begins with the file's name.
  package var description: String {
    switch self {
    case .ignored(let stream, let codec):
      "stream \(stream) (\(codec)) is neither pictures nor sound."
    case .withoutData(let stream, let codec):
      "stream \(stream) (\(codec)) is declared, but without data."
    case .startsAt(let time):
      "by its own clock it begins at \(time.rounded.clockWithTenths); it is placed at the beginning, "
        + "which --align container changes."
    case .openEnded(let count):
      "its playlist has no end: its recorder still writes to it, or has died."
        + (count > 0 ? " \(count) more segments that are there are read." : "")
    case .brokenClock(let stream, let codec, let leaps, let longest):
      "the times of stream \(stream) (\(codec)) leap "
        + (leaps == 1 ? "by " : "\(leaps) times, by up to ") + longest.clockWithTenths
        + ", which is longer than all that was recorded: its clock is broken, and what follows is "
        + "placed right after what came before."
    }
  }
}
