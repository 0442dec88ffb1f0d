internal import TesseraTimeline

/// Reads captions: WebVTT and SubRip.
package struct CaptionFile: Sendable {
  /// The most bytes that a file may have.
  package static let maximumSize = 16 << 20
  /// The most cues that a file may have.
  package static let maximumCues = 20_000
  /// The most lines of a cue; what follows is left out.
  private static let maximumLines = 16

  /// The cues in the order of their times.
  package private(set) var cues: [CaptionCue] = []
  /// What is left out and why, a sentence each.
  package private(set) var notes: [String] = []

  /// Reads the file `name` whose content is `bytes`.
  ///
  /// - Throws: where it is not captions, or there is too much of it.
  package init(_ bytes: [UInt8], name: String) throws(CaptionFileError) {
    var reader = try CueReader(bytes, name: name)
    while let cue = reader.next() {
      guard cues.count < Self.maximumCues else {
        throw CaptionFileError(name: name, reason: .tooManyCues)
      }
      let lines = cue.lines.lazy.map { CaptionMarkup.plain($0) }.filter { !$0.isEmpty }
        .prefix(Self.maximumLines)
      // Recorders write captions without any length; they show nothing.
      guard cue.to > cue.from, !lines.isEmpty else { continue }
      cues.append(CaptionCue(from: cue.from, to: cue.to, lines: Array(lines)))
    }
    notes = reader.notes
    if cues.isEmpty, !reader.hasLeftOut {
      notes.append("\(name) holds no captions; none are shown.")
    }
    cues = cues.enumerated().sorted {
      ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
    }.map(\.element)
  }
}
