internal import TesseraDocuments
package import TesseraMessages
internal import TesseraTimeline

/// Reads a transcript file. The content decides which format it is.
///
/// Formats: WebVTT and SubRip, in which `<v Name>` or `Name:` states the speaker, and the JSON of
/// Whisper, WhisperX, whisper.cpp and Vosk.
package struct TranscriptFileReader: Sendable {
  package static let maximumLines = 100_000
  /// The maximum length of a line in Unicode scalars; longer lines are cut.
  package static let longestLine = 20_000
  /// The duration of a line for which the file only states the start: 0.5 s.
  static let shortestLine = MediaTime(nanoseconds: 500_000_000)

  /// The transcript, with the file's own times.
  package private(set) var transcript = Transcript()
  /// One sentence for each part of the file that was skipped, with the reason.
  package private(set) var notes: [UserMessage] = []

  /// Reads the file `name` with the content `bytes`.
  ///
  /// - Throws: if the file is not a transcript or exceeds a limit.
  package init(_ bytes: [UInt8], name: String) throws(TranscriptError) {
    let first = bytes.withoutByteOrderMark.first { $0 > 0x20 }
    let lines: [Transcript.Line]
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      lines = try Self.segments(bytes, name, &notes)
    } else {
      lines = try Self.cues(bytes, name, &notes)
    }
    guard lines.count <= Self.maximumLines else {
      throw TranscriptError("\(file: name) has more than \(Self.maximumLines) lines; shorten it.")
    }
    if lines.isEmpty, notes.isEmpty { notes.append("\(file: name) has no words.") }
    transcript = Transcript(lines)
  }

  // MARK: WebVTT and SubRip

  private static func cues(
    _ bytes: [UInt8], _ name: String, _ notes: inout [UserMessage]
  ) throws(TranscriptError) -> [Transcript.Line] {
    var lines: [Transcript.Line] = []
    do throws(CaptionFileError) {
      var reader = try CueReader(bytes, name: name)
      while let cue = reader.next(), lines.count <= maximumLines {
        let text = cue.lines.joined(separator: " ")
        for span in CaptionMarkupParser.spans(text.prefix(16 * longestLine)) {
          let plain = CaptionMarkupParser.plain(span.text, longest: longestLine)
          guard !plain.isEmpty else { continue }
          let voice = span.voice.flatMap { $0.isEmpty ? nil : $0 }
          let to = cue.to > cue.from ? cue.to : cue.from + shortestLine
          lines.append(Transcript.Line(voice, from: cue.from, to: to, plain))
        }
      }
      notes = reader.notes
    } catch {
      guard error.reason == .notCaptions else { throw TranscriptError("\(error)") }
      throw TranscriptError(
        "\(file: name) is not a transcript that can be read: give WebVTT, SubRip, or the JSON of Whisper, "
          + "WhisperX, whisper.cpp or Vosk.")
    }
    nameSpeakers(&lines)
    return lines
  }

  /// Moves names out of lines such as `Ada: Good morning`, if most lines without a speaker have
  /// that form. Otherwise a colon is just a colon.
  private static func nameSpeakers(_ lines: inout [Transcript.Line]) {
    let open = lines.indices.filter { lines[$0].speaker == nil }
    let named = open.compactMap { index in
      spoken(lines[index].text).map { (index: index, name: $0.name, text: $0.text) }
    }
    guard named.count * 2 > open.count else { return }
    for line in named {
      (lines[line.index].speaker, lines[line.index].text) = (line.name, line.text)
    }
    lines.removeAll(where: \.text.isEmpty)
  }

  private static let longestName = 80

  /// Returns the name and the text of `Ada Lovelace: Good morning` or `[Ada]: Good morning`; `nil`
  /// for other text.
  private static func spoken(_ text: String) -> (name: String, text: String)? {
    guard let colon = text.prefix(longestName).firstIndex(of: ":") else { return nil }
    let rest = text[colon...].dropFirst()
    guard rest.isEmpty || rest.first == " " else { return nil }
    var name = text[..<colon]
    if name.first == "[", name.last == "]" { name = name.dropFirst().dropLast() }
    let isName =
      name.first.map { $0.isLetter || $0.isNumber } == true
      && name.split(separator: " ").count <= 6 && !name.contains { "?!;\"".contains($0) }
    return isName ? (String(name), String(rest.drop(while: \.isWhitespace))) : nil
  }

  // MARK: JSON

  private static func segments(
    _ bytes: [UInt8], _ name: String, _ notes: inout [UserMessage]
  ) throws(TranscriptError) -> [Transcript.Line] {
    let document: DocumentValue
    do throws(DocumentError) {
      document = try DocumentValue(bytes, .json, file: name)
    } catch {
      throw TranscriptError("\(error)")
    }
    guard
      let segments = document["segments"]?.list ?? document["transcription"]?.list ?? document.list
        ?? (document["result"] == nil ? nil : [document])
    else {
      throw TranscriptError(
        "\(file: name) is not a transcript that can be read: it has no \"segments\", as the JSON of Whisper and "
          + "WhisperX has, and no \"transcription\", as that of whisper.cpp has.")
    }
    var omissions = CappedMessageList()
    let lines = segments.enumerated().compactMap { index, segment -> Transcript.Line? in
      let text = TextSanitizer.line(segment["text"]?.text ?? "", longest: longestLine)
      guard !text.isEmpty else { return nil }
      guard let (from, to) = times(segment), from >= .zero, to >= from else {
        omissions.add(
          "segment \(index + 1) of \(file: name) is left out: it has no \"start\" and no \"end\" after it."
        )
        return nil
      }
      let speaker = segment["speaker"]?.text.map { TextSanitizer.line($0) }
      var line = Transcript.Line(
        speaker.flatMap { $0.isEmpty ? nil : $0 }, from: from,
        to: to > from ? to : from + shortestLine, text)
      line.words = RecognizerWords(segment).words(of: line)
      return line
    }
    notes = omissions.sentences("segments of \(file: name)")
    return lines
  }

  /// Returns the time range of a segment: in seconds, in whisper.cpp's milliseconds, or from its
  /// first word to its last.
  private static func times(_ segment: DocumentValue) -> (from: MediaTime, to: MediaTime)? {
    func time(_ value: DocumentValue?, _ unit: DecimalLiteral.TimeUnit = .seconds) -> MediaTime? {
      value?.numeral?.time(unit)
    }
    let (words, offsets) = (segment["result"]?.list, segment["offsets"])
    let from =
      time(segment["start"]) ?? time(offsets?["from"], .milliseconds)
      ?? time(words?.first?["start"])
    let to =
      time(segment["end"]) ?? time(offsets?["to"], .milliseconds) ?? time(words?.last?["end"])
    guard let from, let to, to <= MediaTime(seconds: 366 * 86_400) else { return nil }
    return (from, to)
  }
}

/// The reason why a transcript cannot be used, as one sentence with the remedy.
package struct TranscriptError: Error, Hashable, Sendable, MessageConvertible,
  CustomStringConvertible
{
  package let sentence: UserMessage

  init(_ sentence: UserMessage) { self.sentence = sentence }
}
