import TesseraJobs
public import TesseraRequest
package import TesseraSystem

/// Performs `request`: makes all its outputs, with what is written beside them. The last element is
/// ``RequestUpdate/finished(_:)``.
///
///     var request = RenderRequest("recording/", to: "call.mp4")
///     request.outputDefaults.layout = .policy(Column())
///     request.outputs.append(.stream("web", [1080, 720]))
///     request.sidecars.page = "call.html"
///     for try await update in Tessera.render(request) { … }
///
/// It begins with the first element that is asked for. A task that is canceled stops it, and gets
/// `CancellationError`. Nothing is printed.
///
/// - Parameters:
///   - request: what is asked for. Its places are files and folders of this machine, objects and
///     prefixes of buckets (`s3://…`), or `https` addresses; keys are those of the environment, or of
///     ``ExecutionOptions/secrets``.
///   - program: the path of the `tessera` whose processes read and render the recordings, in a
///     sandbox; nil for threads of this process, which a decoder that crashes ends.
/// - Returns: what happens, in order.
public func render(_ request: RenderRequest, by program: String? = nil) -> RequestUpdates {
  RequestUpdates(request: request, program: program)
}

/// What happens while a request is performed.
public struct RequestUpdates: AsyncSequence, Sendable {
  public typealias Element = RequestUpdate

  let request: RenderRequest
  let program: String?

  /// Begins to perform the request.
  public func makeAsyncIterator() -> Iterator { Iterator(request, program) }

  /// Performs a request once.
  public struct Iterator: AsyncIteratorProtocol {
    private var updates: WorkUpdates<RequestUpdate>

    fileprivate init(_ request: RenderRequest, _ program: String?) {
      updates = WorkUpdates(name: "request") { cancellation, report throws(RenderError) in
        let context = RequestContext(cancellation, program: program) { report($0.forPrograms) }
        try request.requireConsistency()
        if request.sidecars.report == "-" {
          throw RenderError(.usage, "the report is among the updates; give a file, or nothing.")
        }
        let result = try request.run(context)
        report(RequestUpdate.finished(result).forPrograms)
      }
    }

    /// The next one; nil after the last one.
    ///
    /// - Throws: ``RenderError`` where the request fails, and `CancellationError` once the task was
    ///   canceled and all work for it has ended.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> RequestUpdate? {
      try await updates.next(isolation: actor)
    }
  }
}

extension RenderRequest {
  /// Refuses what contradicts itself.
  package func requireConsistency() throws(RenderError) {
    guard !inputs.isEmpty, !outputs.isEmpty else {
      throw RenderError(
        .usage, "there is nothing to render: a request has an input and an output at least.")
    }
    if let problem { throw RenderError(.usage, "\(problem)") }
  }
}
