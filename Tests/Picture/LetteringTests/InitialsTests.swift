import TestSupport
import Testing

@testable import TesseraLettering

@Suite(.timed) struct InitialsTests {
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
