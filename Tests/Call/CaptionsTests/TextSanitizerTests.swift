import TestSupport
import Testing

@testable import TesseraCaptions

@Suite(.timed) struct TextSanitizerTests {
  @Test(arguments: [
    ("Ada Lovelace", "Ada Lovelace"), ("  Ada \t\r\n Lovelace \u{0}", "Ada Lovelace"),
    ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"), ("", ""), (" \n\t", ""),
    ("<b>&amp;%{pts}'\"", "<b>&amp;%{pts}'\""), ("\u{202e}gnp.live\u{202c}", "gnp.live"),
    ("\u{2067}עמר\u{2069}", "עמר"), ("soft\u{ad}hyphen\u{feff}", "softhyphen"),
    ("👩🏽‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👩🏽‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿"), ("རྒྱ་མཚོ", "རྒྱ་མཚོ"),
  ])
  func linesArePlain(text: String, line: String) { #expect(TextSanitizer.line(text) == line) }

  @Test func combiningMarksAreLimited() {
    let marks = String(repeating: "\u{0301}", count: 400)
    #expect(TextSanitizer.line("e" + marks).unicodeScalars.count == 5)
    #expect(TextSanitizer.line(marks).unicodeScalars.count == 4)
  }

  @Test func longTextEndsInAnEllipsis() {
    let line = TextSanitizer.line(String(repeating: "x", count: 1_000_000))
    #expect(line.count == TextSanitizer.longestLine + 1)
    #expect(line.hasSuffix("\u{2026}"))
  }

  @Test func linesWithoutTextAreSkipped() {
    #expect(TextSanitizer.lines("a\r\n\n  \n b \n") == ["a", "b"])
  }
}
