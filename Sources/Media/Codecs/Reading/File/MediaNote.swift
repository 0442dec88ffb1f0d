package import TesseraMessages
package import TesseraTimeline

/// A remark on a recording that is not a loss.
package enum MediaNote: Hashable, Sendable, Codable {
  /// The stream with that index is neither video nor audio.
  case ignored(Int, codec: String)
  /// The stream with that index is declared but has no packets.
  case withoutData(Int, codec: String)
  /// The first timestamp of the file is not near 0.
  case startsAt(ExactTime)
  /// The playlist has no end marker. `unnamed` segments beyond the listed ones were found and read.
  case openEnded(unnamed: Int)
  /// The timestamps of the stream jump as only a broken clock's do: `leaps` times, by at most
  /// `longest`.
  case brokenClock(Int, codec: String, leaps: Int, longest: MediaTime)
}

extension MediaNote: MessageConvertible, CustomStringConvertible {
  /// The note as the end of a sentence that starts with the file's name.
  package var sentence: UserMessage {
    switch self {
    case .ignored(let stream, let codec):
      "stream \(stream) (\(codec)) is neither pictures nor sound."
    case .withoutData(let stream, let codec):
      "stream \(stream) (\(codec)) is declared, but without data."
    case .startsAt(let time):
      "by its own clock it starts at \(time.rounded.clockWithTenths); it is placed at the start of the call, "
        + "which \(option: "align") container changes."
    case .openEnded(let count):
      "its playlist has no end: the recorder is still writing, or crashed."
        + "\(count > 0 ? " \(count) further existing segments are read." : "")"
    case .brokenClock(let stream, let codec, let leaps, let longest):
      "the times of stream \(stream) (\(codec)) jump "
        + "\(leaps == 1 ? "by " : "\(leaps) times, by up to ")\(longest.clockWithTenths)"
        + ", which is longer than the whole recording: its clock is broken, and the following part is "
        + "placed right after the previous one."
    }
  }
}
