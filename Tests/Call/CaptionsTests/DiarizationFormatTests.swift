import Foundation
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCaptions

/// Files of turns are read back with the usual Python packages if these are installed, otherwise by
/// the format's grammar.
@Suite(.timed) struct DiarizationFormatTests {
  private static let ada = "Ada \"the\" <First>"
  private static func stretch(
    _ person: String, _ start: Double, _ end: Double, _ text: String = ""
  ) -> Diarization.SpeakerSegment {
    let times = [start, end].map { MediaTime(nanoseconds: Int64(($0 * 1e9).rounded())) }
    return Diarization.SpeakerSegment(person, TimeRange(start: times[0], end: times[1]), text)
  }

  private static let sample: Diarization = {
    var record = Diarization(name: "my call", duration: MediaTime(seconds: 5))
    record.speech = [
      stretch(ada, 0, 1.25), stretch("Ben, B.", 2, 4), stretch(ada, 3, 4.500000001),
    ]
    record.floor = [stretch(ada, 0, 1.75), stretch("Ben, B.", 1.75, 5)]
    record.words = [stretch("Ben, B.", 2, 2.5, "say \"hi\""), stretch("Ben, B.", 2.5, 3, "now")]
    record.turns = Transcript(
      record.floor.map { Transcript.Line($0.person, from: $0.start, to: $0.end, "") })
    return record
  }()

  private let record = Self.sample

  private func text(_ format: DiarizationFormat) -> String { format.text(record) }

  @Test func theExtensionDecides() {
    #expect(
      DiarizationFormat(ending: "TEXTGRID") == .textgrid
        && DiarizationFormat(ending: "Rttm") == .rttm)
    #expect(DiarizationFormat(ending: "srt") == nil && DiarizationFormat(ending: "") == nil)
  }

  @Test func linesOfRTTMHaveTenWords() {
    let lines = text(.rttm).split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.allSatisfy { $0.count == 10 } && lines.count == 3)
    #expect(
      lines[1].joined(separator: " ")
        == "SPEAKER my_call 1 2.000 2.000 <NA> <NA> Ben,_B. <NA> <NA>")
    #expect(lines[2][3...4] == ["3.000", "1.500000001"])
  }

  @Test("Tables have speech and floor in order of time, with quoted cells")
  func tables() {
    let rows = text(.csv).split(separator: "\n")
    let ada = "\"Ada \"\"the\"\" <First>\""
    #expect(
      rows == [
        "start,end,speaker,kind", "0.000,1.750,\(ada),floor", "0.000,1.250,\(ada),speech",
        "1.750,5.000,\"Ben, B.\",floor", "2.000,4.000,\"Ben, B.\",speech",
        "3.000,4.500000001,\(ada),speech",
      ])
    #expect(text(.tsv).split(separator: "\n")[4] == "2.000\t4.000\tBen, B.\tspeech")
  }

  @Test func jsonIsRead() throws {
    struct File: Decodable {
      struct Turn: Decodable { var start, end: Double, speaker, kind: String }
      var turns: [Turn]
    }
    let file = try JSONDecoder().decode(File.self, from: Data(text(.json).utf8))
    let speech = file.turns.filter { $0.kind == "speech" }
    #expect(speech.map(\.speaker) == record.speech.map(\.person))
    #expect(speech.map(\.start) == [0, 2, 3])
    #expect(file.turns.filter { $0.kind == "floor" }.map(\.end) == [1.75, 5])
  }

  @Test func tiersOfATextGridHaveNoGaps() throws {
    let text = text(.textgrid)
    let numbers = { (key: String) in
      text.split(separator: "\n").compactMap { line -> Double? in
        let parts = line.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
        return parts.count == 2 && parts[0] == key ? Double(parts[1]) : nil
      }
    }
    // The file's own, then those of each tier and of its intervals.
    #expect(
      numbers("xmin") == [
        0, 0, 0, 1.25, 3, 4.500000001, 0, 0, 2, 4, 0, 0, 1.75, 0, 0, 2, 2.5, 3,
      ])
    #expect(
      numbers("xmax") == [
        5, 5, 1.25, 3, 4.500000001, 5, 5, 2, 4, 5, 5, 1.75, 5, 5, 2, 2.5, 3, 5,
      ])
    #expect(text.contains("text = \"Ada \"\"the\"\" <First>\"") && text.contains("size = 4"))
    #expect(text.contains("name = \"floor\"") && text.contains("name = \"Ben, B. words\""))
    #expect(text.contains("text = \"say \"\"hi\"\"\""))
  }

  @Test func elanReadsMilliseconds() throws {
    let text = text(.eaf)
    #expect(text.contains("TIME_VALUE=\"1250\"") && text.contains("TIME_VALUE=\"4500\""))
    #expect(text.contains("TIER_ID=\"Ada &quot;the&quot; &lt;First&gt;\""))
    #expect(text.contains("PARTICIPANT=\"Ben, B.\" TIER_ID=\"Ben, B. words\""))
    #expect(text.contains("<ANNOTATION_VALUE>say &quot;hi&quot;</ANNOTATION_VALUE>"))
    #expect(text.components(separatedBy: "<ALIGNABLE_ANNOTATION").count == 8)
    let slots = text.components(separatedBy: "TIME_VALUE=\"").dropFirst().compactMap {
      $0.split(separator: "\"").first.flatMap { Int($0) }
    }
    #expect(slots.count == 14 && slots == slots.sorted())
    #expect(!text.contains("MEDIA_DESCRIPTOR"))
  }

  @Test("Tiers have distinct names, and a tier's intervals do not overlap")
  func tiersAreDistinct() {
    var record = Diarization(name: "call", duration: MediaTime(seconds: 5))
    record.speech = [
      Self.stretch("floor", 0, 1), Self.stretch("A", 1, 2), Self.stretch("A words", 1, 2),
    ]
    record.words = [
      Self.stretch("A", 1, 2, "one"), Self.stretch("A", 1.5, 2.5, "two"),
      Self.stretch("A", 2.4, 2.5, "three"),
    ]
    let tiers = record.tiers
    #expect(tiers.map(\.name) == ["floor 2", "A", "A words", "floor", "A words 2"])
    #expect(tiers[4].intervals.map { $0.start.seconds } == [1, 2])
    #expect(tiers[4].intervals.map { $0.end.seconds } == [2, 2.5])
    #expect(tiers[0].intervals.map { $0.text } == ["floor"])
  }

  @Test(
    "ELAN finds the media by absolute URL, and by the path relative to the file",
    arguments: [
      ("/calls/a b/call.mp4", "/calls/a b/turns.eaf", "file:///calls/a b/call.mp4", "./call.mp4"),
      ("/calls/call.mp4", "/calls/out/x/t.eaf", "file:///calls/call.mp4", "../../call.mp4"),
      ("/calls/v/call.mp4", "/calls/t.eaf", "file:///calls/v/call.mp4", "./v/call.mp4"),
      ("s3://b/v/call.mp4", "s3://b/v/t.eaf", "s3://b/v/call.mp4", "./call.mp4"),
      ("s3://b/call.mp4", "s3://c/t.eaf", "s3://b/call.mp4", nil),
      ("s3://b/call.mp4", "/calls/t.eaf", "s3://b/call.mp4", nil),
    ])
  func media(place: String, file: String, url: String, relative: String?) {
    var record = record
    record.media = Diarization.MediaReference(place, type: "video/mp4", from: file)
    let path = relative.map { " RELATIVE_MEDIA_URL=\"\($0)\"" } ?? ""
    let element = "<MEDIA_DESCRIPTOR MEDIA_URL=\"\(url)\" MIME_TYPE=\"video/mp4\"\(path)/>"
    #expect(DiarizationFormat.eaf.text(record).contains(element))
  }

  @Test func transcriptsAreReadBack() throws {
    let said = Transcript([
      Transcript.Line("Ada", from: .zero, to: MediaTime(seconds: 1), "Well, \"hello\" \\ there."),
      Transcript.Line(nil, from: MediaTime(seconds: 2), to: MediaTime(seconds: 3), "Bye"),
    ])
    let json = try TranscriptFileReader(Array(said.json.utf8), name: "call.json").transcript
    #expect(json == said)
    let cues = try CaptionFileReader(Array(said.subRip.utf8), name: "call.srt").cues
    #expect(cues.map(\.lines) == [["Ada: Well, \"hello\" \\ there."], ["Bye"]])
  }
}
