import TesseraMessages
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCaptions

/// Changes of a transcript in a text editor.
@Suite("Edited transcripts", .timed) struct EditedTranscriptTests {
  private static func time(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// Returns a line of words of 0.5 s each, with times.
  private static func line(_ speaker: String?, _ start: Double, _ text: String) -> Transcript.Line {
    let words = text.split(separator: " ").enumerated().map { index, word in
      Transcript.Word(
        String(word), from: time(start + 0.5 * Double(index)),
        to: time(start + 0.5 * Double(index) + 0.4))
    }
    var line = Transcript.Line(
      speaker, from: time(start), to: words.last?.to ?? time(start), text)
    line.words = words
    return line
  }

  private static let call = Transcript([
    line("Ada", 0.3, "Good morning, um, everybody and so on."),
    line("Ada", 5, "We begin."),
    line("Ben *b* [x]", 8.25, "Yes. 1. I am *here* ~~now~~"),
    line(nil, 12, "- nobody knows"),
    line("Ada", 20, "Their it is then, good."),
    line("Ben *b* [x]", 30, "The end of it all"),
  ])

  /// Returns the remaining words, with struck words in brackets.
  private static func result(_ text: String, _ call: Transcript = call) throws -> [String] {
    try EditedTranscript(Array(text.utf8), name: "call.md").applied(to: call).map { line in
      line.timedWords.filter { !$0.text.isEmpty }.map { $0.isStruck ? "[\($0.text)]" : $0.text }
        .joined(separator: " ")
    }
  }

  private static var written: String { call.markdown(title: "A # call", isEditable: true) }

  @Test("A written transcript is read unchanged")
  func unchanged() throws {
    #expect(Self.written.contains("\n**Ada** [0:00.3]\n\nGood morning, um, everybody"))
    #expect(try Self.result(Self.written) == Self.call.lines.map(\.text))
    let crlf = Self.written.replacing("\n", with: "\r\n")
    #expect(try Self.result(crlf) == Self.call.lines.map(\.text))
  }

  @Test("Deleted and struck words are cut")
  func struck() throws {
    let text = Self.written.replacing("um, ", with: "").replacing("so on.", with: "~~so on.~~")
      .replacing("We begin.", with: "~~We~~ begin.")
    #expect(
      try Self.result(text)[0...1] == [
        "Good morning, [um,] everybody and [so] [on.]", "[We] begin.",
      ])
    // Struck words are written as struck, and read again.
    var edited = Self.call
    edited.lines = try EditedTranscript(Array(text.utf8), name: "call.md").applied(to: Self.call)
    let again = edited.markdown(title: nil, isEditable: true)
    #expect(again.contains("~~um,~~ everybody and ~~so on. We~~ begin."), "\(again)")
    #expect(try Self.result(again) == Self.result(text))
  }

  @Test("A deleted paragraph, or one struck with its heading, is cut")
  func paragraphs() throws {
    let heading = "**Ada** [0:20.0]\n\nTheir it is then, good."
    let cut = "[Their] [it] [is] [then,] [good.]"
    #expect(try Self.result(Self.written.replacing(heading, with: ""))[4] == cut)
    #expect(try Self.result(Self.written.replacing(heading, with: "~~\(heading)~~"))[4] == cut)
  }

  @Test(
    "Another spelling changes captions without cuts",
    arguments: [
      ("Their it is", "There it is", "There it is then, good."),
      ("Their it is", "THEIR, it is!", "THEIR, it is! then, good."),
      ("then, good.", "then: very good indeed.", "Their it is then: very good indeed."),
      ("it is then", "itis then", "Their itis then, good."),
      ("Their it is", "It is", "[Their] It is then, good."),
      ("then, good.", "thne, goood.", "Their it is thne, goood."),
      ("Their it is", "Th~~eir~~ it is", "Th it is then, good."),
    ])
  func spelling(_ old: String, _ new: String, _ result: String) throws {
    #expect(try Self.result(Self.written.replacing(old, with: new))[4] == result)
  }

  @Test("Lines may be wrapped and joined by editors")
  func wrapping() throws {
    let text = Self.written.replacing("everybody and so on.", with: "everybody\nand so\non.")
      .replacing("\n\nGood", with: "\nGood").replacing("[0:00.3]", with: "\\[0:00.3\\]")
    #expect(try Self.result(text) == Self.call.lines.map(\.text))
  }

  @Test(
    "Invalid edits are errors",
    arguments: [
      ("**Ada** [0:20.0]", "**Ada** [0:21.0]", "has no paragraph Ada [0:21.0]"),
      ("**Ada** [0:20.0]\n\n", "", "whose heading is missing"),
      ("# A", "Words", "line 1: words precede"),
      ("<!-- transcript", "<!-- a transcript", "name no call"),
      ("<!-- transcript ", "<!-- transcript 0", "of another call"),
      ("<!-- transcript ", "<!-- transcript 0", "give the same --transcript"),
    ])
  func sentences(_ old: String, _ new: String, _ sentence: String) throws {
    let error = #expect(throws: TranscriptError.self) {
      try Self.result(Self.written.replacing(old, with: new))
    }
    #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
  }

  @Test(
    "Scripts without spaces are written without spaces, and struck by letters",
    arguments: [
      ("", "今天天气很好。我们用 Swift"), ("天气", "今天很好。我们用 Swift"),
      ("气很", "今天天好。我们用 Swift"), ("Swift", "今天天气很好。我们用"),
    ])
  func dense(_ struck: String, _ left: String) throws {
    var timed = Transcript.Line(
      "Ada", from: .zero, to: Self.time(4), "今天天气很好。我们用 Swift")
    timed.words = ["今天", "天气", "很", "好。", "我们", "用", "Swift"].enumerated().map {
      Transcript.Word(
        $1, from: Self.time(0.5 * Double($0)), to: Self.time(0.5 * Double($0) + 0.4))
    }
    var plain = timed
    plain.words = []
    for line in [timed, plain] {
      let call = Transcript([line])
      let text = call.markdown(title: nil, isEditable: true)
      #expect(text.contains("\n今天天气很好。我们用 Swift\n"), "\(text)")
      for replacement in struck.isEmpty ? [""] : ["", "~~\(struck)~~"] {
        let edited = struck.isEmpty ? text : text.replacing(struck, with: replacement)
        let lines = try EditedTranscript(Array(edited.utf8), name: "c").applied(to: call)
        let words = lines[0].editableWords
        #expect(words.filter { !$0.isStruck }.map(\.text).joinedWords == left, "\(words)")
        #expect(words.map(\.from) == line.editableWords.map(\.from))
        #expect(struck.isEmpty == (lines[0] == line))
      }
    }
  }

  @Test("A long line without spaces is not cut", arguments: ["あ", "x"])
  func longLine(_ letter: String) throws {
    let text = String(repeating: letter, count: 520)
    let call = Transcript([Transcript.Line("Ada", from: .zero, to: Self.time(60), text)])
    #expect(try Self.result(call.markdown(title: nil, isEditable: true), call) == [text])
  }

  @Test(
    "Numbers in brackets are words",
    arguments: ["[12]", "\\[12\\]", "[0:12]", "**[0:12]**"])
  func brackets(_ text: String) throws {
    let words = ["12", "0:12"].first { text.contains($0) } ?? ""
    let call = Transcript([Self.line("Ada", 1, "see [\(words)] there")])
    let edited = call.markdown(title: nil, isEditable: true)
      .replacing("see \\[\(words)\\] there", with: "see\n\(text)\nthere")
    let result = try Self.result(edited, call)
    #expect(result.count == 1 && result[0].contains(words) && !result[0].contains("[see"))
  }

  @Test("A moved paragraph is refused with both lines")
  func moved() throws {
    let paragraph = "**Ada** [0:20.0]\n\nTheir it is then, good.\n\n"
    let text = Self.written.replacing(paragraph, with: "")
      .replacing("**Ada** [0:00.3]", with: "\(paragraph)**Ada** [0:00.3]")
    let error = #expect(throws: TranscriptError.self) { try Self.result(text) }
    #expect(
      error?.description.contains(
        "line 7: the paragraph Ada [0:00.3] is placed after that of line 3")
        == true, "\(String(describing: error))")
  }

  @Test("Equal words at other times belong to another call; struck words do not matter")
  func identity() {
    var other = Self.call
    other.lines[2].from = Self.time(8.45)
    #expect(other.identity != Self.call.identity)
    other = Self.call
    other.lines[2].words[0].isStruck = true
    #expect(other.identity == Self.call.identity)
  }

  @Test("Random text never crashes, and untouched words are not cut")
  func hostile() throws {
    let pieces = [
      "~~", "**", "[0:01]", "\\", "\n", "<!--", "-->", "# ", "a", " ", "\u{301}", "é", "]",
    ]
    var state: UInt64 = 7
    for _ in 0..<400 {
      var text = ""
      for _ in 0..<40 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      _ = try? Self.result("\(text)\n\(EditedTranscript.mark)\(Self.call.identity) -->\n")
      // Words after the last paragraph belong to that paragraph.
      let lines = try? Self.result(Self.written + text)
      if let lines { #expect(Array(lines[..<5]) == Self.call.lines[..<5].map(\.text)) }
    }
  }
}

/// Word times in the formats of recognizers.
@Suite("Times of words", .timed) struct RecognizerWordsTests {
  private static func words(_ json: String) throws -> [String] {
    try TranscriptFileReader(Array(json.utf8), name: "t").transcript.lines.flatMap { line in
      line.words.map { "\($0.text) \($0.from)-\($0.to)" }
    }
  }

  @Test func whisper() throws {
    let json = """
      {"segments": [{"start": 1.0, "end": 2.0, "text": " Good day.", "words": [
        {"word": " Good", "start": 1.1, "end": 1.4}, {"word": " day.", "start": 1.5, "end": 1.9}]}]}
      """
    #expect(try Self.words(json) == ["Good 1.100-1.400", "day. 1.500-1.900"])
  }

  /// WhisperX omits the times of words that it cannot align.
  @Test func withoutTimes() throws {
    let json = """
      {"segments": [{"start": 1.0, "end": 3.0, "text": "in 1984 then 12", "words": [
        {"word": "in", "start": 1.0, "end": 1.2}, {"word": "1984"},
        {"word": "then", "start": 2.2, "end": 2.4}, {"word": "12"}]}]}
      """
    #expect(
      try Self.words(json) == [
        "in 1.000-1.200", "1984 1.200-2.200", "then 2.200-2.400", "12 2.400-3.000",
      ])
  }

  @Test func whisperCppTokens() throws {
    let json = """
      {"transcription": [{"offsets": {"from": 0, "to": 2000}, "text": " Good morning.", "tokens": [
        {"text": "[_BEG_]", "offsets": {"from": 0, "to": 0}},
        {"text": " Good", "offsets": {"from": 100, "to": 500}},
        {"text": " mor", "offsets": {"from": 600, "to": 800}},
        {"text": "ning", "offsets": {"from": 800, "to": 1100}},
        {"text": ".", "offsets": {"from": 1100, "to": 1200}}]}]}
      """
    #expect(try Self.words(json) == ["Good 0.100-0.500", "morning. 0.600-1.200"])
  }

  @Test func vosk() throws {
    let json = """
      {"text": "good day", "result": [{"word": "good", "start": 0.5, "end": 0.9, "conf": 1},
        {"word": "day", "start": 1.0, "end": 1.3, "conf": 1}]}
      """
    #expect(try Self.words(json) == ["good 0.500-0.900", "day 1.000-1.300"])
  }

  /// Word lists of other texts, and empty ones, are ignored; written transcripts can be read.
  @Test func roundTrip() throws {
    let other = """
      {"segments": [{"start": 1, "end": 2, "text": "one two", "words": [
        {"word": "three", "start": 1, "end": 2}]}, {"start": 3, "end": 4, "text": "x"}]}
      """
    #expect(try Self.words(other).isEmpty)
    let json = """
      {"segments": [{"start": 1, "end": 2, "text": "one two", "words": [
        {"word": "one", "start": 1, "end": 1.5}, {"word": "two", "start": 1.5, "end": 2}]}]}
      """
    let first = try TranscriptFileReader(Array(json.utf8), name: "t").transcript
    #expect(try TranscriptFileReader(Array(first.json.utf8), name: "t").transcript == first)
  }

  /// Words are inside their line and in order, whatever a file states.
  @Test func brokenTimes() throws {
    let json = """
      {"segments": [{"start": 1, "end": 2, "text": "a b c", "words": [
        {"word": "a", "start": 5, "end": 6}, {"word": "b", "start": 0, "end": 0.5},
        {"word": "c", "start": 1.5, "end": 1.2}]}]}
      """
    let words = try TranscriptFileReader(Array(json.utf8), name: "t").transcript.lines[0].words
    #expect(words.map(\.text) == ["a", "b", "c"])
    #expect(words.allSatisfy { $0.from <= $0.to && $0.to <= MediaTime(seconds: 2) })
    #expect(zip(words, words.dropFirst()).allSatisfy { $0.to <= $1.from })
  }
}
