import TesseraJobs
import TesseraMessages
public import TesseraRequest
package import TesseraSystem

/// Renders all outputs of `request` and writes its sidecar files. The last element is
/// ``RequestUpdate/finished(_:)``.
///
///     var request = RenderRequest("recording/", to: "call.mp4")
///     request.outputDefaults.layout = .policy(Column())
///     request.outputs.append(.stream("web", [1080, 720]))
///     request.sidecars.page = "call.html"
///     for try await update in Tessera.render(request) { … }
///
/// Rendering starts when the iteration starts. If the iterating task is canceled, rendering stops
/// and the iteration throws `CancellationError`. Nothing is printed.
///
/// - Parameters:
///   - request: the render to perform. Its places are files and folders of this machine, objects
///     and prefixes of buckets (`s3://…`), or `https` addresses. Keys come from the environment or
///     from ``ExecutionOptions/secrets``.
///   - program: the path of the `tessera` whose processes read and render the recordings, in a
///     sandbox; `nil` for threads of this process. A decoder that crashes then ends this process.
/// - Returns: the updates, in order.
public func render(_ request: RenderRequest, by program: String? = nil) -> RequestUpdates {
  RequestUpdates(request: request, program: program)
}

/// The updates of a request as an asynchronous sequence. Each iterator runs the request once.
public struct RequestUpdates: AsyncSequence, Sendable {
  public typealias Element = RequestUpdate

  let request: RenderRequest
  let program: String?

  /// Starts the request on a background thread.
  public func makeAsyncIterator() -> Iterator { Iterator(request, program) }

  /// The updates of one run of a request.
  public struct Iterator: AsyncIteratorProtocol {
    private var updates: BackgroundWorkStream<RequestUpdate>

    fileprivate init(_ request: RenderRequest, _ program: String?) {
      updates = BackgroundWorkStream(name: "request") { cancellation, report throws(RenderError) in
        var context = RequestContext(cancellation, program: program) { report($0.forPrograms) }
        context.spelling = { $0.description }
        try request.requireConsistency()
        if request.sidecars.report == "-" {
          throw RenderError(.usage, "the report is among the updates; give a file, or nothing.")
        }
        let result = try RequestRunner(request, context).makeOutputs()
        report(RequestUpdate.finished(result).forPrograms)
      }
    }

    /// Returns the next update; `nil` after the last one.
    ///
    /// - Throws: ``RenderError`` if the request fails, and `CancellationError` if the task was
    ///   canceled, after all of its work has ended.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> RequestUpdate? {
      try await updates.next(isolation: actor)
    }
  }
}

extension RenderRequest {
  /// Checks that the request has an input and an output and no contradictory settings.
  ///
  /// - Throws: a usage error that names the problem.
  package func requireConsistency() throws(RenderError) {
    guard !inputs.isEmpty, !outputs.isEmpty else {
      throw RenderError(
        .usage, "there is nothing to render: a request has an input and an output at least.")
    }
    if let problem { throw RenderError(.usage, "\(problem)") }
  }
}
