import TestSupport
import Testing

@testable import TesseraTimeline

@Suite("File names, and displayed text", .timed) struct UniqueFileNamerTests {
  @Test(
    "A name is valid on every file system",
    arguments: [
      ("Ada Lovelace", "Ada Lovelace"), ("Zoë 😀 (2)", "Zoë 😀 (2)"), ("a/b\\c:d", "a_b_c_d"),
      ("\u{202e}gnp.live\u{202c}", "_gnp.live_"), ("x\u{2066}y\u{2069}", "x_y_"),
      ("Ada\u{200e}", "Ada"), ("\u{200f}عدا\u{61c}", "عدا"), ("\u{200e}.hidden", "hidden"),
      ("\u{200f}", nil), ("a\u{2028}b\u{2029}c\u{85}d", "a_b_c_d"),
      ("\u{1b}[31mred\u{7f}", "_[31mred_"),
      ("..", nil), ("", nil), (". .", nil), ("...hidden", "hidden"), ("end. . ", "end"),
      ("con", "_con"), ("NUL.txt", "_NUL.txt"), ("COM1", "_COM1"), ("common", "common"),
      ("lpt9.a", "_lpt9.a"), ("what?*<>|\"", "what______"), ("\r\n", "__"),
    ])
  func names(text: String, name: String?) { #expect(text.asFileName == name) }

  @Test("A name has at most 120 bytes, and complete characters") func length() {
    #expect(String(repeating: "ü", count: 100).asFileName == String(repeating: "ü", count: 60))
    #expect((String(repeating: "a", count: 119) + ". b").asFileName?.utf8.count == 119)
  }

  @Test("Names in a folder are distinct, also without case")
  func collisions() {
    var names = UniqueFileNamer()
    let given = ["Ada", "ada", "a/b", "a:b", "..", ".", "Ada"].map {
      names.name(for: $0, else: "x")
    }
    #expect(given == ["Ada", "ada-2", "a_b", "a_b-2", "x", "x-2", "Ada-3"])
  }

  @Test("Control characters, and characters that change the text direction, are made visible")
  func shown() {
    let text = "\u{202e}gnp\u{2066} \u{1b}[2J\u{2028}\n\u{200e}ü"
    let plain = "\\u{202E}gnp\\u{2066} \\u{1B}[2J\\u{2028}"
    #expect(text.spellingOutControls() == plain + "\\n\u{200e}ü")
    #expect(text.spellingOutControls(exceptNewlines: true) == plain + "\n\u{200e}ü")
    #expect("<\u{202e}&\u{1b}".asMarkup == "&lt;\\u{202E}&amp;\\u{1B}")
  }
}
