import Foundation
import Tessera

/// The Swift examples of the README and of the guide to the library. They are compiled and not run.
private enum GuideExamples {
  struct Column: LayoutPolicy {
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

  static func readme() async throws {
    var request = RenderRequest("recording/", to: "call.mp4")
    request.outputDefaults.layout = .named("speaker")  // or .policy(…), a layout of your own
    request.outputs += [.file("call.m4a"), .stream("web", [1080, 720])]
    request.sidecars.page = "call.html"
    for try await update in Tessera.render(request) {
      if case .rendering(let progress) = update { print(progress.fraction) }
    }
  }

  static func rendering() async throws {
    var request = RenderRequest("recording/", to: "call.mp4")
    request.outputDefaults.layout = .policy(Column())
    request.outputs += [.file("call.m4a"), .stream("web", [1080, 720]), .poster("call.jpg")]
    request.sidecars.page = "call.html"
    for try await update in Tessera.render(request) {
      switch update {
      case .rendering(let progress): print(progress.fraction)
      case .note(let text), .warning(let text), .error(let text): print(text)
      case .finished(let result): print(result.completedReports.map(\.output), result.hasLosses)
      default: break
      }
    }
  }

  static func batch() async throws {
    let night = try await Tessera.calls(below: "s3://recordings/night/").map {
      BatchJob($0.location, to: "s3://videos/\($0.name).mp4")
    }
    var batch = Batch(night, by: "/usr/bin/tessera")
    batch.retries = 2
    for try await outcome in batch.outcomes() {
      print(outcome.id, outcome.kind, outcome.error ?? "")
    }
  }

  static func planning(_ request: RenderRequest) async throws {
    let plan = try await Tessera.plan(request)
    print(plan.duration, plan.participants.map(\.name), plan.losses.map(\.sentence))
  }

  static func storing() throws {
    var request = RenderRequest("recording/", to: "call.mp4")
    request.outputDefaults.layout = .named("speaker")
    request.outputs += [.file("call.m4a"), .stream("web", [1080, 720]), .poster("call.jpg")]
    request.sidecars.report = "call.json"
    try JSONEncoder().encode(request).write(to: URL(filePath: "request.json"))
  }

  static func recording() throws -> RenderRequest {
    var camera = Track(id: "ada-camera", file: "ada.webm", kind: .camera, start: .zero)
    camera.gain = 3
    var recording = Recording(participants: [Participant(id: "ada", name: "Ada", tracks: [camera])])
    recording.events = [CallEvent(MediaTime(seconds: 1), .focused("ada"))]

    try Data(SessionFile.text(recording).utf8).write(to: URL(filePath: "recording/session.yaml"))
    let request = RenderRequest("recording/", to: "call.mp4")
    return request
  }

  static func composing(
    _ request: RenderRequest,
    _ show: @escaping @Sendable (_ number: Int, _ luma: Plane, _ blue: Plane, _ red: Plane) -> Void
  ) async throws {
    try await Tessera.compose(request, frames: 0..<250) { number, luma, blue, red in
      show(number, luma, blue, red)
    }
  }
}
