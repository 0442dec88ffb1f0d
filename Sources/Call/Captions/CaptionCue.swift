package import TesseraMessages
package import TesseraTimeline

/// A cue of a caption file: text with the time range in which it is shown.
package struct CaptionCue: Hashable, Sendable, Codable {
  /// The time at which the cue appears.
  package var from: MediaTime
  /// The time at which the cue disappears, after ``from``.
  package var to: MediaTime
  /// The lines of text, without markup.
  package var lines: [String]

  package init(from: MediaTime, to: MediaTime, lines: [String]) {
    (self.from, self.to, self.lines) = (from, to, lines)
  }
}

/// The reason why a caption file cannot be used, as one sentence with the remedy.
package struct CaptionFileError: Error, Hashable, Sendable, MessageConvertible,
  CustomStringConvertible
{
  /// The kinds of problems with a caption file.
  package enum Reason: Error, Hashable, Sendable {
    /// The file exceeds ``CaptionFileReader/maximumSize``.
    case tooLarge
    /// The bytes are not UTF-8.
    case notUTF8
    /// The text is neither WebVTT nor SubRip.
    case notCaptions
    /// The file has more than ``CaptionFileReader/maximumCues`` cues.
    case tooManyCues
  }

  /// The file's name.
  package let name: String
  package let reason: Reason

  package var sentence: UserMessage {
    switch reason {
    case .tooLarge:
      "\(file: name) has more than \(CaptionFileReader.maximumSize >> 20) MB, which no captions have."
    case .notUTF8:
      "\(file: name) is not UTF-8 text; save it as UTF-8."
    case .notCaptions:
      "\(file: name) has no captions: it is neither WebVTT, which begins with the line \"WEBVTT\", nor "
        + "SubRip, which has times such as 00:00:01,000 --> 00:00:04,000; name a .vtt or .srt file."
    case .tooManyCues:
      "\(file: name) has more than \(CaptionFileReader.maximumCues) captions; shorten it."
    }
  }
}
