import Foundation
import TesseraCodecs
import TesseraDocuments
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

@Suite("Clips", .timed) struct ClipTests {
  private func seconds(_ value: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64((value * 1e9).rounded()))
  }

  private func mark(_ from: Double, _ to: Double, _ title: String) -> ClipRange {
    ClipRange(from: seconds(from), to: seconds(to), title: title)
  }

  // MARK: Tables

  @Test("A table's rows are clips, by columns or in order")
  func tables() throws {
    for text in [
      "title,to,from\nIntro,10,0\n\"A, b\",1:30,20.5\n", "0,10,Intro\n20.5,1:30,\"A, b\"\n",
      "0\t10\tIntro\n20.5\t90\tA, b\n", "from;to;title\n0;10;Intro\n20,5;1:30;x",
    ] {
      let marks = try? ClipRange.list(Array(text.utf8), name: "m.csv")
      // A decimal comma is invalid.
      guard !text.contains("20,5") else {
        #expect(marks == nil)
        continue
      }
      #expect(marks == [mark(0, 10, "Intro"), mark(20.5, 90, "A, b")])
    }
    #expect(try ClipRange.list(Array("from,to\n1,2\n".utf8), name: "m.csv") == [mark(1, 2, "")])
  }

  @Test("An invalid clip table is refused with its row")
  func invalidTables() {
    for (text, word) in [
      ("", "no clips"), ("from,title\n1,a\n", "\"to\""), ("from,to\n5,4\n", "row 2"),
      ("1,2,a\nx,3,b\n", "it has no times in row 2"),
      ("from,to\n5,4\n", "row 2 ends at 0:04, but begins at 0:05"),
      ("start;end;name\n1;2;a\n", "no column \"from\""), ("Good morning\n", "no column \"from\""),
    ] {
      do throws(DocumentError) {
        _ = try ClipRange.list(Array(text.utf8), name: "m.csv")
        Issue.record("it was read: \(text)")
      } catch {
        #expect("\(error)".contains(word))
      }
    }
  }

  // MARK: Ends

  /// Two sentences, 1 to 4 s and 5 to 9 s, with a breath at 2.5 s.
  private var ends: ClipEndAdjuster {
    ClipEndAdjuster(
      said: [
        TimeRange(start: seconds(1), end: seconds(2.4)),
        TimeRange(start: seconds(2.7), end: seconds(4)),
        TimeRange(start: seconds(5), end: seconds(9)),
      ], sentences: [seconds(4), seconds(9)], before: seconds(12))
  }

  @Test("Ends snap to pauses between sentences, not to a nearer breath")
  func snapping() {
    #expect(ends.begin(seconds(5.6)) == seconds(4.8))
    #expect(ends.end(seconds(3.2)) == seconds(4.4))
    #expect(ends.end(seconds(9.5)) == seconds(9.5), "it is in a pause")
    #expect(
      ends.begin(seconds(2.5)) == seconds(4.8) || ends.begin(seconds(2.5)) == seconds(0.8)
        || ends.begin(seconds(2.5)) == seconds(2.5))
  }

  @Test("An end beside a long silence moves into it as far as it may")
  func longSilence() {
    let ends = ClipEndAdjuster(
      said: [(6, 10), (14, 17)].map { TimeRange(start: seconds($0.0), end: seconds($0.1)) },
      sentences: [], before: seconds(20))
    #expect(ends.end(seconds(14.4)) == seconds(12.9))
    #expect(ends.begin(seconds(9.6)) == seconds(11.1))
    #expect(ends.end(seconds(11)) == seconds(11) && ends.end(seconds(10)) == seconds(10))
    #expect(ends.end(seconds(15.6)) == seconds(17.1))
  }

  @Test(
    "Both ends snap together, or not at all if less than half would remain",
    arguments: [
      (5.6, 9.5, 4.8, 9.5), (4.2, 8, 4.2, 9.4), (nil, 3.2, nil, 4.4), (5.6, nil, 4.8, nil),
      // The start would move past the end.
      (3.4, 4.2, nil, nil), (5.2, 5.6, nil, nil),
    ] as [(Double?, Double?, Double?, Double?)])
  func pairs(_ from: Double?, _ to: Double?, _ first: Double?, _ last: Double?) {
    let moved = ends.clip(from: from.map(seconds), to: to.map(seconds))
    guard first != nil || last != nil else {
      #expect(moved == nil, "\(String(describing: moved))")
      return
    }
    #expect(moved?.from == first.map(seconds) && moved?.to == last.map(seconds))
  }

  @Test("An invalid time of a clip is refused with its row")
  func rows() throws {
    let marks = try ClipRange.list(Array("from,to,title\n1,2,a\n50,60,b\n".utf8), name: "m.csv")
    #expect(marks.map(\.row) == [2, 3])
    var rendition = Rendition(
      output: OutputFormat(
        video: VideoEncoderSettings(size: PixelSize(width: 64, height: 36), frameRate: .thirty)))
    rendition.partSource = "row 3 of m.csv"
    for (from, to, sentence) in [
      (50.0, 60.0, "row 3 of m.csv begins past the end"), (1, 1.001, "row 3 of m.csv is shorter"),
    ] {
      (rendition.from, rendition.to) = (seconds(from), seconds(to))
      let error = #expect(throws: RenderError.self) {
        try rendition.cut(before: seconds(20), longestDuration: seconds(100))
      }
      #expect(error?.message.hasPrefix(sentence) == true, "\(String(describing: error))")
    }
  }

  @Test("Errors about chapters name the output; a plan has none")
  func noChapters() throws {
    let input = ImportedCall(Recording(participants: [], events: []))
    for (place, start) in [("", "the call has no"), ("a.mp4", "a.mp4: the call has no")] {
      var output = OutputRequest(place, .file)
      output.options.chapter = 2
      let request = RenderRequest(["a.webm"], to: [output])
      let error = #expect(throws: RenderError.self) {
        _ = try OutputSplitter([output], over: request.outputDefaults(of: input)).files(chapters: []
        )
      }
      #expect(error?.message.hasPrefix(start) == true, "\(String(describing: error))")
    }
  }

  @Test("No end moves by more than 1.5 s, and each ends up in a pause or 1.5 s away from any")
  func reach() {
    var random = SplitMix64(seed: 44)
    for _ in 0..<500 {
      var (said, time) = ([TimeRange](), 0.0)
      while time < 60 {
        let start = time + Double.random(in: 0.05...2, using: &random)
        time = start + Double.random(in: 0.3...6, using: &random)
        said.append(TimeRange(start: seconds(start), end: seconds(time)))
      }
      let sentences = said.map(\.end).filter { _ in Bool.random(using: &random) }
      let ends = ClipEndAdjuster(said: said, sentences: sentences, before: seconds(70))
      let wanted = seconds(Double.random(in: 1...60, using: &random))
      for found in [ends.begin(wanted), ends.end(wanted)] {
        #expect(max(found, wanted) - min(found, wanted) <= ClipEndAdjuster.reach)
        let speech = said.first { $0.start < found && found < $0.end }
        if let speech {
          // There is no pause nearby.
          #expect(found == wanted && speech.duration > .zero)
        }
      }
    }
  }

  // MARK: Outputs

  private func input() throws -> ImportedCall {
    ImportedCall(
      try SessionFile.recording(
        from: "version: 1\nparticipants: [{id: ada, name: Ada}]", file: "s.yaml"), root: "/c")
  }

  private func expanded(
    _ request: RenderRequest, _ chapters: [ClipRange]
  ) throws(RenderError) -> [OutputRequest] {
    let input: ImportedCall
    do { input = try self.input() } catch { preconditionFailure("\(error)") }
    let outputs = try request.outputs(with: input, in: "/out/")
    return try OutputSplitter(outputs, over: request.outputDefaults(of: input)).files(
      chapters: chapters
    ).outputs
  }

  @Test("A name with a chapter placeholder becomes one file per chapter, with distinct names")
  func templates() throws {
    var request = RenderRequest("call", to: "/out/call.mp4")
    request.outputs.append(.file("/out/clips/{title}.mp4"))
    let outputs = try expanded(
      request,
      [mark(0, 5, "Start"), mark(5, 9, "Q/A: why?"), mark(9, 12, "start"), mark(12, 13, "")])
    #expect(
      outputs.map(\.destination) == [
        "/out/call.mp4", "/out/clips/Start.mp4", "/out/clips/Q_A - why_.mp4",
        "/out/clips/start-2.mp4", "/out/clips/clip-4.mp4",
      ])
    request.outputs[1].destination = "/out/{number} {title}.mp4"
    let many = (0..<10).map { mark(Double($0), Double($0 + 1), "a") }
    #expect(try expanded(request, many)[1].destination == "/out/01 a.mp4")
    #expect(outputs[2].options.from == seconds(5) && outputs[2].options.to == seconds(9))
    #expect(outputs[2].options.title == "Q/A: why?" && outputs[2].options.snaps == true)
    #expect(outputs[0].options.snaps == nil)
  }

  @Test("A chapter number selects a part of the call; parts of further outputs are clips")
  func chapters() throws {
    var request = RenderRequest("call", to: "/out/call.mp4")
    var second = OutputRequest.file("/out/b.mp4")
    second.options.chapter = 2
    var part = OutputRequest.file("/out/c.mp4")
    part.options.from = seconds(3)
    var exact = part
    exact.destination = "/out/d.mp4"
    exact.options.snaps = false
    request.outputs += [second, part, exact]
    let outputs = try expanded(request, [mark(0, 5, "a"), mark(5, 9, "b")])
    #expect(outputs[1].options.from == seconds(5) && outputs[1].options.to == seconds(9))
    #expect(outputs[2].options.snaps == true && outputs[3].options.snaps == false)
    #expect(
      outputs.map { $0.source?.commandLine } == [nil, "chapter 2", "/out/c.mp4", "/out/d.mp4"])
    request.outputs[1].options.chapter = 3
    let request3 = request
    #expect(throws: RenderError.self) { try expanded(request3, [mark(0, 5, "a")]) }
    #expect(throws: RenderError.self) { try expanded(request3, []) }
  }

  @Test("Moving the ends of a part is noted as ineffective if no output is a part")
  func snapsNothing() throws {
    let input = try input()
    var request = RenderRequest("call", to: "/out/call.mp4")
    request.outputDefaults.snaps = true
    func hasParts() throws -> Bool {
      try OutputSplitter(request.outputs, over: request.outputDefaults(of: input)).hasParts
    }
    func isNoted() throws -> Bool {
      try request.rendition(of: input).notes.contains(RenderRequest.snapsNothing)
    }
    #expect(try !hasParts() && isNoted())
    request.outputs.append(.file("/out/clips/{title}.mp4"))
    #expect(try hasParts())
    request.outputs[1] = .file("/out/b.mp4")
    request.outputs[1].options.to = seconds(3)
    #expect(try hasParts())
    request.outputs.removeLast()
    request.outputDefaults.from = seconds(1)
    #expect(try hasParts() && !isNoted())
    (request.outputDefaults.from, request.outputDefaults.snaps) = (nil, nil)
    #expect(try !isNoted())
  }

  @Test("Clips of a table are written beside the main output unless a name gives a folder")
  func listed() throws {
    let folder = try TemporaryFolder()
    let table = folder.path("marks.csv")
    try Data("from,to,title\n1,2,One\n3,4,Two\n".utf8).write(to: URL(fileURLWithPath: table))
    var request = RenderRequest("call", to: "/out/call.mp4")
    request.outputDefaults.clips = PathOption(table)
    #expect(
      try expanded(request, []).map(\.destination) == [
        "/out/call.mp4", "/out/call-One.mp4", "/out/call-Two.mp4",
      ])
    let parts = try OutputSplitter(request.outputs, over: request.outputDefaults)
    #expect(parts.chapterOptions == nil, "a table needs no plan for chapters")
    request.outputs[0].destination = "/out/{title}.mp4"
    #expect(try expanded(request, []).map(\.destination) == ["/out/One.mp4", "/out/Two.mp4"])
    request.outputs.append(.poster("/out/{title}.jpg"))
    let wrong = request
    #expect(throws: RenderError.self) { try expanded(wrong, []) }
  }
}
