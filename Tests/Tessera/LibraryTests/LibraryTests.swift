import Foundation
import Synchronization
import Tessera
import TesseraSystem
import TestSupport
import Testing

/// The library in a program that sees only public declarations.
@Suite("The library, from outside", .timed) struct LibraryTests {
  private let folder: TemporaryFolder
  private let recordings: [String]

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    recordings = try ["ada", "ben"].map { name in
      let path = folder.path("\(name).mp4")
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-f", "lavfi", "-i", "sine=d=2",
        "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", path,
      ])
      return path
    }
  }

  /// A layout with all people in one column.
  private struct Column: LayoutPolicy {
    func prepare(_ context: LayoutContext) -> LayoutArrangement {
      let height = context.canvas.height / Double(max(1, context.items.count))
      let attributes = context.items.enumerated().map { index, item in
        LayoutAttributes(
          id: item.id,
          frame: Rect(x: 0, y: Double(index) * height, width: context.canvas.width, height: height))
      }
      return LayoutArrangement(contentSize: context.canvas, attributes: attributes)
    }
  }

  private func request(_ output: String) -> RenderRequest {
    var request = RenderRequest(recordings, to: [.file(folder.path(output))])
    request.outputDefaults.size = ProposedSize(width: 160, height: 240)
    request.outputDefaults.layout = .policy(Column())
    request.outputDefaults.to = MediaTime(seconds: 1)
    request.execution.ignoresCache = true
    return request
  }

  private func result(of request: RenderRequest) async throws -> RequestResult {
    var result: RequestResult?
    for try await case .finished(let found) in Tessera.render(request) { result = found }
    return try #require(result)
  }

  @Test("A request is planned, and its canvases are delivered in order")
  func canvases() async throws {
    let plan = try await Tessera.plan(request("call.mp4"))
    #expect(plan.participants.map(\.name) == ["ada", "ben"])
    let numbers = Mutex<[Int]>([])
    try await Tessera.compose(request("call.mp4"), frames: 0..<5) { number, luma, blue, _ in
      numbers.withLock { $0.append(number) }
      #expect(luma.size == PixelSize(width: 160, height: 240))
      #expect(blue.size == PixelSize(width: 80, height: 120))
    }
    #expect(numbers.withLock { $0 } == Array(0..<5))
  }

  @Test("One request writes video and audio files, a stream, a page and captions")
  func outputs() async throws {
    var request = request("call.mp4")
    request.outputs += [
      .file(folder.path("call.m4a")), .stream(folder.path("web"), [160]),
      .poster(folder.path("poster.jpg")),
    ]
    request.sidecars.page = folder.path("call.html")
    let found = try await result(of: request)
    #expect(found.isComplete && !found.hasLosses)
    #expect(found.completedReports.count == 3 && found.stills.count == 1)
    for name in ["call.mp4", "call.m4a", "web/master.m3u8", "poster.jpg", "call.html"] {
      #expect(FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
    }
  }

  @Test("A call built in code is rendered through its session file")
  func own() async throws {
    var camera = Track(id: "camera", file: "ada.mp4", start: .zero)
    camera.kind = .camera
    var recording = Recording(
      participants: [Participant(id: "ada", name: "Ada", tracks: [camera])])
    recording.events = [CallEvent(MediaTime(seconds: 1), .focused("ada"))]
    let text = SessionFile.text(recording)
    #expect(try SessionFile.recording(from: text, file: "own.yaml").participants.count == 1)
    try Data(text.utf8).write(to: URL(filePath: folder.path("own.yaml")))
    var request = request("own.mp4")
    request.inputs = [folder.path("own.yaml")]
    #expect(try await result(of: request).isComplete)
  }

  @Test("Inputs and outputs can be in a bucket")
  func bucket() async throws {
    let bucket = try BucketStub()
    for path in recordings {
      try bucket.put(path, at: "calls/17/\(URL(filePath: path).lastPathComponent)")
    }
    var request = request("call.mp4")
    request.inputs = ["s3://calls/17/"]
    request.outputs = [.file("s3://videos/17.mp4")]
    request.execution.secrets = bucket.secrets
    request.execution.fetchCache = folder.path("cache")
    #expect(try await result(of: request).completedReports.map(\.output) == ["s3://videos/17.mp4"])
    #expect(bucket.keys.contains("videos/17.mp4"))
  }

  @Test("A batch returns the outcome of each job")
  func batch() async throws {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "tessera").path
    var good = BatchJob(recordings[0], to: folder.path("good.mp4"))
    good.request.outputDefaults.to = MediaTime(seconds: 1)
    var missing = BatchJob(folder.path("none"), to: folder.path("none.mp4"))
    (good.id, missing.id) = ("good", "none")
    var exits: [String: CInt] = [:]
    for try await outcome in Batch([good, missing], by: program).outcomes() {
      exits[outcome.id] = outcome.exit
    }
    #expect(exits == ["good": 0, "none": 1])
  }

  @Test("A batch reads the same lists as the command")
  func list() async throws {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "tessera").path
    let list = folder.path("jobs.jsonl")
    let lines = [
      #"{"id": "a", "input": "\#(recordings[0])"}"#,
      #"{"input": "\#(recordings[1])", "output": "\#(folder.path("own.mp4"))", "fps": 5}"#,
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: list))
    var all = RenderRequest([], to: [.file(folder.path("{name}-small.mp4"))])
    all.outputDefaults.size = ProposedSize(width: 64, height: 48)
    all.outputDefaults.to = MediaTime(seconds: 1)
    let jobs = try await Tessera.jobs(of: list, asking: all)
    #expect(jobs.map(\.id) == ["a", "ben"])
    let outputs = ["ada-small.mp4", "own.mp4"].map { folder.path($0) }
    #expect(jobs.map { $0.request.outputs.map(\.destination) } == outputs.map { [$0] })
    #expect(jobs.map(\.request.outputDefaults.frameRate) == [nil, FrameRate("5")])
    var exits: [String: CInt] = [:]
    for try await outcome in Batch(jobs, by: program).outcomes() {
      exits[outcome.id] = outcome.exit
    }
    #expect(exits == ["a": 0, "ben": 0])
    #expect(outputs.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    try Data(#"{"input": "a", "fsp": 5}"#.utf8).write(to: URL(filePath: list))
    let error = await #expect(throws: RenderError.self) {
      try await Tessera.jobs(of: list, asking: all)
    }
    #expect(error?.message.contains("the key \"fsp\" is unknown") == true)
  }

  @Test("A cancelled task throws CancellationError, and a failure throws an error with a message")
  func ends() async throws {
    var request = request("call.mp4")
    request.outputDefaults.to = nil
    let task = Task { [request] in for try await _ in Tessera.render(request) {} }
    task.cancel()
    if case .failure(let error) = await task.result { #expect(error is CancellationError) }
    request.inputs = [folder.path("nobody.mp4")]
    do {
      for try await _ in Tessera.render(request) {}
      Issue.record("a file that is not there was rendered")
    } catch let error as RenderError {
      #expect(error.message.contains("nobody.mp4"))
    }
    request.inputs = recordings
    request.outputDefaults.from = MediaTime(seconds: 60)
    do {
      _ = try await Tessera.plan(request)
      Issue.record("what lies past the end was planned")
    } catch let error as RenderError {
      #expect(error.message.hasPrefix("\"from\" is past the end"), "\(error.message)")
    }
  }
}
