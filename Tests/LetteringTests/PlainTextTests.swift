import Testing

@testable import TesseraLettering

@Suite struct PlainTextTests {
  @Test(arguments: [
    ("Ada Lovelace", "Ada Lovelace"), ("  Ada \t\r\n Lovelace \u{0}", "Ada Lovelace"),
    ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"), ("", ""), (" \n\t", ""),
    ("<b>&amp;%{pts}'\"", "<b>&amp;%{pts}'\""), ("\u{202e}gnp.live\u{202c}", "gnp.live"),
    ("\u{2067}עמר\u{2069}", "עמר"), ("soft\u{ad}hyphen\u{feff}", "softhyphen"),
    ("👩🏽‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👩🏽‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿"), ("རྒྱ་མཚོ", "རྒྱ་མཚོ"),
  ])
  func linesArePlain(text: String, line: String) { #expect(PlainText.line(text) == line) }

  @Test func marksDoNotPileUp() {
    let marks = String(repeating: "\u{0301}", count: 400)
    #expect(PlainText.line("e" + marks).unicodeScalars.count == 5)
    #expect(PlainText.line(marks).unicodeScalars.count == 4)
  }

  @Test func longTextEndsInAnEllipsis() {
    let line = PlainText.line(String(repeating: "x", count: 1_000_000))
    #expect(line.count == PlainText.longestLine + 1)
    #expect(line.hasSuffix("\u{2026}"))
  }

  @Test func linesWithoutTextAreLeftOut() {
    #expect(PlainText.lines("a\r\n\n  \n b \n") == ["a", "b"])
  }
}

@Suite struct InitialsTests {
  @Test(arguments: [
    ("John", "J"), ("John Doe", "JD"), ("John Van Doe", "JD"), ("John  Doe", "JD"),
    ("", ""), ("   ", ""), ("john doe", "JD"), ("žofie příliš", "ŽP"), ("(Ada) Lovelace", "AL"),
    ("山田 太郎", "山太"), ("王小明", "王"), ("김민준", "김"), ("Мария Склодовская", "МС"),
    ("👩🏽‍🚀", "👩🏽‍🚀"), ("🇩🇪 Team", "🇩🇪T"), ("Ada 🎉", "A🎉"), ("e\u{0301}mile zola", "ÉZ"),
    ("- ?", "-?"), ("user 42", "U4"), ("रवीन्द्रनाथ ठाकुर", "रठा"),
    ("عمر الخيّام", "ع\u{200c}ا"), ("ßa b", "SSB"),
  ])
  func firstLettersOfFirstAndLastWord(name: String, initials: String) {
    #expect(Initials.of(name) == initials)
  }
}
