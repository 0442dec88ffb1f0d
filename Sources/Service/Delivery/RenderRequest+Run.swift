import TesseraMessages
import TesseraRendering
package import TesseraRequest
import TesseraStorage
package import TesseraSystem

extension RenderRequest {
  /// Renders all outputs and writes the sidecar files, on this machine or in buckets.
  ///
  /// This file only hands on. ``Session/perform(isDone:_:)`` fetches inputs and uploads outputs; if
  /// all places are on this machine, it only calls its closure and removes an unpacked archive.
  /// ``RequestRunner`` does the work.
  ///
  /// - Parameters:
  ///   - lists: the files that the request was read from, which no output may replace.
  ///   - context: the environment in which the request runs.
  ///   - madeFrom: the provenance to store in the main output, if any.
  /// - Returns: the reports on the outputs.
  /// - Throws: ``RenderError`` if the request fails. A report on the failure is uploaded.
  package func run(
    reading lists: [String] = [], _ context: RequestContext, madeFrom: String? = nil
  ) throws(RenderError) -> RequestResult {
    do {
      return try Session(self, context).perform(isDone: \.isComplete) { session in
        try session.run(reading: lists, madeFrom)
      }
    } catch {
      throw RenderError(delivering: error)
    }
  }
}

extension Session {
  /// Runs the request with ``RequestRunner``, on files of this machine. A remote work folder is
  /// mirrored in a local one.
  fileprivate func run(reading lists: [String], _ madeFrom: String?) throws -> RequestResult {
    var request = request
    func run(_ context: RequestContext) throws(RenderError) -> RequestResult {
      context.begin()
      return try RequestRunner(request, reading: lists, context, madeFrom: madeFrom).run()
    }
    guard isRemote else { return try run(context) }
    // The process with the keys must not decode recordings: worker processes do.
    if context.program != nil, request.execution.executor == .threads {
      request.execution.executor = .processes
    }
    var kept: BucketPieceCache?
    if let work = request.execution.workFolder, let place = try? Location(work), place.isRemote {
      let pieces = try BucketPieceCache(
        place, request.execution, at: "\(folder)/work",
        isRetrying: request.execution.retriesLosses == true, context.cancellation)
      (kept, request.execution.workFolder) = (pieces, pieces.folder.path)
    }
    do {
      return try (kept?.keeping(context) { try run($0) } ?? run(context)).named(by: names)
    } catch let error as RenderError {
      // Uploads the report on the failure.
      try? upload()
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
