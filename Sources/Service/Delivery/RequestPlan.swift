import TesseraCompositor
import TesseraJobs
public import TesseraPixels
public import TesseraPlan
import TesseraPlanning
import TesseraRendering
public import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// Plans the main output of `request`, without making it: its length, the people in it, what was lost.
///
/// - Parameters:
///   - request: what is asked for; its inputs are files of this machine.
///   - program: the path of the `tessera` whose processes read the recordings, in a sandbox; nil for threads of this
///     process.
/// - Returns: the plan of the main output.
/// - Throws: ``RenderError`` where it cannot be made, and `CancellationError` where the task was canceled.
public func plan(_ request: RenderRequest, by program: String? = nil) async throws -> Plan {
  try await WorkUpdates.value(name: "planning") { cancellation throws(RenderError) in
    let context = RequestContext(cancellation, program: program)
    defer { context.unpacked.remove() }
    return try request.mainPlan(context)
  }
}

/// Composes frames of the main output of `request` and gives each to `body`, with its number and its planes: luma, and
/// blue and red chroma at half the size, which hold it during the call only. No file is made.
///
/// - Parameters:
///   - request: what is asked for; its inputs are files of this machine.
///   - frames: the numbers of the frames of the output; nil for all.
///   - program: as for ``plan(_:by:)``; pictures are decoded by threads of this process.
///   - body: receives each frame, on a thread of its own.
/// - Throws: ``RenderError`` where it cannot be made, and `CancellationError` where the task was canceled.
public func compose(
  _ request: RenderRequest, frames: Range<Int>? = nil, by program: String? = nil,
  _ body: @escaping @Sendable (_ number: Int, _ luma: Plane, _ blue: Plane, _ red: Plane) -> Void
) async throws {
  _ = try await WorkUpdates.value(name: "composing") { cancellation throws(RenderError) in
    let context = RequestContext(cancellation, program: program)
    defer { context.unpacked.remove() }
    let plan = try request.mainPlan(context)
    var renderer = FrameRenderer(
      plan, frames: FrameCut(plan.cut.call(frames ?? 0..<plan.cut.count)),
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
  /// The plan of the main output.
  fileprivate func mainPlan(_ context: RequestContext) throws(RenderError) -> Plan {
    try requireConsistency()
    let call = try callRequest(context.readers(root: execution.root), context)
    return try plans(for: [outputs[0]], of: call, cancellation: context.cancellation).plans[0]
  }
}
