internal import TesseraTimeline

/// Reads captions: WebVTT (W3C) and SubRip, distinguished by what is in them.
public enum CaptionFile {
  /// The most bytes that a file may have.
  public static let maximumSize = 16 << 20
  /// The most cues that a file may have.
  public static let maximumCues = 20_000
  /// The most lines of a cue; what follows is left out.
  private static let maximumLines = 16

  /// The cues in the file `name` whose content is `bytes`, in the order of their times.
  public static func cues(_ bytes: [UInt8], name: String) throws(CaptionFileError) -> [CaptionCue] {
    func error(_ reason: CaptionFileError.Reason) -> CaptionFileError {
      CaptionFileError(name: name, reason: reason)
    }
    guard bytes.count <= maximumSize else { throw error(.tooLarge) }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else { throw error(.notUTF8) }
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    var reader = Reader(lines: lines, isWebVTT: text.hasPrefix("WEBVTT"))
    var cues: [CaptionCue] = []
    do throws(CaptionFileError.Reason) {
      while let cue = try reader.next() {
        guard cues.count < maximumCues else { throw .tooManyCues }
        if !cue.lines.isEmpty { cues.append(cue) }
      }
    } catch {
      throw CaptionFileError(name: name, reason: error)
    }
    guard !cues.isEmpty else { throw error(.noCues) }
    return cues.enumerated().sorted {
      ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
    }.map(\.element)
  }

  /// Goes through the lines, block by block.
  private struct Reader {
    let lines: [Substring]
    let isWebVTT: Bool
    var index = 0

    /// The next cue; nil at the end.
    mutating func next() throws(CaptionFileError.Reason) -> CaptionCue? {
      if index == 0, isWebVTT { skipBlock() }
      while index < lines.count {
        guard !CaptionMarkup.isBlank(lines[index]) else {
          index += 1
          continue
        }
        if isWebVTT, CaptionMarkup.isAside(lines[index]) {
          skipBlock()
          continue
        }
        return try cue()
      }
      return nil
    }

    /// The cue that begins here: perhaps a number or name, then times, then text.
    private mutating func cue() throws(CaptionFileError.Reason) -> CaptionCue {
      if !lines[index].contains("-->"), index + 1 < lines.count,
        lines[index + 1].contains("-->")
      {
        index += 1
      }
      let line = index + 1
      guard let (from, to) = CaptionMarkup.times(lines[index]) else {
        throw .invalidTimes(line: line, text: String(lines[index].prefix(60)))
      }
      // Recorders write captions without any length; they show nothing.
      guard to >= from else { throw .endsBeforeStart(line: line) }
      index += 1
      var text: [String] = []
      while index < lines.count, !CaptionMarkup.isBlank(lines[index]) {
        let plain = CaptionMarkup.plain(lines[index])
        if !plain.isEmpty, text.count < CaptionFile.maximumLines { text.append(plain) }
        index += 1
      }
      return CaptionCue(from: from, to: to, lines: to > from ? text : [])
    }

    private mutating func skipBlock() {
      while index < lines.count, !CaptionMarkup.isBlank(lines[index]) { index += 1 }
    }
  }
}
