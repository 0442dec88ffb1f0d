import TesseraCompositor
import TesseraJobs
public import TesseraPixels
public import TesseraPlan
import TesseraPlanning
import TesseraRendering
public import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// Plans the main output of `request` without rendering it.
///
/// - Parameters:
///   - request: the render to plan. Its inputs must be files of this machine.
///   - program: the path of the `tessera` whose processes read the recordings, in a sandbox; `nil`
///     for threads of this process.
/// - Returns: the plan of the main output: its length, its participants and its losses.
/// - Throws: ``RenderError`` if planning fails, and `CancellationError` if the task was canceled.
public func plan(_ request: RenderRequest, by program: String? = nil) async throws -> Plan {
  try await BackgroundWorkStream.value(name: "planning") { cancellation throws(RenderError) in
    let context = RequestContext(cancellation, program: program)
    defer { context.unpacked.remove() }
    return try request.mainPlan(context)
  }
}

/// Composes frames of the main output of `request` and passes each to `body`. No file is written.
///
/// - Parameters:
///   - request: the render to compose. Its inputs must be files of this machine.
///   - frames: the frame numbers in the output; `nil` for all frames.
///   - program: the path of the `tessera` whose processes read the recordings for planning, in a
///     sandbox; `nil` for threads. Threads of this process decode the pictures in both cases.
///   - body: receives the frames in order, on a background thread: the frame number, the luma
///     plane, and the blue and red chroma planes at half the width and height. The planes are
///     only valid during the call.
/// - Throws: ``RenderError`` if a frame cannot be composed, and `CancellationError` if the task
///   was canceled.
public func compose(
  _ request: RenderRequest, frames: Range<Int>? = nil, by program: String? = nil,
  _ body: @escaping @Sendable (_ number: Int, _ luma: Plane, _ blue: Plane, _ red: Plane) -> Void
) async throws {
  _ = try await BackgroundWorkStream.value(name: "composing") { cancellation throws(RenderError) in
    let context = RequestContext(cancellation, program: program)
    defer { context.unpacked.remove() }
    let plan = try request.mainPlan(context)
    var renderer = FrameRenderer(
      plan, frames: FrameSelection(plan.cut.call(frames ?? 0..<plan.cut.count)),
      kernels: try request.execution.kernels(), cancellation: cancellation)
    renderer.run { number, canvas in
      canvas.withPlanes { luma, blue, red in
        body(plan.cut.output(from: number), luma, blue, red)
      }
    }
    if cancellation.isCancelled { throw .stopped(cancellation) }
    return plan.cut.count
  }
}

extension RenderRequest {
  /// Plans the first output of the request.
  ///
  /// - Throws: ``RenderError`` if the request is inconsistent or planning fails.
  fileprivate func mainPlan(_ context: RequestContext) throws(RenderError) -> Plan {
    try requireConsistency()
    let input = try openInputs(context)
    let call = try callRequest(input, context.readers(root: execution.root), context)
    return try plans(for: [outputs[0]], of: call, cancellation: context.cancellation).plans[0]
  }
}
