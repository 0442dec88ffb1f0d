import TesseraMessages
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCaptions

@Suite(.timed) struct CaptionFileReaderTests {
  private func cues(_ text: String) throws(CaptionFileError) -> [CaptionCue] {
    try CaptionFileReader(Array(text.utf8), name: "c.vtt").cues
  }

  private func time(_ milliseconds: Int64) -> MediaTime {
    MediaTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func webVTT() throws {
    let cues = try cues(
      """
      \u{feff}WEBVTT - a title
      X-TIMESTAMP-MAP=LOCAL:00:00:00.000

      STYLE
      ::cue { color: red }

      NOTE a comment
      over lines

      first
      00:01.000 --> 00:02.500 align:start line:0
      <v Ada>Hello &amp; <b>good</b> morning
      Second line

      01:00:00.000 --> 01:00:01.000
      a < b and c > d

      """)
    #expect(
      cues == [
        CaptionCue(
          from: time(1000), to: time(2500), lines: ["Hello & good morning", "Second line"]),
        CaptionCue(from: time(3_600_000), to: time(3_601_000), lines: ["a < b and c > d"]),
      ])
  }

  @Test func subRip() throws {
    let cues = try cues(
      "2\r\n00:00:05,000 --> 00:00:06,250\r\n{\\an8}<i>later</i>\r\n\r\n"
        + "1\r\n00:00:01,000 --> 00:00:02,000  X1:0\r\nearlier\r\n")
    #expect(cues.map(\.lines) == [["earlier"], ["later"]])
    #expect(cues.map(\.from) == [time(1000), time(5000)])
    #expect(cues.map(\.to) == [time(2000), time(6250)])
  }

  @Test func otherFilesAreRefused() {
    func fails(_ text: String, _ reason: CaptionFileError.Reason) {
      #expect(throws: CaptionFileError(name: "c.vtt", reason: reason)) { try self.cues(text) }
    }
    fails("just text\n", .notCaptions)
    #expect(throws: CaptionFileError(name: "c", reason: .notUTF8)) {
      try CaptionFileReader([0xff, 0xfe, 0x31, 0], name: "c")
    }
    let many = String(
      repeating: "00:01.000 --> 00:02.000\nx\n\n", count: CaptionFileReader.maximumCues + 1)
    fails("WEBVTT\n\n" + many, .tooManyCues)
  }

  @Test(arguments: ["", "\n", "WEBVTT", "WEBVTT\n\nNOTE nothing was said\n"])
  func emptyTranscriptsAreNoted(text: String) throws {
    let file = try CaptionFileReader(Array(text.utf8), name: "c.vtt")
    #expect(file.cues.isEmpty && file.notes == ["c.vtt has no captions; none are shown."])
  }

  /// As in the WebVTT parser, an invalid block is skipped, and the others are kept.
  @Test func invalidBlocksAreSkippedWithANote() throws {
    let text = """
      WEBVTT
      Region: id=fred width=40%

      STYLE
      ::cue { color: red }

      .x { }

      first
      00:01.000 --> 00:02.000
      one
      00:02.000 --> 00:03.000
      two

      bad --> times
      lost

      00:05.000 --> 00:04.000
      back

      00:06.000 -> 00:07.000
      arrow

      00:08.000 --> 00:09.000
      last
      """
    let file = try CaptionFileReader(Array(text.utf8), name: "c.vtt")
    #expect(file.cues.map(\.lines) == [["one"], ["two"], ["last"]])
    let start = "the caption at line"
    let times = "times such as 00:00:01.000 --> 00:00:04.000."
    #expect(
      file.notes == [
        "the text at line 7 of c.vtt is left out: it has no times, such as "
          + "00:00:01.000 --> 00:00:04.000, before it.",
        "\(start) 15 of c.vtt is left out: \"bad --> times\" should be \(times)",
        "\(start) 18 of c.vtt is left out: it ends before it begins.",
        "the text at line 21 of c.vtt is left out: it has no times, such as "
          + "00:00:01.000 --> 00:00:04.000, before it.",
      ])
  }

  @Test func subRipWithoutEmptyLinesAndWithArrows() throws {
    let cues = try cues(
      "1\n00:00:01,000 --> 00:00:02,000\na --> b\n2\n00:00:03,000 --> 00:00:04,000\n42\n\n")
    #expect(cues.map(\.lines) == [["a --> b"], ["42"]])
  }

  @Test func randomBytesGiveCuesOrAnError() {
    var generator = SplitMix64(seed: 4)
    let parts = [
      "WEBVTT\n", "\n", "00:01.000", " --> ", "00:02.000\n", "1\n", "<b", ">", "&amp", "{\\", "}",
      "text", "\u{0}", "NOTE", "STYLE\n", "99999999999999999999:00:00", "-",
    ]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        parts.randomElement(using: &generator) ?? ""
      }.joined()
      do throws(CaptionFileError) {
        for cue in try cues(text) {
          #expect(cue.to > cue.from && !cue.lines.isEmpty)
        }
      } catch {
        #expect(error.description.hasSuffix("."))
      }
    }
  }
}
