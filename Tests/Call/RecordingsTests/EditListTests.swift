import TesseraDocuments
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraRecordings

@Suite("Edit files", .timed) struct EditListTests {
  private func edits(_ text: String) throws -> EditList {
    try EditList(DocumentValue(Array(text.utf8), .yaml, file: "edits.yaml"), file: "edits.yaml")
  }

  @Test("Written edits are read back, and give the kept parts")
  func roundTrip() throws {
    let edits = try edits(
      """
      version: 1
      keep: [{ from: 0, to: 1:00 }, { from: 70 }]
      cut:
        - { from: 5, to: 6.25, reason: "a cough: loud" }
        - { to: 2 }
      """)
    #expect(edits.cut.map(\.reason) == ["a cough: loud", nil])
    #expect(try self.edits(edits.text) == edits)
    let seconds = edits.list.kept.map { [$0.start.seconds, min(999, $0.end.seconds)] }
    #expect(seconds == [[2, 5], [6.25, 60], [70, 999]])
    #expect(try self.edits("version: 1").list == .whole)
  }

  @Test(
    "Invalid edits are errors with their location",
    arguments: [
      ("cut: []", #""version" is missing"#), ("version: 2", "must be 1"),
      ("version: 1\ncuts: []", "did you mean \"cut\"?"),
      (
        "version: 1\ncut: [{ from: 5, to: 3 }]",
        #""cut[0].to" has to be after from, which is 0:05.0"#
      ),
      ("version: 1\ncut: [{ reason: x }]", #""cut[0].from" and "to" are both missing"#),
      (
        "version: 1\nkeep: [{ from: 1, to: 3 }, { from: 2 }]",
        "overlap: 1.000-3.000 and 2.000-: give"
      ),
      ("version: 1\ncut: [{ from: -1, to: 3 }]", "cut[0].from"),
    ])
  func refusals(_ text: String, _ words: String) {
    let error = #expect(throws: DocumentError.self) { try edits(text) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(error.map { "\($0)" } ?? "")")
  }

  @Test("Too many edits are refused before they are read")
  func most() {
    let parts = (0...EditList.most).map { "{\"from\": \($0), \"to\": \($0).5}" }
    let text = "{\"version\": 1, \"cut\": [\(parts.joined(separator: ", "))]}"
    let error = #expect(throws: DocumentError.self) {
      try EditList(DocumentValue(text, .json, file: "e.json"), file: "e.json")
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("at most 100000 are read"))
  }

  @Test("A session keeps its edits")
  func session() throws {
    let text = """
      version: 1
      participants: [{ id: ada }]
      edits: { cut: [{ from: 1, to: 2, reason: noise }] }
      """
    let recording = try SessionFile.recording(from: text, file: "session.yaml")
    #expect(recording.edits.cut.count == 1)
    let again = try SessionFile.recording(from: SessionFile.text(recording), file: "again.yaml")
    #expect(again.edits == recording.edits)
  }
}
