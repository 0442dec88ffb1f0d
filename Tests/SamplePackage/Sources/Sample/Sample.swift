import Foundation
import Tessera

/// Everybody in one column.
struct Column: LayoutPolicy {
  func prepare(_ context: LayoutContext) -> Arrangement {
    let height = context.canvas.height / Double(max(1, context.items.count))
    let attributes = context.items.enumerated().map { index, item in
      LayoutAttributes(
        id: item.id,
        frame: Rect(x: 0, y: Double(index) * height, width: context.canvas.width, height: height))
    }
    return Arrangement(contentSize: context.canvas, attributes: attributes)
  }
}

/// Renders a recording into a file, and then its first frames into nothing but their brightness.
@main enum Sample {
  static func main() async throws {
    let (input, output) = (CommandLine.arguments[1], CommandLine.arguments[2])
    var request = RenderRequest(input, to: output)
    request.look.layout = .policy(Column())
    request.look.size = ProposedSize(width: 160, height: 240)
    request.look.to = MediaTime(seconds: 2)
    let plan = try await Tessera.plan(request)
    print("planned: \(plan.duration) s of \(plan.participants.count) people")
    for try await update in Tessera.render(request) {
      switch update {
      case .rendering(let progress): print("\(progress.frames) frames")
      case .finished(let result): print("\(result.made.map(\.output))")
      default: break
      }
    }

    // A task that is canceled stops its render.
    let endless = Task {
      for try await _ in Tessera.render(RenderRequest(input, to: output + ".mkv")) {}
    }
    endless.cancel()
    _ = await endless.result

    try await Tessera.compose(request, frames: 0..<5) { number, luma, _, _ in
      print("canvas \(number): \(luma[luma.size.width / 2, luma.size.height / 2])")
    }
    try await renderOwn(output)
    try await perform(input, output)
    if CommandLine.arguments.count > 3 { try await batch(input, output, CommandLine.arguments[3]) }
  }

  /// Renders two calls, of which one does not exist, by processes of `program`.
  private static func batch(_ input: String, _ output: String, _ program: String) async throws {
    var jobs = [
      BatchJob(input, to: output + "-batch.mp4"),
      BatchJob(input + "-none", to: output + "-none.mp4"),
    ]
    jobs[0].request.look.to = MediaTime(seconds: 1)
    jobs[1].id = "none"
    for try await outcome in Batch(jobs, by: program).outcomes() {
      print("batch: \(outcome.id) ended with \(outcome.exit)")
    }
  }

  /// Makes files of both kinds, a stream and a page with one request.
  private static func perform(_ input: String, _ output: String) async throws {
    var request = RenderRequest(input, to: output + ".mp4")
    request.look.layout = .policy(Column())
    request.look.size = ProposedSize(width: 160, height: 240)
    request.look.to = MediaTime(seconds: 2)
    request.outputs += [.file(output + ".m4a"), .stream(output + "-web", [160])]
    request.sidecars.page = output + ".html"
    for try await case .finished(let result) in Tessera.render(request) {
      print("request: \(result.made.count) outputs, whole: \(result.isWhole)")
    }
  }

  /// Renders a call that is put together here, and keeps it as a session file.
  private static func renderOwn(_ output: String) async throws {
    var camera = Track(id: "camera", file: URL(filePath: output).lastPathComponent, start: .zero)
    camera.kind = .camera
    var recording = Recording(
      participants: [Participant(id: "ada", name: "Ada", tracks: [camera])])
    recording.events = [Event(MediaTime(seconds: 1), .focused("ada"))]
    let folder = URL(filePath: output).deletingLastPathComponent().path
    let session = SessionFile.text(recording)
    try Data(session.utf8).write(to: URL(filePath: folder + "/own.yaml"))
    let read = try SessionFile.recording(from: session, file: "own.yaml")
    print("own call: \(read.participants.map(\.name))")
    let request = RenderRequest(folder + "/own.yaml", to: folder + "/own.mp4")
    for try await case .finished(let result) in Tessera.render(request) {
      print("own call: \(result.made.count) outputs, whole: \(result.isWhole)")
    }
  }
}
