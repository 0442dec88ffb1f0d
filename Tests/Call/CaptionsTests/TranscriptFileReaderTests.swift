import TesseraMessages
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCaptions

/// Transcripts of meeting services and speech recognizers.
@Suite(.timed) struct TranscriptFileReaderTests {
  private func lines(_ text: String) throws -> [String] {
    try TranscriptFileReader(Array(text.utf8), name: "t").transcript.lines.map { line in
      "\(line.from)-\(line.to) \(line.speaker ?? "-"): \(line.text)"
    }
  }

  @Test func teams() throws {
    let text = """
      WEBVTT

      a7939eec-6426-b7bd-c586-66ccb1a4abbc/32-0
      00:00:09.835 --> 00:00:13.995
      <v Ada Lovelace>Hello &amp; welcome: all
      of you.</v>

      a7939eec-6426-b7bd-c586-66ccb1a4abbc/60-0
      00:00:14.435 --> 00:00:18.275
      <v O&apos;Brien, Ben (Guest)>Hi.</v>

      00:00:19.000 --> 00:00:20.000
      <v.loud Ada Lovelace>Now</v> <v Ben>or never</v>
      """
    #expect(
      try lines(text) == [
        "9.835-13.995 Ada Lovelace: Hello & welcome: all of you.",
        "14.435-18.275 O'Brien, Ben (Guest): Hi.",
        "19.000-20.000 Ada Lovelace: Now", "19.000-20.000 Ben: or never",
      ])
  }

  @Test func zoom() throws {
    let text = """
      WEBVTT

      1
      00:00:05.790 --> 00:00:13.514
      Ada Lovelace: One thing: it works.

      2
      00:00:13.520 --> 00:00:14.000
      Dr. Ben O'Neill: Yes.

      3
      00:00:14.000 --> 00:00:15.000
      and nobody's words
      """
    #expect(
      try lines(text) == [
        "5.790-13.514 Ada Lovelace: One thing: it works.",
        "13.520-14.000 Dr. Ben O'Neill: Yes.", "14.000-15.000 -: and nobody's words",
      ])
  }

  /// A colon marks a speaker only if many lines have one.
  @Test func aSingleColonIsNoSpeaker() throws {
    let text =
      "1\n00:00:01,000 --> 00:00:02,000\nNote: it works\n\n"
      + "2\n00:00:02,000 --> 00:00:03,500\nat 10:30\n\n3\n00:00:04,000 --> 00:00:05,000\nyes\n"
    #expect(
      try lines(text) == [
        "1.000-2.000 -: Note: it works", "2.000-3.500 -: at 10:30", "4.000-5.000 -: yes",
      ])
  }

  @Test func subRipOfSeveralSpeakers() throws {
    let text =
      "1\r\n00:00:01,000 --> 00:00:02,000\r\n[SPEAKER_00]: Hello\r\n\r\n"
      + "2\r\n00:00:02,000 --> 00:00:02,000\r\n[SPEAKER_01]: Hi\r\n"
    #expect(
      try lines(text) == ["1.000-2.000 SPEAKER_00: Hello", "2.000-2.500 SPEAKER_01: Hi"])
  }

  @Test func whisper() throws {
    let text = """
      {"text": " Welcome to it. Yes.", "language": "en", "segments": [
        {"id": 0, "seek": 0, "start": 1.22, "end": 7.98, "text": " Welcome to it.", "tokens": [50364],
         "temperature": 0.0, "avg_logprob": -0.30, "no_speech_prob": 0.07,
         "words": [{"word": " Welcome", "start": 1.22, "end": 1.84, "probability": 0.7}]},
        {"id": 1, "start": 7.98, "end": 7.98, "text": " Yes."},
        {"id": 2, "start": 8, "end": 9, "text": "  "}]}
      """
    #expect(try lines(text) == ["1.220-7.980 -: Welcome to it.", "7.980-8.480 -: Yes."])
  }

  @Test func whisperX() throws {
    let text = """
      {"segments": [
        {"start": 819.734, "end": 820.755, "text": "Avec un voisin.", "speaker": "SPEAKER_01",
         "words": [{"word": "Avec", "start": 819.734, "end": 820.294, "score": 0.54}]},
        {"start": 0.031, "end": 0.9, "text": " Bonjour", "words": []}],
       "word_segments": []}
      """
    #expect(
      try lines(text) == [
        "0.031-0.900 -: Bonjour", "819.734-820.755 SPEAKER_01: Avec un voisin.",
      ])
  }

  @Test func whisperCppAndVoskAndPlainLists() throws {
    let whisperCpp = """
      {"systeminfo": "AVX", "transcription": [
        {"timestamps": {"from": "00:00:00,000", "to": "00:00:06,120"},
         "offsets": {"from": 0, "to": 6120}, "text": " Good morning."}]}
      """
    #expect(try lines(whisperCpp) == ["0.000-6.120 -: Good morning."])
    let vosk = """
      {"result": [{"conf": 1.0, "start": 1.5, "end": 1.75, "word": "good"},
        {"conf": 0.9, "start": 1.75, "end": 2.25, "word": "morning"}], "text": "good morning"}
      """
    #expect(try lines(vosk) == ["1.500-2.250 -: good morning"])
    #expect(try lines("[\(vosk)]") == ["1.500-2.250 -: good morning"])
    #expect(try lines(#"[{"start": 1e0, "end": 2, "text": "x"}]"#) == ["1.000-2.000 -: x"])
  }

  @Test(arguments: [
    ("", "t has no words."),
    (#"{"segments": [{"text": "a"}]}"#, "segment 1 of t is left out: it has no \"start\" and"),
    (#"{"segments": [{"text": "a", "start": -1, "end": 2}]}"#, "segment 1 of t is left out"),
    (#"{"segments": [{"text": "a", "start": 3, "end": 2}]}"#, "segment 1 of t is left out"),
    (#"{"segments": [{"text": "a", "start": 1e300, "end": 2e300}]}"#, "segment 1 of t is left out"),
    ("WEBVTT\n\n00:02.000 --> 00:01.000\nx\n", "the caption at line 3 of t is left out"),
  ])
  func skippedSegmentsAreNoted(text: String, note: String) throws {
    let file = try TranscriptFileReader(Array(text.utf8), name: "t")
    #expect(file.transcript.lines.isEmpty && file.notes.count == 1)
    #expect(file.notes[0].commandLine.hasPrefix(note), "\(file.notes)")
  }

  @Test(arguments: [
    ("words", "t is not a transcript that can be read: give WebVTT"),
    ("{}", "t is not a transcript that can be read: it has no \"segments\""),
    ("{\"segments\": ", "t cannot be read: it is not JSON"),
    ("\u{0}", "t is not a transcript that can be read: give WebVTT"),
  ])
  func otherFilesAreRefused(text: String, sentence: String) {
    #expect {
      try TranscriptFileReader(Array(text.utf8), name: "t")
    } throws: { error in
      "\(error)".hasPrefix(sentence) && "\(error)".hasSuffix(".")
    }
  }

  /// Long lines are truncated, and characters that could change other text are removed.
  @Test func hostileTextIsPlain() throws {
    let long = String(repeating: "<a", count: 500_000)
    let text =
      "WEBVTT\n\n00:01.000 --> 00:02.000\n<v \u{202e}Ada\u{0}>\u{202e}x\u{0}y <script>z</script>\n\n"
      + "00:03.000 --> 00:04.000\n\(long)\n"
    let transcript = try TranscriptFileReader(Array(text.utf8), name: "t").transcript
    #expect(transcript.lines[0].speaker == "Ada" && transcript.lines[0].text == "x y z")
    #expect(transcript.lines[1].text.unicodeScalars.count == TranscriptFileReader.longestLine + 1)
  }

  @Test func randomBytesGiveLinesOrAnError() {
    var generator = SplitMix64(seed: 30)
    let parts = [
      "WEBVTT\n", "\n", "00:01.000", " --> ", "00:02.000\n", "1\n", "<v ", ">", "</v>", "Ada: ",
      "{",
      "\"segments\":", "[", "]", "}", "\"start\":1", ",", "\"text\":\"", "\u{0}", "[x]: ",
    ]
    for _ in 0..<400 {
      let text = (0..<30).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      guard let file = try? TranscriptFileReader(Array(text.utf8), name: "t") else { continue }
      #expect(file.transcript.lines.allSatisfy { $0.from < $0.to && !$0.text.isEmpty })
    }
  }
}

/// The text formats of transcripts.
@Suite(.timed) struct TranscriptTextTests {
  private let transcript = Transcript([
    .init("Ben", from: MediaTime(seconds: 3661), to: MediaTime(seconds: 3662), "1. *Yes*"),
    .init("Ada <b> & C", from: MediaTime(seconds: 1), to: MediaTime(seconds: 2), "Hello"),
    .init("Ada <b> & C", from: MediaTime(seconds: 2), to: MediaTime(seconds: 3), "there --> 1 < 2"),
    .init(nil, from: MediaTime(seconds: 4), to: MediaTime(seconds: 5), "# so"),
  ])

  @Test func webVTT() throws {
    let text = transcript.webVTT
    #expect(
      text.hasPrefix(
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ada &lt;b&gt; &amp; C>Hello\n\n00:00:02.000"))
    let again = try TranscriptFileReader(Array(text.utf8), name: "t").transcript
    #expect(again == transcript)
    // A name that ends in dashes does not form an arrow with its tag.
    let dashes = Transcript([.init("Ada --", from: .zero, to: MediaTime(seconds: 1), "Hello")])
    #expect(
      try TranscriptFileReader(Array(dashes.webVTT.utf8), name: "t").transcript.lines
        == dashes.lines)
  }

  @Test func plainTextAndMarkdown() {
    #expect(
      transcript.plainText(title: "Sync")
        == "Sync\n\n[0:01] Ada <b> & C: Hello there --> 1 < 2\n\n[0:04] # so\n\n"
        + "[1:01:01] Ben: 1. *Yes*\n")
    #expect(
      transcript.markdown(title: nil)
        == "**Ada \\<b\\> \\& C** [0:01.0]\n\nHello there --\\> 1 \\< 2\n\n[0:04.0]\n\n\\# so\n\n"
        + "**Ben** [1:01:01.0]\n\n1\\. \\*Yes\\*\n")
  }

  /// Each part of a long line is shown in proportion to its letters.
  @Test func longLinesBecomeSeveralCaptions() {
    let words = (1...30).map { "word\($0)" }.joined(separator: " ")
    let line = Transcript.Line(
      "Ada", from: MediaTime(seconds: 10), to: MediaTime(seconds: 20), words)
    let cues = Transcript([line]).cues(longest: 84)
    #expect(cues.count == 3 && cues[0].from == line.from && cues[2].to == line.to)
    #expect(cues.allSatisfy { $0.lines[0].hasPrefix("Ada: ") && $0.lines[0].count <= 89 })
    #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.to == $1.from })
    #expect(cues.map { $0.lines[0].dropFirst(5) }.joined(separator: " ") == words)
    let one = Transcript.Line(
      nil, from: .zero, to: MediaTime(seconds: 1), String(repeating: "x", count: 200))
    #expect(Transcript([one]).cues().map(\.lines[0].count).reduce(0, +) == 200)
  }
}
