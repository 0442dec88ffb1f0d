import TesseraMessages
internal import TesseraTimeline

/// Reads raw cues of WebVTT (W3C) and SubRip. The content decides which format it is.
///
/// As in browsers (WebVTT, section 6.1), an invalid block is skipped and the others are read.
struct CueReader {
  /// A cue with its raw lines, including markup.
  struct RawCue {
    var from: MediaTime
    var to: MediaTime
    var lines: ArraySlice<Substring>
  }

  private let name: String
  private var blocks: CaptionBlockParser
  private var omissions = CappedMessageList()

  /// One sentence for each skipped block, with the reason.
  var notes: [UserMessage] { omissions.sentences("captions of \(file: name)") }
  /// True if a block was skipped so far.
  var hasLeftOut: Bool { omissions.count > 0 }

  /// Reads the file `name` with the content `bytes`.
  ///
  /// - Throws: if the file is not captions or is too large.
  init(_ bytes: [UInt8], name: String) throws(CaptionFileError) {
    func error(_ reason: CaptionFileError.Reason) -> CaptionFileError {
      CaptionFileError(name: name, reason: reason)
    }
    self.name = name
    guard bytes.count <= CaptionFileReader.maximumSize else { throw error(.tooLarge) }
    guard let text = String(file: bytes) else { throw error(.notUTF8) }
    let isWebVTT = text.hasPrefix("WEBVTT")
    guard isWebVTT || text.contains("-->") || text.allSatisfy(\.isWhitespace) else {
      throw error(.notCaptions)
    }
    blocks = CaptionBlockParser(text, isWebVTT: isWebVTT)
  }

  /// Reads the next valid cue; `nil` at the end.
  mutating func next() -> RawCue? {
    while let block = blocks.next() {
      if let cue = cue(block) { return cue }
    }
    return nil
  }

  private mutating func cue(_ block: CaptionBlockParser.Block) -> RawCue? {
    guard block.hasArrow else {
      omissions.add(
        "the text at line \(block.line) of \(file: name) is left out: it has no times, such as "
          + "00:00:01.000 --> 00:00:04.000, before it.")
      return nil
    }
    guard let (from, to) = CaptionMarkupParser.times(block.first) else {
      omissions.add(
        "the caption at line \(block.line) of \(file: name) is left out: \"\(block.first.prefix(60))\" should "
          + "be times such as 00:00:01.000 --> 00:00:04.000.")
      return nil
    }
    guard to >= from else {
      omissions.add(
        "the caption at line \(block.line) of \(file: name) is left out: it ends before it begins.")
      return nil
    }
    return RawCue(from: from, to: to, lines: block.text)
  }
}

/// The first 10 messages about skipped parts of a file, and the total number.
struct CappedMessageList {
  private(set) var count = 0
  private var first: [UserMessage] = []

  private static let most = 10

  mutating func add(_ sentence: UserMessage) {
    count += 1
    if count <= Self.most { first.append(sentence) }
  }

  /// Returns the messages, with a final one that counts the `what` beyond the first 10.
  func sentences(_ what: UserMessage) -> [UserMessage] {
    count > Self.most ? first + ["\(count - Self.most) more \(what) are left out."] : first
  }
}
