import TesseraDocuments
import TestSupport
import Testing

@Suite(.timed) struct JSONTests {
  @Test(arguments: [
    #"{}"#, #"[]"#, #"null"#, #"[true,false,null]"#, #""a""#, #"{"b":1,"a":[{"c":-0.50e+2}]}"#,
    #"{"":"","é😀":"\"\\\n"}"#, #"[18446744073709551616,0.1]"#,
  ])
  func readTextIsWrittenBack(text: String) throws {
    #expect(try DocumentValue.read(text).json() == text)
    #expect(try DocumentValue.read(DocumentValue.read(text).json(isIndented: true)) == .read(text))
  }

  @Test(arguments: [
    (#""\u0041\u00e9\ud83d\ude00\/\b""#, "Aé😀/\u{8}"), (#""\ud83d""#, "\u{fffd}"),
    (#""\ud83dx\ude00""#, "\u{fffd}x\u{fffd}"), (#""\ud83d\u0041""#, "\u{fffd}A"),
  ])
  func escapesAreRead(text: String, value: String) throws {
    #expect(try DocumentValue.read(text) == .text(value))
  }

  @Test(arguments: [
    ("", "it ends too early"), ("{", "it ends too early"), (#"{"a" 1"#, "a colon is expected"),
    (#"{"a":1 "b":2}"#, "a comma is expected"), ("[1,]", "a value is expected"),
    ("[01]", "a number begins with 0"), ("[1.]", "a digit is expected"), ("[-]", "a digit"),
    ("[+1]", "a value"), ("[NaN]", "a value"), ("[.5]", "a value"), ("nul", "a value"),
    (#"["\x"]"#, "unknown escape"), ("[\"\n\"]", "a control character"), ("1 2", "more follows"),
    (#"{"a":1,"a":2}"#, "the key \"a\" occurs twice"), ("// a\n1", "a value is expected"),
    (#"{a:1}"#, "a key in quotes is expected"), ("[1e]", "a digit is expected"),
    (#"["\ud83"#, "it ends too early"), (#"{"a""#, "it ends too early"),
  ])
  func invalidJSONIsRefused(text: String, part: String) throws {
    let said = try #require(message { _ = try DocumentValue.read(text) })
    let place = text.contains("\n") ? "line" : "column"
    #expect(said.hasPrefix("a file cannot be read: it is not JSON: in \(place) "))
    #expect(said.contains(part) && said.hasSuffix("."))
  }

  @Test func commentsAndTrailingCommasAreAccepted() throws {
    let text = "/* a */ { // b\n \"a\" : [ 1 , 2, ] /**/, } // c"
    #expect(try DocumentValue.read(text, .jsonc).json() == #"{"a":[1,2]}"#)
    for wrong in ["[,]", "[1,,]", "{,}", "/* a", "[1] /", "[1 / 2]"] {
      #expect(message { _ = try DocumentValue.read(wrong, .jsonc) } != nil)
    }
  }

  @Test func byteOrderMarksAreSkipped() throws {
    #expect(try DocumentValue.read("\u{feff}[1]") == .read("[1]"))
  }

  @Test func sizeDepthAndCountAreBounded() throws {
    let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    #expect(
      message { _ = try DocumentValue.read(deep) }
        == "a file cannot be read: it is nested more than 64 deep.")
    #expect(message { _ = try DocumentValue.read(String(deep.dropFirst().dropLast())) } == nil)
    #expect(
      message { _ = try DocumentValue.read(String(repeating: "[", count: 1_000_000)) } != nil)
    let large = [UInt8](repeating: 0x20, count: DocumentValue.maximumSize + 1)
    #expect(
      message { _ = try DocumentValue(large, .json, file: "a file") }
        == "a file cannot be read: it is larger than the limit of 16 MB.")
    let many = "[" + String(repeating: "1,", count: DocumentValue.maximumCount) + "1]"
    #expect(
      message { _ = try DocumentValue.read(many) }
        == "a file cannot be read: it holds more than 2000000 values.")
  }

  @Test func wrongBytesAreRefused() {
    #expect(
      message { _ = try DocumentValue([0x22, 0xff, 0x22], .json, file: "a file") }?
        .contains("text is not UTF-8") == true)
  }
}
