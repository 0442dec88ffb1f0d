import Foundation
import TestSupport
import Testing

@Suite("Failures of single jobs", .timed) struct BatchTroubleTests {
  @Test("Exit code 3 for jobs with losses, 4 for failed jobs; the others are done")
  func codes() throws {
    let calls = try BatchFolder(calls: 3)
    try Data("no recording".utf8).write(to: URL(fileURLWithPath: calls.path("calls/2/ada.webm")))
    try Data("no recording".utf8).write(to: URL(fileURLWithPath: calls.path("calls/3/ben.webm")))
    let results = ["--results", calls.path("results.jsonl")]
    let all = try calls.run(try calls.list([calls.line(1), calls.line(2), calls.line(3)]), results)
    #expect(all.status == 4, "\(all)")
    #expect(try calls.exits() == ["job-1": 0, "job-2": 1, "job-3": 3])
    #expect(all.messages.contains("job-2: error: ") && all.messages.contains("job-3: warning: "))
    #expect(all.text.contains("failed      1") && all.text.contains("job-2  exit 1  "))
    let lossy = try calls.list([calls.line(1), calls.line(3)])
    let again = try calls.run(lossy)
    #expect(again.status == 3 && again.text.contains("done before 2"), "\(again)")
    #expect(try calls.run(lossy, ["--accept-losses"]).status == 0)
  }

  @Test("JSON messages have the job's id")
  func log() throws {
    let calls = try BatchFolder(calls: 1)
    try Data("no recording".utf8).write(to: URL(fileURLWithPath: calls.path("calls/1/ada.webm")))
    let result = try calls.run(try calls.list([calls.line(1)]), ["--log", "json"])
    let lines = try result.messages.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    #expect(lines.contains { $0["job"] as? String == "job-1" && $0["level"] as? String == "error" })
    #expect(lines.last?["type"] as? String == "result" && lines.last?["exit"] as? Int == 4)
  }

  @Test("A slow job times out, a temporary failure is retried, and --max-failures counts")
  func limits() throws {
    let calls = try BatchFolder(calls: 2)
    // Another render blocks the first job.
    let work = calls.path("1.mp4.tessera")
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    let lock = unsafe open("\(work)/lock", O_RDWR | O_CREAT, 0o666)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX) == 0)
    let list = try calls.list([calls.line(1), calls.line(2)])
    let results = ["--results", calls.path("results.jsonl"), "--jobs", "1"]
    let busy = try calls.run(list, results + ["--retries", "1"])
    #expect(busy.status == 4 && busy.messages.contains("job-1: note: retrying in 1 s."))
    #expect(try calls.exits() == ["job-1": 75, "job-2": 0])
    #expect(try calls.results().compactMap { $0["attempts"] as? Int }.max() == 2)

    flock(lock, LOCK_UN)
    let late = try calls.run(
      list,
      ["--job-timeout", "0.001", "--overwrite", "--title", "Other"]
        + ["--results", calls.path("late.jsonl")])
    #expect(late.status == 4, "\(late)")
    let errors = try calls.results("late.jsonl").compactMap { $0["error"] as? String }
    #expect(
      errors.count == 2 && errors.allSatisfy { $0.contains("exceeded the time limit of a job") },
      "\(errors)")
  }

  @Test("No job starts after --max-failures")
  func maxFailures() throws {
    let calls = try BatchFolder(calls: 1)
    let lines = (1...40).map { number in
      #"{"id": "\#(number)", "input": "missing-\#(number)", "output": "\#(calls.path("\(number).mp4"))"}"#
    }
    let result = try calls.run(
      try calls.list(lines), ["--max-failures", "2", "--jobs", "1"])
    #expect(result.status == 4 && !result.text.contains("not begun   0"), "\(result)")
  }

  @Test("After a kill, the results file is repaired and missing jobs are run")
  func mending() throws {
    let calls = try BatchFolder(calls: 2)
    let list = try calls.list([calls.line(1), calls.line(2)])
    let results = ["--results", calls.path("results.jsonl")]
    #expect(try calls.run(list, results).status == 0)
    // The state after a kill during the second line.
    var text = try String(contentsOfFile: calls.path("results.jsonl"), encoding: .utf8)
    text.removeLast(20)
    try text.write(toFile: calls.path("results.jsonl"), atomically: false, encoding: .utf8)
    let again = try calls.run(list, results)
    #expect(again.status == 0 && again.text.contains("done before 2"), "\(again)")
    #expect(try calls.exits() == ["job-1": 0, "job-2": 0])
  }

  @Test("A killed batch takes its jobs and workers along; a stopped one does not report them")
  func killed() throws {
    let calls = try BatchFolder(calls: 2)
    let lines = (1...2).map { calls.line($0, #", "fps": 240, "size": "1920x1080""#) }
    let list = try calls.list(lines)
    let results = calls.path("results.jsonl")
    let result = try calls.run(list, ["--results", results]) { process in
      while process.isRunning, !calls.folder.names.contains("1.mp4.tessera") { usleep(5_000) }
      kill(process.processIdentifier, SIGKILL)
    }
    #expect(result.status != 0)
    // A process that still held a lock would block the next batch.
    var again = try calls.run(list, ["--results", results, "--retries", "3"])
    #expect(again.status == 0, "\(again)")
    #expect(try calls.exits() == ["job-1": 0, "job-2": 0])
    #expect(calls.folder.names.allSatisfy { !$0.hasSuffix(".part") && !$0.hasSuffix(".tessera") })

    let other = lines.map { $0.replacingOccurrences(of: "}", with: #", "crf": 20}"#) }
    again = try calls.run(try calls.list(other), ["--results", results]) { process in
      while process.isRunning, !calls.folder.names.contains("1.mp4.tessera") { usleep(5_000) }
      kill(process.processIdentifier, SIGINT)
    }
    #expect(again.status == 130, "\(again)")
    #expect(try calls.results().count == 2)
  }
}
