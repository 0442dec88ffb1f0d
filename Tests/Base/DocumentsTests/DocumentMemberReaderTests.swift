import TesseraDocuments
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct DocumentMemberReaderTests {
  private enum Kind: String, CaseIterable {
    case camera
    case screen
  }

  private static func cursor(_ text: String) throws -> DocumentMemberReader {
    try DocumentMemberReader(.read(text), file: "s.json", kind: "a session file")
  }

  @Test func membersAreReadWithTheirTypes() throws {
    var cursor = try Self.cursor(
      #"""
      {"t": "x", "n": 1.5, "i": 3, "b": "off", "at": 0.040, "clock": "1:02.5", "o": {"a": null},
       "l": [{"k": "camera"}], "s": ["a"], "w": [1, 2], "id": 7, "z": null}
      """#)
    #expect(try cursor.text("t") == "x")
    #expect(try cursor.number("n", in: 0...2) == 1.5)
    #expect(try cursor.integer("i", in: 0...3) == 3)
    #expect(try cursor.bool("b") == false)
    #expect(try cursor.time("at") == MediaTime(nanoseconds: 40_000_000))
    #expect(try cursor.time("clock") == MediaTime(nanoseconds: 62_500_000_000))
    #expect(try cursor.object("o")?.keys == [])
    var items = try #require(try cursor.objects("l"))
    #expect(try items[0].choice("k") == Kind.camera)
    #expect(try cursor.texts("s") == ["a"])
    #expect(try cursor.integers("w", in: 1...2) == [1, 2])
    #expect(try cursor.identifier("id") == "7")
    #expect(try cursor.text("z") == nil)
    try cursor.finish()
  }

  @Test func errorsNameThePath() throws {
    var cursor = try Self.cursor(#"{"l": [{}, {"start": "x", "kind": "camara", "stat": 1}]}"#)
    var item = try #require(try cursor.objects("l"))[1]
    #expect(
      message { _ = try item.time("start") }
        == #"s.json: "l[1].start" must be a time: seconds, or text such as "1:02.5"."#)
    #expect(
      message { _ = try item.choice("kind", of: Kind.self) }
        == #"s.json: "l[1].kind" must be one of camera, screen: did you mean "camera"?"#)
    #expect(
      message { try item.finish() }
        == #"s.json: "l[1].stat" is not a key of a session file: did you mean "start"?"#)
    #expect(
      message { _ = try item.required(try item.text("file"), "file") }
        == #"s.json: "l[1].file" is missing: add "file: …" there."#)
    #expect(message { _ = try item.number("no", in: 0...1) } == nil)
  }

  @Test func otherValuesThanObjectsAreRefused() {
    #expect(
      message { _ = try Self.cursor("[1]") }
        == "s.json cannot be read: it is not an object with keys.")
  }

  @Test func veryLongNamesGetNoSuggestions() {
    let long = String(repeating: "a", count: 100_000)
    #expect(long.nearest(among: [long, "a"]) == nil)
    #expect("spekaer".nearest(among: ["grid", "speaker", long]) == "speaker")
  }

  @Test func transpositionsAndTheFirstLetterCount() {
    #expect("knid".nearest(among: ["id", "file", "stream", "kind", "start"]) == "kind")
    #expect("girds".nearest(among: ["best-fit", "grid", "pip"]) == "grid")
    #expect("rendr".nearest(among: ["segment", "preview", "render"]) == "render")
    #expect("fost".nearest(among: ["cost", "host", "fast"]) == "fast")
    // Two letters that both differ give no suggestion.
    #expect("xy".nearest(among: ["id"]) == nil)
  }
}
