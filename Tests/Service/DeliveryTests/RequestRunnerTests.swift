import Foundation
import TesseraCodecs
import TesseraDelivery
import TesseraLayout
import TesseraPixels
import TesseraPlanning
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlan
@testable import TesseraRendering

/// A program's request gives the same result as the command.
@Suite("Requests from Swift", .timed) struct RequestRunnerTests {
  /// A layout with all people in one column.
  private struct Column: LayoutPolicy {
    func prepare(_ context: LayoutContext) -> LayoutArrangement {
      let height = context.canvas.height / Double(max(1, context.items.count))
      return LayoutArrangement(
        contentSize: context.canvas,
        attributes: context.items.enumerated().map { index, item in
          LayoutAttributes(
            id: item.id,
            frame: Rect(
              x: 0, y: Double(index) * height, width: context.canvas.width, height: height))
        })
    }
  }

  private static func recordings(_ folder: TemporaryFolder) throws -> [String] {
    try ["ada", "ben"].map { name in
      let path = folder.path("\(name).mp4")
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-f", "lavfi", "-i", "sine=d=2",
        "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", path,
      ])
      return path
    }
  }

  private static func request(_ folder: TemporaryFolder) throws -> RenderRequest {
    var request = RenderRequest(try recordings(folder), to: [.file(folder.path("call.mp4"))])
    request.outputDefaults.size = ProposedSize(width: 160, height: 120)
    request.outputDefaults.frameRate = FrameRate("10")
    request.execution.ignoresCache = true
    return request
  }

  @Test("Files, streams, pictures, sidecars and a custom layout")
  func everything() async throws {
    let folder = try TemporaryFolder()
    var request = try Self.request(folder)
    request.outputDefaults.layout = .policy(Column())
    request.outputs += [
      .file(folder.path("call.m4a")), .stream(folder.path("web"), [120]),
      .poster(folder.path("poster.jpg")),
    ]
    request.sidecars.page = folder.path("call.html")
    request.sidecars.report = folder.path("call.json")
    request.sidecars.speakers = folder.path("turns.rttm")
    var (result, made, isPlanned, isRendered) = (RequestResult?.none, [String](), false, false)
    for try await update in render(request) {
      switch update {
      case .finished(let found): result = found
      case .created(let path): made.append(URL(filePath: path).lastPathComponent)
      case .planning: isPlanned = true
      case .rendering: isRendered = true
      case .note, .warning, .error, .report: break
      }
    }
    let found = try #require(result)
    #expect(found.isComplete && !found.hasLosses && isPlanned && isRendered)
    #expect(
      found.report.frameCount == 20 && found.completedReports.count == 3 && found.stills.count == 1)
    #expect(
      made.sorted() == ["call-thumbnails.jpg", "call.m4a", "call.mp4", "master.m3u8", "poster.jpg"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    for name in ["call.mp4", "web", "call.html", "call.json", "turns.rttm"] {
      #expect(names.contains(name))
    }
    #expect(found.processorSeconds.keys.contains("pictures"))
  }

  @Test("A failure is an error, and its report precedes the error")
  func failures() async throws {
    let folder = try TemporaryFolder()
    var request = try Self.request(folder)
    request.inputs = [folder.path("nobody.mp4")]
    request.sidecars.report = folder.path("call.json")
    var report: RenderReport?
    await #expect(throws: RenderError.self) {
      for try await update in render(request) {
        if case .report(let told) = update { report = told }
      }
    }
    #expect(report?.error?.contains("nobody.mp4") == true)
    #expect(FileManager.default.fileExists(atPath: folder.path("call.json")))
    for change in [
      { (request: inout RenderRequest) in request.sidecars.report = "-" },
      { request in request.inputs = ["s3://a/call/"] },
      { request in
        request.outputDefaults.kept = []; request.outputs = []
      },
    ] {
      var wrong = try Self.request(folder)
      change(&wrong)
      let error = await #expect(throws: RenderError.self) {
        for try await _ in render(wrong) {}
      }
      #expect(error?.kind == .usage, "\(String(describing: error))")
    }
  }

  @Test("A cancelled task stops the request")
  func canceled() async throws {
    let folder = try TemporaryFolder()
    let request = try Self.request(folder)
    for delay in [0, 20, 60, 120] {
      let task = Task {
        for try await update in render(request) {
          if case .finished = update { return true }
        }
        return false
      }
      try await Task.sleep(for: .milliseconds(delay))
      task.cancel()
      switch await task.result {
      case .success(let isDone): #expect(isDone)
      case .failure(let error): #expect(error is CancellationError, "\(error)")
      }
    }
  }

  @Test("Inputs and outputs in a bucket are transferred, and messages name the originals")
  func bucket() async throws {
    let (folder, bucket) = (try TemporaryFolder(), try BucketStub())
    let inputs = try Self.recordings(folder)
    for (path, name) in zip(inputs, ["ada", "ben"]) {
      try bucket.put(path, at: "calls/17/\(name).mp4")
    }
    var request = try Self.request(folder)
    request.inputs = ["s3://calls/17/"]
    request.outputs = [
      .file("s3://videos/17.mp4"), .stream("s3://videos/17", [120]),
      .file("s3://videos/clips/{title}.mp4"),
    ]
    let marks = folder.path("marks.csv")
    try Data("from,to,title\n0,0.5,One\n".utf8).write(to: URL(fileURLWithPath: marks))
    try bucket.put(marks, at: "calls/marks.csv")
    try request.set("clips", ["s3://calls/marks.csv"])
    request.outputDefaults.layout = .policy(Column())
    request.sidecars.page = "s3://videos/17.html"
    request.sidecars.report = folder.path("17.json")
    request.execution.secrets = bucket.secrets
    request.execution.fetchCache = folder.path("cache")
    var (result, made) = (RequestResult?.none, [String]())
    for try await update in render(request) {
      switch update {
      case .finished(let found): result = found
      case .created(let path): made.append(path)
      default: break
      }
    }
    let found = try #require(result)
    #expect(found.isComplete && found.report.output == "s3://videos/17.mp4")
    #expect(
      found.report.inputs.flatMap(\.files) == ["s3://calls/17/ada.mp4", "s3://calls/17/ben.mp4"])
    #expect(made.contains("s3://videos/17.mp4"), "\(made)")
    for key in ["videos/17.mp4", "videos/17.html", "videos/17/master.m3u8", "videos/clips/One.mp4"]
    {
      #expect(bucket.keys.contains(key), "\(bucket.keys)")
    }
    // Local files give the same video.
    var local = try Self.request(folder)
    local.outputDefaults.layout = .policy(Column())
    for try await case .finished in render(local) {}
    let packets = { (path: String) in
      try Tool.ffmpeg(["-i", path, "-map", "0", "-c", "copy", "-f", "md5", "-"])
    }
    #expect(try packets(bucket.path("videos/17.mp4")) == packets(folder.path("call.mp4")))
    // Only fetched objects remain.
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))
    #expect(
      !kept.contains("outputs")
        || FileManager.default.subpaths(
          atPath: folder.path("cache/outputs"))?.contains { $0.hasSuffix(".mp4") } == false
    )
  }

  /// The folder's name needs escapes in JSON.
  @Test("No report, message or uploaded text of a call in a bucket contains a path of the cache")
  func noCachePaths() async throws {
    let (folder, bucket) = (try TemporaryFolder(), try BucketStub())
    let inputs = try Self.recordings(folder)
    try bucket.put(inputs[0], at: "calls/17/a \"d\" a.mp4")
    try bucket.put(inputs[1], at: "calls/17/ben.mp4")
    let text = folder.path("captions.vtt")
    try Data("WEBVTT\n\n00:00.000 --> 00:00.500\n<v ada>Hi\n\n00:02.000 --> 00:01.000\nNo\n".utf8)
      .write(to: URL(fileURLWithPath: text))
    try bucket.put(text, at: "calls/17/broken.mp4")
    try bucket.put(text, at: "calls/said.vtt")
    var request = try Self.request(folder)
    request.inputs = ["s3://calls/17/"]
    request.outputs = [.file("s3://videos/17.mp4"), .poster("s3://videos/17.jpg")]
    try request.set("transcript", ["s3://calls/said.vtt"])
    request.sidecars.page = "s3://videos/17.html"
    request.sidecars.report = "s3://videos/17.json"
    request.sidecars.transcriptFiles = ["s3://videos/17.md"]
    request.execution.secrets = bucket.secrets
    request.execution.fetchCache = folder.path("q\"u\\o-KACHE")
    var texts: [String] = []
    func perform() async -> RequestResult? {
      var result: RequestResult?
      do {
        for try await update in render(request) {
          texts.append("\(update)")
          if case .report(let report) = update { texts.append(CanonicalJSON.text(report)) }
          if case .finished(let found) = update { result = found }
        }
      } catch {
        texts.append("\(error)")
      }
      return result
    }
    let result = try #require(await perform(), "\(texts)")
    #expect(result.report.notes.contains { $0.contains("s3://calls/said.vtt") }, "\(texts)")
    let lost = result.report.allLosses.map(\.source)
    #expect(lost.contains("s3://calls/17/broken.mp4"), "\(texts)")
    for key in ["17.html", "17.json", "17.md"] {
      texts.append(try String(contentsOfFile: bucket.path("videos/\(key)"), encoding: .utf8))
    }
    // Errors contain no such path either.
    request.execution.overwrites = true
    request.execution.isStrict = true
    #expect(await perform() == nil)
    request.inputs = ["s3://calls/17/broken.mp4"]
    #expect(await perform() == nil)
    texts.append(try String(contentsOfFile: bucket.path("videos/17.json"), encoding: .utf8))
    #expect(texts.last?.contains("s3://calls/17/broken.mp4") == true)
    for text in texts { #expect(!text.contains("KACHE"), "\(text)") }
  }

  @Test("Pieces are kept in a bucket, from which the next render takes them")
  func keptPieces() async throws {
    let (folder, bucket) = (try TemporaryFolder(), try BucketStub())
    var request = try Self.request(folder)
    request.execution.secrets = bucket.secrets
    request.execution.fetchCache = folder.path("cache")
    request.execution.workFolder = "s3://work/17/"
    for output in ["call.mp4", "again.mp4"] {
      request.outputs[0].destination = folder.path(output)
      request.outputs.removeSubrange(1...)
      var notes: [String] = []
      for try await update in render(request) {
        if case .note(let text) = update { notes.append(text) }
      }
      #expect(bucket.keys.contains { $0.hasPrefix("work/17/") })
      let isAgain = notes.contains { $0.contains("frames are there from an earlier run") }
      #expect(isAgain == (output == "again.mp4"), "\(notes)")
    }
    let files = try ["call.mp4", "again.mp4"].map { name in
      try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
    }
    #expect(files[0] == files[1])
  }

  @Test("A missing bucket is an error")
  func bucketErrors() async throws {
    let (folder, bucket) = (try TemporaryFolder(), try BucketStub())
    var request = try Self.request(folder)
    request.execution.secrets = bucket.secrets
    request.execution.fetchCache = folder.path("cache")
    request.inputs = ["s3://calls/nothing.mp4"]
    let absent = await #expect(throws: RenderError.self) {
      for try await _ in render(request) {}
    }
    #expect(absent?.kind == .failure && absent?.message.contains("s3://calls/nothing.mp4") == true)
  }
}
