import Foundation
import TesseraPlanning
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraBatch

/// Batches with the helper in place of `tessera`, which ends each job as its output's name says.
@Suite("Batches of a program", .timed) struct BatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static var program: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "tessera-test-helper").path
  }

  private func job(_ name: String, priority: Int = 0) -> BatchJob {
    var job = BatchJob(folder.path("in"), to: folder.path("\(name).mp4"))
    (job.id, job.priority) = (name, priority)
    return job
  }

  private func outcomes(
    _ jobs: [BatchJob], _ change: (inout Batch) -> Void = { _ in }
  ) async throws -> [String: BatchOutcome] {
    var batch = Batch(jobs, by: Self.program)
    change(&batch)
    var found: [String: BatchOutcome] = [:]
    for try await outcome in batch.outcomes() { found[outcome.id] = outcome }
    return found
  }

  @Test("Each job has its own outcome, and a crash affects no other job")
  func ends() async throws {
    let jobs = ["good", "lossy", "bad", "busy", "dead"].map { job($0) }
    let found = try await outcomes(jobs) { $0.retries = 1 }
    #expect(found.count == 5)
    #expect(found["good"]?.kind == .finished && found["good"]?.duration == 60)
    #expect(found["good"]?.outputs == ["made.mp4"] && found["good"]?.attempts == 1)
    #expect(found["lossy"]?.kind == .losses && found["lossy"]?.losses == ["gone": 2])
    #expect(found["bad"]?.kind == .failed && found["bad"]?.error == "it failed: 1")
    #expect(
      found["bad"]?.attempts == 1, "a permanent failure is not retried")
    #expect(found["busy"]?.exit == 75 && found["busy"]?.attempts == 2)
    #expect(found["dead"]?.exit == 137 && found["dead"]?.attempts == 2)
    #expect(found.values.allSatisfy { $0.elapsed != nil })
  }

  @Test("An error is reported once, after the final failure; before, it is a warning")
  func messages() throws {
    var jobs = ["bad", "busy", "dead"].map { job($0) }[...]
    var rules = BatchEngine.Settings(program: Self.program, slots: 1)
    rules.retries = 1
    var said: [String: [String]] = [:]
    try BatchEngine(JobQueue { jobs.popFirst() }, count: 3, rules, Cancellation()) { event in
      if case .message(let level, let text, let job) = event {
        said[job, default: []].append("\(level): \(text)")
      }
    }.run()
    let again = "note: retrying in 1 s."
    #expect(said["bad"] == ["error: it failed: 1"])
    #expect(said["busy"] == ["warning: it failed: 75", again, "error: it failed: 75"])
    let death = "it was ended by signal 9."
    #expect(said["dead"] == ["warning: \(death)", again, "error: \(death)"])
  }

  @Test("All results have the same keys, which the guide lists, and so have jobs")
  func keys() throws {
    let whole = BatchOutcome(
      id: "a", exit: 0, outputs: ["a.mp4"], duration: 1, elapsed: 1, cpu: ["sound": 1], bytes: 1,
      losses: [:], attempts: 1, error: "", madeFrom: "digest")
    let failed = BatchOutcome(id: "a", exit: 1, outputs: [], attempts: 1, error: "no file")
    func keys(_ outcome: BatchOutcome) throws -> Set<String> {
      let object = try JSONSerialization.jsonObject(with: CanonicalJSON.bytes(outcome))
      return Set(try #require(object as? [String: Any]).keys)
    }
    let all = try keys(whole)
    #expect(try all.count == 11 && keys(failed) == all)
    let back: BatchOutcome? = CanonicalJSON.value(CanonicalJSON.bytes(failed))
    #expect(back?.error == "no file" && back?.duration == nil && back?.madeFrom == nil)
    let guide = SourceTree.root.appending(path: "Sources/Tessera/Tessera.docc/Batch.md")
    let text = try String(contentsOf: guide, encoding: .utf8)
    for key in all.union(["inputs", "input", "output", "priority"]) {
      #expect(text.contains("`\(key)`"), "\(key)")
    }
  }

  @Test("The process of a job found in a folder receives that fact") func listedJobs() async throws
  {
    for isListed in [false, true] {
      var job = job("good")
      job.isListed = isListed
      _ = try await outcomes([job])
      let words = try String(contentsOfFile: folder.path("in-words"), encoding: .utf8)
      #expect(words.contains("\"isListed\":\(isListed)"), "\(words)")
    }
  }

  @Test("A job's process receives its request as JSON")
  func requests() async throws {
    var good = job("good")
    good.request.outputDefaults.layout = .named("speaker")
    good.request.outputs.append(.stream(folder.path("web"), [720]))
    _ = try await outcomes([good])
    let text = try String(contentsOfFile: folder.path("in-request"), encoding: .utf8)
    let request = try JSONDecoder().decode(RenderRequest.self, from: Data(text.utf8))
    #expect(request.inputs == good.request.inputs)
    #expect(request.outputs.map(\.kind) == [.file, .stream([720])])
    #expect(request.outputDefaults.texts("layout") == ["speaker"])
  }

  @Test("Jobs of a higher priority start first, others in order")
  func order() {
    var jobs = [job("a"), job("b", priority: 5), job("c"), job("d", priority: 5)]
    for index in jobs.indices { jobs[index].number = index }
    #expect(Batch.ordered(jobs).map(\.id) == ["b", "d", "a", "c"])
  }

  @Test("A slow job is stopped at its timeout")
  func timeout() async throws {
    let found = try await outcomes([job("slow"), job("good")]) {
      $0.jobTimeout = MediaTime(nanoseconds: 200_000_000)
    }
    #expect(found["slow"] == nil || found["slow"]?.kind == .failed)
    #expect(found["good"]?.kind == .finished)
  }

  @Test("Too many failures end the batch")
  func failures() async throws {
    let jobs = (0..<40).map { job("bad-\($0)") }
    let found = try await outcomes(jobs) { ($0.processors, $0.maxFailures) = (1, 3) }
    #expect((3...6).contains(found.count), "\(found.count)")
  }

  @Test("No job starts if two jobs have one ID or one output")
  func conflicts() async throws {
    var other = job("good")
    other.id = "other"
    for jobs in [[job("good"), job("good")], [job("good"), other]] {
      await #expect(throws: RenderError.self) { try await outcomes(jobs) }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("in-request")))
  }

  @Test("A cancelled task ends its processes", arguments: 0..<5)
  func cancel(round: Int) async throws {
    let batch = Batch((0..<3).map { job("slow-\($0)") }, by: Self.program)
    let task = Task { for try await _ in batch.outcomes() {} }
    while !FileManager.default.fileExists(atPath: folder.path("in-request")) {
      try await Task.sleep(for: .milliseconds(10))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Calls of a folder: folders, archives and session files, sorted by name")
  func listed() async throws {
    let place = folder.path("night")
    for name in ["b", "a", ".hidden", "a.mp4.tessera"] {
      try FileManager.default.createDirectory(
        atPath: "\(place)/\(name)", withIntermediateDirectories: true)
    }
    for name in ["c.zip", "d.json", "notes.txt"] {
      try Data().write(to: URL(fileURLWithPath: "\(place)/\(name)"))
    }
    let found = try await calls(below: place)
    #expect(found.map(\.name) == ["a", "b", "c", "d"])
    #expect(found[2].location == "\(place)/c.zip")
    #expect(try await calls(below: "\(place)/") == found)
    await #expect(throws: RenderError.self) { try await calls(below: "\(place)/none") }
  }
}
