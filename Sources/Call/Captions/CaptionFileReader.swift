package import TesseraMessages
internal import TesseraTimeline

/// Reads a caption file in WebVTT or SubRip.
package struct CaptionFileReader: Sendable {
  /// The maximum size of a file in bytes.
  package static let maximumSize = 16 << 20
  package static let maximumCues = 20_000
  /// The maximum number of lines of a cue; further lines are dropped.
  private static let maximumLines = 16

  /// The cues in order of time.
  package private(set) var cues: [CaptionCue] = []
  /// One sentence for each part of the file that was skipped, with the reason.
  package private(set) var notes: [UserMessage] = []

  /// Reads the file `name` with the content `bytes`.
  ///
  /// - Throws: if the file is not captions or exceeds a limit.
  package init(_ bytes: [UInt8], name: String) throws(CaptionFileError) {
    var reader = try CueReader(bytes, name: name)
    while let cue = reader.next() {
      guard cues.count < Self.maximumCues else {
        throw CaptionFileError(name: name, reason: .tooManyCues)
      }
      let lines = cue.lines.lazy.map { CaptionMarkupParser.plain($0) }.filter { !$0.isEmpty }
        .prefix(Self.maximumLines)
      // Some recorders write captions of zero length, which are never visible.
      guard cue.to > cue.from, !lines.isEmpty else { continue }
      cues.append(CaptionCue(from: cue.from, to: cue.to, lines: Array(lines)))
    }
    notes = reader.notes
    if cues.isEmpty, !reader.hasLeftOut {
      notes.append("\(file: name) has no captions; none are shown.")
    }
    cues = cues.enumerated().sorted {
      ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
    }.map(\.element)
  }
}
