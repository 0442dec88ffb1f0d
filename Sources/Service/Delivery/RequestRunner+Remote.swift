import TesseraMessages
import TesseraRendering
import TesseraRequest
import TesseraStorage
package import TesseraSystem

extension RequestRunner {
  /// Runs the request of `session`, whose inputs are fetched. A remote work folder is mirrored in a
  /// local one.
  func makeOutputs(in session: TransferSession) throws -> RequestResult {
    var request = session.request
    let context = session.context
    // The process with the keys must not decode recordings: worker processes do.
    if context.program != nil, request.execution.executor == .threads {
      request.execution.executor = .processes
    }
    var kept: BucketPieceCache?
    if let work = request.execution.workFolder, let place = try? Location(work), place.isRemote {
      let pieces = try BucketPieceCache(
        place, request.execution, at: "\(session.folder)/work",
        isRetrying: request.execution.retriesLosses == true, context.cancellation)
      (kept, request.execution.workFolder) = (pieces, pieces.folder.path)
    }
    func make(_ context: RequestContext) throws(RenderError) -> RequestResult {
      try RequestRunner(
        request, reading: lists, context, madeFrom: madeFrom, isFetched: true
      ).makeOutputs()
    }
    do {
      return try (kept?.keeping(context) { try make($0) } ?? make(context))
        .named(by: session.names)
    } catch let error as RenderError {
      // Uploads the report on the failure.
      try? session.upload()
      throw error
    }
  }
}

extension RenderError {
  /// Converts any error of fetching, rendering or uploading. An unknown type becomes a usage
  /// error.
  package init(delivering error: any Error) {
    switch error {
    case let error as RenderError: self = error
    case let error as SystemError: self.init(error)
    case let error as StorageError: self.init(error)
    default: self.init(.usage, "\(error)")
    }
  }
}
