import Foundation
import TesseraCodecs
import TesseraRendering
package import TesseraRequest
import TesseraStorage
package import TesseraSystem

/// Performs a request whose places are anywhere: on files, of which the inputs are fetched before
/// and the outputs uploaded afterwards. The processes that decode have no network.
package struct RequestDelivery {
  private let request: RenderRequest
  private let lists: [String]
  private let engine: RequestEngine
  private let madeFrom: String?

  /// - Parameters:
  ///   - request: what is asked for.
  ///   - lists: files that it was read from, which no output may be.
  ///   - engine: by what it is done.
  ///   - madeFrom: what the output is to say that it was made from.
  package init(
    _ request: RenderRequest, reading lists: [String] = [], _ engine: RequestEngine,
    madeFrom: String? = nil
  ) {
    (self.request, self.lists, self.engine) = (request, lists, engine)
    self.madeFrom = madeFrom
  }

  /// Does it.
  ///
  /// - Throws: ``RenderError`` where it fails; what was made of it, such as a report, is uploaded.
  package func run() throws(RenderError) -> RequestResult {
    do {
      guard try request.hasRemotePlaces else { return try run(request, engine) }
      return try deliver()
    } catch {
      throw RenderError(delivering: error)
    }
  }

  private func run(
    _ request: RenderRequest, _ engine: RequestEngine
  ) throws(RenderError) -> RequestResult {
    engine.begin()
    return try RequestRun(request, reading: lists, engine, madeFrom: madeFrom).run()
  }

  // MARK: Delivering

  private func deliver() throws -> RequestResult {
    let (means, tell, cancellation) = (request.means, engine.tell, engine.cancellation)
    let delivered = try LocalRequest(request, cancellation) { tell(.note($0)) }
    let files = delivered.files
    return try files.exclusively { isDone in
      try delivered.fetch()
      var local = delivered.request
      // The process with the keys decodes nothing.
      if engine.program != nil, local.means.executor == .threads {
        local.means.executor = .processes
      }
      var kept: KeptPieces?
      if let folder = means.workFolder, let place = try? Location(folder), place.isRemote {
        let pieces = try KeptPieces(
          place, means, at: "\(files.folder)/work", isRetrying: means.retriesLosses == true,
          cancellation)
        (kept, local.means.workFolder) = (pieces, pieces.folder.path)
      }
      isDone = false
      let result = try perform(local, files, kept)
      isDone = result.isWhole
      return result
    }
  }

  /// Makes all, and uploads it.
  private func perform(
    _ local: RenderRequest, _ files: RemoteFiles, _ kept: KeptPieces?
  ) throws -> RequestResult {
    let (names, made, tell) = (files.names, Monitor([String]()), engine.tell)
    var own = engine
    own.tell = { update in
      if case .made(let path) = update { made.update { $0.append(path) } }
      tell(update.known(names))
    }
    own.spelled = { names.inJSON($0) }
    own.address = { names.name(of: $0) }
    do {
      let result = try kept?.keeping(own) { try run(local, $0) } ?? run(local, own)
      try files.upload(made: made.withLock { $0 })
      return result.known(names)
    } catch let error as RenderError {
      // A report on the failure goes where it was asked for.
      try? files.upload(made: made.withLock { $0 })
      throw error.known(names)
    }
  }
}

extension RenderError {
  /// Why something is not fetched, made or uploaded.
  package init(delivering error: any Error) {
    switch error {
    case let error as RenderError: self = error
    case let error as SystemError: self.init(error)
    case let error as StorageError: self.init(error)
    default: self.init(.usage, "\(error)")
    }
  }
}

extension RenderError {
  /// The error with the names that people know.
  fileprivate func known(_ names: PlaceNames) -> RenderError {
    RenderError(kind, sentence.mapTexts(names.known))
  }
}

extension RequestUpdate {
  /// The same with the names that people know.
  fileprivate func known(_ names: PlaceNames) -> RequestUpdate {
    switch self {
    case .planning, .rendering: self
    case .note(let text): .note(names.known(text))
    case .warning(let text): .warning(names.known(text))
    case .error(let text): .error(names.known(text))
    case .made(let path): .made(names.name(of: path) ?? path)
    case .report(let report): .report(report.known(names))
    case .finished(let result): .finished(result.known(names))
    }
  }
}

extension RequestResult {
  /// The same with the names that people know.
  fileprivate func known(_ names: PlaceNames) -> RequestResult {
    var known = self
    known.report = report.known(names)
    known.stills = stills.map { names.name(of: $0) ?? $0 }
    known.failures = failures.map { $0.known(names) }
    return known
  }
}

extension RenderReport {
  /// The same with the names that people know.
  fileprivate func known(_ names: PlaceNames) -> RenderReport {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    guard let bytes = try? encoder.encode(self),
      let known = try? JSONDecoder().decode(
        RenderReport.self, from: Data(names.inJSON(String(decoding: bytes, as: UTF8.self)).utf8))
    else { return self }
    return known
  }
}
