import Foundation
import TesseraCaptions
import TesseraTimeline
import TestSupport
import Testing

/// Files of turns are read back by packages of their fields where those are installed, else by their
/// own grammar.
@Suite(.timed) struct TurnsFormatTests {
  private let turns = Transcript([
    Transcript.Line(
      "Ada \"the\" <First>", from: .zero, to: MediaTime(nanoseconds: 1_250_000_000), ""),
    Transcript.Line("Ben, B.", from: MediaTime(seconds: 2), to: MediaTime(seconds: 4), ""),
    Transcript.Line(
      "Ada \"the\" <First>", from: MediaTime(seconds: 3), to: MediaTime(nanoseconds: 4_500_000_001),
      ""),
  ])
  private let end = MediaTime(seconds: 5)

  private func text(_ format: TurnsFormat) -> String {
    format.text(turns, name: "my call", end: end)
  }

  @Test func theNamesEndDecides() {
    #expect(TurnsFormat(ending: "TEXTGRID") == .textgrid && TurnsFormat(ending: "Rttm") == .rttm)
    #expect(TurnsFormat(ending: "srt") == nil && TurnsFormat(ending: "") == nil)
  }

  @Test func linesOfRTTMHaveTenWords() {
    let lines = text(.rttm).split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.allSatisfy { $0.count == 10 } && lines.count == 3)
    #expect(
      lines[1].joined(separator: " ")
        == "SPEAKER my_call 1 2.000 2.000 <NA> <NA> Ben,_B. <NA> <NA>")
    #expect(lines[2][3...4] == ["3.000", "1.500000001"])
  }

  @Test func cellsOfTablesAreQuoted() {
    let rows = text(.csv).split(separator: "\n")
    #expect(rows[0] == "start,end,speaker" && rows[2] == "2.000,4.000,\"Ben, B.\"")
    #expect(rows[1] == "0.000,1.250,\"Ada \"\"the\"\" <First>\"")
    #expect(text(.tsv).split(separator: "\n")[2] == "2.000\t4.000\tBen, B.")
  }

  @Test func jsonIsRead() throws {
    struct File: Decodable {
      struct Turn: Decodable { var start, end: Double, speaker: String }
      var turns: [Turn]
    }
    let file = try JSONDecoder().decode(File.self, from: Data(text(.json).utf8))
    #expect(file.turns.map(\.speaker) == turns.lines.map(\.speaker))
    #expect(file.turns.map(\.start) == [0, 2, 3])
  }

  @Test func tiersOfATextGridHaveNoGap() throws {
    let text = text(.textgrid)
    let numbers = { (key: String) in
      text.split(separator: "\n").compactMap { line -> Double? in
        let parts = line.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
        return parts.count == 2 && parts[0] == key ? Double(parts[1]) : nil
      }
    }
    // The file's own, then of each tier its own and those of its intervals.
    #expect(numbers("xmin") == [0, 0, 0, 1.25, 3, 4.500000001, 0, 0, 2, 4])
    #expect(numbers("xmax") == [5, 5, 1.25, 3, 4.500000001, 5, 5, 2, 4, 5])
    #expect(text.contains("text = \"Ada \"\"the\"\" <First>\"") && text.contains("size = 2"))
  }

  @Test func elanReadsMilliseconds() throws {
    let text = text(.eaf)
    #expect(text.contains("TIME_VALUE=\"1250\"") && text.contains("TIME_VALUE=\"4500\""))
    #expect(text.contains("TIER_ID=\"Ada &quot;the&quot; &lt;First&gt;\""))
    #expect(text.components(separatedBy: "<ALIGNABLE_ANNOTATION").count == 4)
  }

  @Test func transcriptsAreReadBack() throws {
    let said = Transcript([
      Transcript.Line("Ada", from: .zero, to: MediaTime(seconds: 1), "Well, \"hello\" \\ there."),
      Transcript.Line(nil, from: MediaTime(seconds: 2), to: MediaTime(seconds: 3), "Bye"),
    ])
    let json = try TranscriptFile(Array(said.json.utf8), name: "call.json").transcript
    #expect(json == said)
    let cues = try CaptionFile(Array(said.subRip.utf8), name: "call.srt").cues
    #expect(cues.map(\.lines) == [["Ada: Well, \"hello\" \\ there."], ["Bye"]])
  }
}
