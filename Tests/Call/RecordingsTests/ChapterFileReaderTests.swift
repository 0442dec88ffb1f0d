import TesseraDocuments
import TesseraMessages
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraRecordings

@Suite("Chapter files", .timed) struct ChapterFileReaderTests {
  private func marks(_ text: String) throws -> [String] {
    try ChapterFileReader(Array(text.utf8), name: "chapters.txt").marks.map {
      "\($0.time.seconds) \($0.title)"
    }
  }

  @Test("Handwritten lines, in any order")
  func lines() throws {
    let text =
      "\u{FEFF}# of the call\r\n1:02:03 - The end\r\n\r\n0:00 Hello, and welcome  \n[12:30] Questions: all"
    #expect(
      try marks(text) == ["0.0 Hello, and welcome", "750.0 Questions: all", "3723.0 The end"])
  }

  @Test("FFmpeg's metadata")
  func metadata() throws {
    let text = """
      ;FFMETADATA1
      title=Call
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=5000
      title=One \\= two
      [CHAPTER]
      START=5000000000
      END=9000000000
      """
    #expect(try marks(text) == ["0.0 One = two", "5.0 Chapter 2"])
  }

  @Test(
    "Invalid chapters are errors",
    arguments: [
      ("", "has no chapters"), ("Hello", "cannot be read: it has no chapter in line 1"),
      ("0:00 A\n0:10", "has no chapter in line 2"), ("0:05 A\n0:05 B", "two chapters at 0:05"),
      (";FFMETADATA1\n[CHAPTER]\ntitle=x", "without a START"),
      ((0..<300).map { "\($0) x" }.joined(separator: "\n"), "has 300 chapters"),
    ])
  func refusals(_ text: String, _ words: String) {
    let error = #expect(throws: DocumentError.self) { try marks(text) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(words))
  }

  @Test("Chapters after the end of the call are noted")
  func late() throws {
    let marks = try ChapterFileReader(
      Array("0:12 A\n0:24 B\n9:00.5 Far".utf8), name: "chapters.txt"
    ).marks
    func note(_ seconds: Int) -> String? {
      marks.noteOnChapters(after: MediaTime(seconds: seconds))?.commandLine
    }
    #expect(
      note(24)
        == "the chapter \"B\" at 0:24 and 1 more are left out: the recordings are only 0:24 long.")
    #expect(note(25)?.hasPrefix("the chapter \"Far\" at 9:00.5 is left out") == true)
    #expect(note(600) == nil)
  }

  @Test("A session file has its own chapters")
  func session() throws {
    let text = """
      version: 1
      participants: [{ id: ada }]
      chapters: [{ at: 0:12, title: Two }, { at: 0, title: One }]
      """
    let recording = try SessionFile.recording(from: text, file: "session.yaml")
    #expect(recording.chapters.map(\.title) == ["One", "Two"])
    let again = try SessionFile.recording(from: SessionFile.text(recording), file: "again.yaml")
    #expect(again.chapters == recording.chapters)
  }
}
