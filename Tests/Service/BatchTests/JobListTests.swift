import Foundation
import TesseraDocuments
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraBatch

@Suite("Job lists", .timed) struct JobListTests {
  private let reader = JobListParser(RenderRequest([], to: []))

  private func entry(_ members: [(String, DocumentValue)]) -> JobListReader.Entry {
    var object = DocumentValue.Members()
    for (key, value) in members { object.append(key, value) }
    return JobListReader.Entry(number: 0, place: "line 1", members: .success(object))
  }

  @Test("Common options are filled with a job's names, unless the job overrides them")
  func template() throws {
    var all = RenderRequest([], to: [.file("out/{name}.mp4"), .file("out/{id}.m4a")])
    (all.outputDefaults.title, all.call.trimsIdle) = ("Call {id}", true)
    let reader = JobListParser(all, reports: "reports")
    let input = ("input", DocumentValue.text("calls/ada.zip"))
    let usual = try reader.job(entry([("id", .text("17")), input])).get().request
    #expect(usual.outputs.map(\.destination) == ["out/ada.mp4", "out/17.m4a"])
    #expect(usual.outputDefaults.title == "Call 17" && usual.call.trimsIdle == true)
    #expect(usual.sidecars.report == "reports/17.json")
    let own = try reader.job(
      entry([
        input, ("output", .text("web/")), ("hls", .text("96p")), ("no-trim-idle", .bool(true)),
        ("fps", .number(DecimalLiteral(5))), ("report", .text("own.json")),
      ])
    ).get().request
    #expect(own.outputs.map(\.destination) == ["web", "out/ada.m4a"])
    #expect(own.outputs[0].kind == .stream([96]))
    #expect(own.call.trimsIdle == false && own.outputDefaults.frameRate == FrameRate("5"))
    #expect(own.sidecars.report == "own.json")
  }

  @Test("Names and options of layouts and themes are checked, also those of further outputs")
  func looks() throws {
    let usual: [(String, DocumentValue)] = [("input", .text("in")), ("output", .text("a.mp4"))]
    for (key, value, sentence) in [
      ("layout", "speeker", #"layout is wrong: unknown layout "speeker": did you mean "speaker"?"#),
      (
        "layout", "grid:colums=3",
        #"layout is wrong: layout "grid" has no option "colums": did you mean "columns"?"#
      ),
      ("theme", "drak", #"theme is wrong: unknown theme "drak": did you mean "dark"?"#),
      (
        "outputs", "b.mp4:theme=drak",
        #"b.mp4: theme is wrong: unknown theme "drak": did you mean "dark"?"#
      ),
    ] {
      let found = reader.job(entry(usual + [(key, .text(value))]))
      guard case .failure(let problems) = found else {
        Issue.record("\(value) is accepted")
        continue
      }
      #expect(problems.sentences == [sentence])
    }
    for (key, value) in [
      ("layout", "speaker:strip=none"), ("layout", "own.css"), ("theme", "Light"),
      ("theme", "own.yaml"),
    ] {
      _ = try reader.job(entry(usual + [(key, .text(value))])).get()
    }
  }

  /// Returns the error of the check of the list at `path`, whose jobs have the output `output`.
  private func mistakes(_ path: String, _ output: String? = nil) -> String {
    let template = RenderRequest([], to: output.map { [.file($0)] } ?? [])
    let error = #expect(throws: RenderError.self) {
      let list = try JobList(path, ExecutionOptions())
      return try JobListCheck(
        list, JobListParser(template), JobFileConflictDetector(list: list.path), Cancellation())
    }
    return error?.message ?? ""
  }

  @Test("An entry with mistakes counts for duplicates, and each place of a mistake is told once")
  func duplicates() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("jobs.jsonl")
    let lines = [
      #"{"id": "1", "input": "a", "output": "a.mp4", "layuot": "grid"}"#,
      #"{"id": "1", "input": "b", "output": "a.mp4"}"#,
      #"{"id": "3", "input": "b", "output": "a.mp4"}"#, #"{"id": }"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    let told = mistakes(path)
    for line in [
      "\(path) has 4 mistakes, and nothing was begun:",
      #"\#(path), line 1: the key "layuot" is unknown: did you mean "layout"?"#,
      #"\#(path), line 2: the id "1" is that of job 1, too: ids are unique."#,
      "\(path), line 2 and 1 more: the output a.mp4 is that of job 1, too.",
      "\(path), line 4: it is not JSON: in column 8, a value is expected.",
    ] {
      #expect(told.contains(line), "\(told)")
    }
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(mistakes(path) == "\(path) has no jobs.")
  }

  @Test("Jobs of a folder are named by their places, and an unknown placeholder is named")
  func folders() throws {
    let folder = try TemporaryFolder()
    let place = folder.path("calls")
    #expect(mistakes(place) == "the list of jobs \(place) does not exist; check the name.")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    #expect(
      mistakes("\(place)/", "{name}.mp4")
        == "\(place)/ has no calls: each folder, archive and session file in it is one.")
    for name in ["a", "b", "c"] {
      try FileManager.default.createDirectory(
        atPath: "\(place)/\(name)", withIntermediateDirectories: true)
    }
    #expect(
      mistakes("\(place)/", "x/{nam}.mp4")
        == "\(place)/a and 2 more: the output x/{nam}.mp4 has the unknown placeholder {nam}: "
        + "did you mean {name}?")
    #expect(
      mistakes("\(place)/", "\(folder.path("x"))//all.mp4")
        == "\(place)/b and 1 more: the output \(folder.path("x"))/all.mp4 is that of \(place)/a, too: "
        + "put {name} or {id} into its name, which all jobs share.")
  }

  @Test("A list that disappears during a batch is an error after the jobs already read")
  func gone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("jobs.jsonl")
    let text = (1...3).map {
      #"{"input": "\#($0)", "output": "\#($0).mp4", "priority": \#($0 / 2)}"#
    }
    try Data(text.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
    let order = try JobPriorityIterator(try JobList(path, ExecutionOptions()), [0, 1]) {
      [reader] entry in
      try? reader.job(entry).get()
    }
    #expect(order.next()?.id == "2")
    try FileManager.default.removeItem(atPath: path)
    #expect(order.next()?.id == "3" && order.failure == nil)
    #expect(order.next() == nil)
    #expect(order.failure?.kind == .failure)
    #expect(order.failure?.message.contains("cannot read the list of jobs") == true)
  }

  @Test("Metrics have the times of the last jobs, and failures by exit code") func metrics() {
    var statistics = BatchStatistics(count: 4)
    #expect(!BatchMetricsFile.text(statistics, running: 0).contains("timestamp_seconds{"))
    for exit: Int32 in [0, 1, 75, 1] {
      statistics.add(BatchOutcome(id: "a", exit: exit, outputs: [], attempts: 1))
    }
    let lines = BatchMetricsFile.text(statistics, running: 0).split(separator: "\n")
    #expect(lines.contains(#"tessera_batch_jobs_failed_total{exit="1"} 2"#))
    #expect(lines.contains(#"tessera_batch_jobs_failed_total{exit="75"} 1"#))
    for kind in ["finished", "failed"] {
      let start = "tessera_batch_last_end_timestamp_seconds{how=\"\(kind)\"} "
      let time = lines.first { $0.hasPrefix(start) }.flatMap { Double($0.dropFirst(start.count)) }
      #expect((time ?? 0) > 1.7e9)
    }
  }
}
