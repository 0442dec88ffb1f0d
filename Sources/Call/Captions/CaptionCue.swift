package import TesseraTimeline

/// What is said at some time, as a caption file has it.
package struct CaptionCue: Hashable, Sendable, Codable {
  /// When it is first shown.
  package var from: MediaTime
  /// When it is not shown any more; after ``from``.
  package var to: MediaTime
  /// The text, in lines, without markup.
  package var lines: [String]

  /// `lines` from `from` to `to`.
  package init(from: MediaTime, to: MediaTime, lines: [String]) {
    (self.from, self.to, self.lines) = (from, to, lines)
  }
}

/// Why a caption file cannot be used: one sentence with the line and what to do.
package struct CaptionFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: Error, Hashable, Sendable {
    /// More bytes than captions have.
    case tooLarge
    /// The bytes are not UTF-8.
    case notUTF8
    /// The text is neither WebVTT nor SubRip.
    case notCaptions
    /// More cues than captions have.
    case tooManyCues
  }

  /// The file's name.
  package let name: String
  /// What is wrong with it.
  package let reason: Reason

  package var description: String {
    switch reason {
    case .tooLarge:
      "\(name) has more than \(CaptionFile.maximumSize >> 20) MB, which no captions have."
    case .notUTF8:
      "\(name) is not UTF-8 text; save it as UTF-8."
    case .notCaptions:
      "\(name) holds no captions: it is neither WebVTT, which begins with the line \"WEBVTT\", nor "
        + "SubRip, which has times such as 00:00:01,000 --> 00:00:04,000; name a .vtt or .srt file."
    case .tooManyCues:
      "\(name) has more than \(CaptionFile.maximumCues) captions; shorten it."
    }
  }
}
