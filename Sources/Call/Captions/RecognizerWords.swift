internal import TesseraDocuments
internal import TesseraTimeline

/// The words of a segment in a speech recognizer's JSON.
///
/// Reads `words` of Whisper and WhisperX, `result` of Vosk, and `tokens` of whisper.cpp, which are
/// parts of words.
struct RecognizerWords {
  private typealias Time = (from: MediaTime, to: MediaTime)
  /// The texts with their time ranges; `nil` for an unknown time.
  private var found: [(text: String, time: Time?)] = []

  /// Reads the words of `segment`.
  init(_ segment: DocumentValue) {
    if let words = segment["words"]?.list ?? segment["result"]?.list {
      for word in words.prefix(TranscriptFileReader.longestLine) {
        let text = word["word"]?.text ?? word["text"]?.text ?? word["punctuated_word"]?.text ?? ""
        add(text, word["start"], word["end"], .seconds)
      }
    } else {
      for token in (segment["tokens"]?.list ?? []).prefix(TranscriptFileReader.longestLine) {
        let (text, offsets) = (token["text"]?.text ?? "", token["offsets"])
        // Special tokens such as [_BEG_] and [_TT_50].
        guard !text.hasPrefix("[_"), !text.isEmpty else { continue }
        if !text.hasPrefix(" "), !found.isEmpty {
          found[found.count - 1].text += TextSanitizer.line(
            text, longest: TranscriptFileReader.longestLine)
          if let end = offsets?["to"]?.numeral?.time(.milliseconds) {
            found[found.count - 1].time?.to = end
          }
        } else {
          add(text, offsets?["from"], offsets?["to"], .milliseconds)
        }
      }
    }
  }

  private mutating func add(
    _ text: String, _ from: DocumentValue?, _ to: DocumentValue?, _ unit: DecimalLiteral.TimeUnit
  ) {
    let text = TextSanitizer.line(text, longest: TranscriptFileReader.longestLine)
    guard !text.isEmpty else { return }
    guard let from = from?.numeral?.time(unit), let to = to?.numeral?.time(unit), to >= from else {
      found.append((text, nil))
      return
    }
    found.append((text, (from, to)))
  }

  /// Returns the words clamped to the times of `line` and in order; empty if they do not match its
  /// text.
  ///
  /// Words without a time share the time between their neighbors.
  func words(of line: Transcript.Line) -> [Transcript.Word] {
    let texts = line.text.split(separator: " ").map(String.init)
    // Some files spell words differently in `words` and in the text. An equal number of words is
    // accepted as a match.
    let isSame = texts.joined() == found.map(\.text).joined().filter { $0 != " " }
    guard !found.isEmpty, found.contains(where: { $0.time != nil }),
      isSame || texts.count == found.count
    else { return [] }
    let spelled = texts.count == found.count ? texts : found.map(\.text)
    var (words, open, last) = ([Transcript.Word](), [String](), line.from)
    func fill(upTo time: MediaTime) {
      words += Transcript.Word.spread(open, last, max(last, time))
      open = []
    }
    for (text, time) in zip(spelled, found.map(\.time)) {
      guard let time else {
        open.append(text)
        continue
      }
      let start = min(max(time.from, last), line.to)
      fill(upTo: start)
      let end = min(max(time.to, start), line.to)
      words.append(Transcript.Word(text, from: start, to: end))
      last = end
    }
    fill(upTo: line.to)
    return words
  }
}
