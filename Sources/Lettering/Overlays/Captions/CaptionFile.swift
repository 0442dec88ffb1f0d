internal import TesseraTimeline

/// Reads captions: WebVTT (W3C) and SubRip, distinguished by what is in them.
///
/// As browsers do (WebVTT, section 6.1), a block that is wrong is left out and the others are read.
public struct CaptionFile: Sendable {
  /// The most bytes that a file may have.
  public static let maximumSize = 16 << 20
  /// The most cues that a file may have.
  public static let maximumCues = 20_000
  /// The most lines of a cue; what follows is left out.
  private static let maximumLines = 16
  /// The most notes.
  private static let maximumNotes = 10

  /// The cues in the order of their times.
  public private(set) var cues: [CaptionCue] = []
  /// What is left out and why, a sentence each.
  public private(set) var notes: [String] = []
  /// How many cues are left out.
  private var leftOut = 0

  /// Reads the file `name` whose content is `bytes`.
  ///
  /// - Throws: where it is not captions, or there is too much of it.
  public init(_ bytes: [UInt8], name: String) throws(CaptionFileError) {
    func error(_ reason: CaptionFileError.Reason) -> CaptionFileError {
      CaptionFileError(name: name, reason: reason)
    }
    guard bytes.count <= Self.maximumSize else { throw error(.tooLarge) }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else { throw error(.notUTF8) }
    let isWebVTT = text.hasPrefix("WEBVTT")
    guard isWebVTT || text.contains("-->") || text.allSatisfy(\.isWhitespace) else {
      throw error(.notCaptions)
    }
    var blocks = CaptionBlocks(text, isWebVTT: isWebVTT)
    while let block = blocks.next() {
      guard cues.count < Self.maximumCues else { throw error(.tooManyCues) }
      take(block, of: name)
    }
    if cues.isEmpty, leftOut == 0 { notes.append("\(name) holds no captions; none are shown.") }
    if leftOut > Self.maximumNotes {
      notes.append("\(leftOut - Self.maximumNotes) more captions of \(name) are left out.")
    }
    cues = cues.enumerated().sorted {
      ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
    }.map(\.element)
  }

  private mutating func take(_ block: CaptionBlocks.Block, of name: String) {
    guard block.hasArrow else {
      return leaveOut(
        "the text at line \(block.line) of \(name) is left out: it has no times, such as "
          + "00:00:01.000 --> 00:00:04.000, before it.")
    }
    guard let (from, to) = CaptionMarkup.times(block.first) else {
      return leaveOut(
        "the caption at line \(block.line) of \(name) is left out: \"\(block.first.prefix(60))\" should "
          + "be times such as 00:00:01.000 --> 00:00:04.000.")
    }
    guard to >= from else {
      return leaveOut(
        "the caption at line \(block.line) of \(name) is left out: it ends before it begins.")
    }
    let lines = block.text.lazy.map(CaptionMarkup.plain).filter { !$0.isEmpty }
      .prefix(Self.maximumLines)
    // Recorders write captions without any length; they show nothing.
    guard to > from, !lines.isEmpty else { return }
    cues.append(CaptionCue(from: from, to: to, lines: Array(lines)))
  }

  private mutating func leaveOut(_ note: String) {
    leftOut += 1
    if leftOut <= Self.maximumNotes { notes.append(note) }
  }
}
