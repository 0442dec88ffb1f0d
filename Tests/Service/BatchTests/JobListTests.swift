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
