import Foundation
import TesseraJobs
import TesseraMedia
import TesseraPlanning
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// Performs a request whose places are anywhere: on files, of which the inputs are fetched before
/// and the outputs uploaded afterwards. The processes that decode have no network.
struct RequestDelivery {
  private let request: RenderRequest
  private let engine: RequestEngine

  /// What performs `request` by `engine`.
  init(_ request: RenderRequest, _ engine: RequestEngine) {
    (self.request, self.engine) = (request, engine)
  }

  /// Does it.
  ///
  /// - Throws: ``RenderError`` where it fails; what was made of it, such as a report, is uploaded.
  func run() throws(RenderError) -> RequestResult {
    do {
      guard try request.hasRemotePlaces else { return try RequestRun(request, engine).run() }
      return try deliver()
    } catch let error as RenderError {
      throw error
    } catch let error as StorageError {
      throw RenderError(error)
    } catch let error as SystemError {
      throw RenderError(error)
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }

  // MARK: Delivering

  private func deliver() throws -> RequestResult {
    let means = request.means
    guard means.workFolder.map({ !$0.contains("://") }) ?? true else {
      throw RenderError(
        .usage, "a program's work folder is one of this machine; have tessera perform the request.")
    }
    let remote = try request.places.map { try Location($0.text) }.filter(\.isRemote)
    let (tell, cancellation) = (engine.tell, engine.cancellation)
    let files = try RemoteFiles(
      try means.store(cancellation), cache: try means.requireFolder(), outputs: remote,
      overwriting: means.overwrites ?? false
    ) { tell(.note($0)) }
    return try files.exclusively { isDone in
      let local = try local(files)
      isDone = false
      let result = try perform(local, files)
      isDone = result.isWhole
      return result
    }
  }

  /// The request on files of this machine, with the inputs there.
  private func local(_ files: RemoteFiles) throws -> RenderRequest {
    for output in request.places {
      let location = try Location(output.text)
      guard location.isRemote else { continue }
      try files.require(location, entry: output.entry, isReplacing: output.isReplacing)
    }
    var paths: [String: String] = [:]
    for (number, output) in request.places.enumerated() where paths[output.text] == nil {
      let location = try Location(output.text)
      guard location.isRemote else { continue }
      paths[output.text] = try files.output(
        location, isFolder: output.isFolder, entry: output.entry, isMain: number == 0)
    }
    for text in request.inputFiles where paths[text] == nil {
      let location = try Location(text)
      guard location.isRemote else { continue }
      paths[text] = try fetch(text, location, files)
    }
    var local = request
    local.inputs = local.inputs.map { paths[$0] ?? $0 }
    for (number, text) in request.inputs.enumerated() {
      let path = local.inputs[number]
      if let place = try? Location(text), place.isRemote {
        try files.refuseForeign(session: path, from: place)
      }
      guard let session = SessionAddresses(path, isWantedWithout: true) else { continue }
      try files.require(beside: session)
      guard !session.addresses.isEmpty else { continue }
      local.inputs[number] = try files.rewrite(session, path, number: number, name: text)
    }
    local.mapFiles { paths[$0] ?? $0 }
    for number in local.outputs.indices {
      local.outputs[number].place =
        paths[local.outputs[number].place] ?? local.outputs[number].place
      local.outputs[number].options.mapFiles { paths[$0] ?? $0 }
    }
    local.sidecars.mapPlaces { paths[$0] ?? $0 }
    return local
  }

  private func fetch(_ text: String, _ location: Location, _ files: RemoteFiles) throws -> String {
    do throws(StorageError) {
      return try files.fetch(location)
    } catch {
      guard error.isAbsence, request.call.allowsMissing == true, request.inputs.contains(text)
      else {
        throw error
      }
      let path = "\(files.folder)/missing/\(location.name)"
      files.names.add(path, text)
      return path
    }
  }

  /// Makes all, and uploads it.
  private func perform(_ local: RenderRequest, _ files: RemoteFiles) throws -> RequestResult {
    let (names, made, tell) = (files.names, Monitor([String]()), engine.tell)
    var own = engine
    own.tell = { update in
      if case .made(let path) = update { made.update { $0.append(path) } }
      tell(update.known(names))
    }
    own.spelled = { names.inJSON($0) }
    own.address = { names.name(of: $0) }
    do {
      let result = try RequestRun(local, own).run()
      try files.upload(made: made.withLock { $0 })
      return result.known(names)
    } catch let error as RenderError {
      // A report on the failure goes where it was asked for.
      try? files.upload(made: made.withLock { $0 })
      throw RenderError(error.kind, names.known(error.message))
    }
  }
}

extension RenderError {
  /// Why something is not fetched or uploaded.
  fileprivate init(_ error: StorageError) {
    let kind: Kind =
      switch error.kind {
      case .usage: .usage
      case .failure: .failure
      case .temporary: .temporary
      case .cancelled: .cancelled
      }
    self.init(kind, error.description)
  }
}

extension RequestSidecars {
  /// Replaces all places that it names.
  fileprivate mutating func mapPlaces(_ map: (String) -> String) {
    (page, speakers, stems) = (page.map(map), speakers.map(map), stems.map(map))
    proof = proof.map(map)
    report = report.map { $0 == "-" ? $0 : map($0) }
    transcriptFiles = transcriptFiles.map(map)
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
    known.failures = failures.map { RenderError($0.kind, names.known($0.message)) }
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
