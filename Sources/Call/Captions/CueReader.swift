internal import TesseraTimeline

/// Reads the cues of WebVTT (W3C) and SubRip as they are written; what is in a file says which it
/// is.
///
/// As browsers do (WebVTT, section 6.1), a block that is wrong is left out and the others are read.
struct CueReader {
  /// A cue with its lines as they are written.
  struct Cue {
    var from: MediaTime
    var to: MediaTime
    var lines: ArraySlice<Substring>
  }

  private let name: String
  private var blocks: CaptionBlocks
  private var omissions = Omissions()

  /// What is left out and why, a sentence each.
  var notes: [String] { omissions.sentences("captions of \(name)") }
  /// Whether something was left out so far.
  var hasLeftOut: Bool { omissions.count > 0 }

  /// Reads the file `name` whose content is `bytes`.
  ///
  /// - Throws: where it is not captions, or there is too much of it.
  init(_ bytes: [UInt8], name: String) throws(CaptionFileError) {
    func error(_ reason: CaptionFileError.Reason) -> CaptionFileError {
      CaptionFileError(name: name, reason: reason)
    }
    self.name = name
    guard bytes.count <= CaptionFile.maximumSize else { throw error(.tooLarge) }
    guard let text = String(file: bytes) else { throw error(.notUTF8) }
    let isWebVTT = text.hasPrefix("WEBVTT")
    guard isWebVTT || text.contains("-->") || text.allSatisfy(\.isWhitespace) else {
      throw error(.notCaptions)
    }
    blocks = CaptionBlocks(text, isWebVTT: isWebVTT)
  }

  /// The next cue; nil at the end.
  mutating func next() -> Cue? {
    while let block = blocks.next() {
      if let cue = cue(block) { return cue }
    }
    return nil
  }

  private mutating func cue(_ block: CaptionBlocks.Block) -> Cue? {
    guard block.hasArrow else {
      omissions.add(
        "the text at line \(block.line) of \(name) is left out: it has no times, such as "
          + "00:00:01.000 --> 00:00:04.000, before it.")
      return nil
    }
    guard let (from, to) = CaptionMarkup.times(block.first) else {
      omissions.add(
        "the caption at line \(block.line) of \(name) is left out: \"\(block.first.prefix(60))\" should "
          + "be times such as 00:00:01.000 --> 00:00:04.000.")
      return nil
    }
    guard to >= from else {
      omissions.add(
        "the caption at line \(block.line) of \(name) is left out: it ends before it begins.")
      return nil
    }
    return Cue(from: from, to: to, lines: block.text)
  }
}

/// What is left out of a file: the first few sentences, and how many there would be.
struct Omissions {
  private(set) var count = 0
  private var first: [String] = []

  private static let most = 10

  mutating func add(_ sentence: String) {
    count += 1
    if count <= Self.most { first.append(sentence) }
  }

  /// The sentences, with one for those that are too many.
  func sentences(_ what: String) -> [String] {
    count > Self.most ? first + ["\(count - Self.most) more \(what) are left out."] : first
  }
}
