package import TesseraMessages
import TesseraTimeline

/// Sentences that describe losses to users.
extension MediaLoss: MessageConvertible, CustomStringConvertible {
  /// The loss as the end of a sentence that starts with the file's name: `the file is cut off.`
  package var sentence: UserMessage {
    let pictures = kind != .audio
    let medium = pictures ? "pictures" : "sound"
    return switch cause {
    case .cutOff(let bytes):
      "the file is cut off, and lacks at least \(bytes.counted("byte"))."
    case .shrunk(let bytes):
      "the file has become shorter by \(bytes.counted("byte")) since it was looked at; "
        + "render it again when nothing writes to it."
    case .stoppedEarly(let words) where kind == nil:
      "reading it stopped before its end\(Self.aside(words))."
    case .stoppedEarly(let words):
      "reading its \(medium) stopped before the end\(Self.aside(words))."
    case .damaged(let words):
      "a part of \(kind == nil ? "it" : pictures ? "its pictures" : "its sound") is damaged"
        + "\(start.map { " from \(Self.clock($0)) to \(Self.clock(end))" } ?? "") (\(words))."
    case .undecodablePackets(let count, let words):
      "\(count) of its \(pictures ? "picture" : "sound") packets cannot be decoded"
        + "\(Self.aside(words))."
    case .damagedPictures(let count):
      "\(count) of its pictures \(count == 1 ? "is" : "are") damaged."
    case .missingPictures(let count):
      "\(count) of its pictures \(count == 1 ? "is" : "are") missing: the decoder does not return "
        + "\(count == 1 ? "it" : "them"), or only after later ones because times go back."
    case .missingParameters(let count):
      "\(count) of its pictures cannot be shown: their size or coding changed, and the recorder left "
        + "the new parameter sets out of the file; record with avc3 or hev1, which keep them."
    case .nothingDecodable(let words):
      "no \(pictures ? "picture" : "sound") of it can be decoded\(Self.aside(words))."
    case .wrongTimes(let count):
      "\(count) of its \(pictures ? "picture" : "sound") packets "
        + "\(count == 1 ? "has a wrong time and is" : "have wrong times and are")"
        + " \(pictures ? "shown" : "heard") with the previous packets."
    case .latePictures(let count):
      "\(count) of its pictures \(count == 1 ? "is" : "are") not shown, because their times go back "
        + "before earlier ones."
    case .missingKeyframe:
      "its first \(Self.seconds(start, end)) s of pictures cannot be shown, because they depend on "
        + "pictures that are not in the file."
    case .partlyDecoded(let percent):
      "only \(percent) % of its sound can be decoded; the rest is silence."
    case .missing:
      "its \(medium) from \(Self.clock(start)) to \(Self.clock(end)) \(pictures ? "are" : "is") "
        + "missing."
    case .missingSegments(let count, nil):
      "it is the end of a live stream: the playlist no longer names the \(count.counted("segment")) "
        + "before; find a playlist that names all."
    case .missingSegments(let count, let name?):
      "\(count.counted("segment")) from \(Self.clock(start)) to \(Self.clock(end)) "
        + "\(count == 1 ? "is" : "are") missing: \(file: name)\(count == 1 ? "" : " is the first")."
    case .unread(let bytes):
      "the last \(bytes.counted("byte")) of the file cannot be read."
    case .anotherRecordingFollows:
      "another recording follows the first one in the file and is not read; split it into a file of its "
        + "own."
    }
  }

  /// libav*'s message; `nil` for losses that Tessera detected itself.
  var words: String? {
    switch cause {
    case .stoppedEarly(let words), .nothingDecodable(let words): words
    case .damaged(let words): words.commandLine
    default: nil
    }
  }

  /// Formats a message as a parenthesis with a leading space; empty for `nil`.
  private static func aside(_ words: String?) -> String { words.map { " (\($0))" } ?? "" }

  private static func clock(_ time: ExactTime?) -> String {
    (time ?? .zero).rounded.clockWithTenths
  }

  /// Formats the distance in seconds, rounded down to tenths.
  private static func seconds(_ start: ExactTime?, _ end: ExactTime?) -> String {
    let distance = ((end ?? .zero) - (start ?? .zero)).rounded.nanoseconds
    return MediaTime(nanoseconds: distance / 100_000_000 *| 100_000_000).description
  }
}
