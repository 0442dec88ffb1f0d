package import TesseraRequest
import TesseraStorage
package import TesseraSystem

/// A request whose places are anywhere, on files of this machine: its inputs are fetched, and its outputs made where they
/// are uploaded from.
package final class LocalRequest {
  /// The files that stand for places elsewhere.
  package let files: RemoteFiles
  /// The request, which names files once they are there.
  package private(set) var request: RenderRequest
  private let places: [RequestPlace]
  /// What is made first, wherever that is.
  private let main: String?
  private var paths: [String: String] = [:]

  /// - Parameters:
  ///   - request: what is asked for.
  ///   - own: what else is made, before all others.
  ///   - cancellation: ends fetching and uploading early.
  ///   - tell: receives what is worth knowing: a sentence.
  /// - Throws: where a place cannot be, or the folder of what is fetched cannot be made.
  package init(
    _ request: RenderRequest, beside own: [RequestPlace] = [], _ cancellation: Cancellation,
    tell: @escaping @Sendable (String) -> Void
  ) throws {
    self.request = request
    let all = own + request.places
    main = all.first?.text
    places = try all.filter { try Location($0.text).isRemote }
    files = try RemoteFiles(
      try request.means.store(cancellation), cache: try request.means.requireFolder(),
      outputs: try places.map { try Location($0.text) },
      overwriting: request.means.overwrites ?? false, tell: tell)
  }

  /// The path of an input or output that the request, or who asked for it, calls `text`.
  package func path(of text: String) -> String { paths[text] ?? text }

  /// Makes sure that all outputs can be made, and fetches all inputs.
  package func fetch() throws {
    for output in places {
      try files.require(
        try Location(output.text), entry: output.entry, isReplacing: output.isReplacing)
    }
    for output in places where paths[output.text] == nil {
      paths[output.text] = try files.output(
        try Location(output.text), isFolder: output.isFolder, entry: output.entry,
        isMain: output.text == main, isPlan: output.isPlan)
    }
    for text in request.inputFiles where paths[text] == nil {
      let location = try Location(text)
      if location.isRemote { paths[text] = try fetch(text, location) }
    }
    let inputs = request.inputs
    request.inputs = inputs.map(path(of:))
    for (number, text) in inputs.enumerated() {
      let path = request.inputs[number]
      if let place = try? Location(text), place.isRemote {
        try files.refuseForeign(session: path, from: place)
      }
      guard let session = SessionAddresses(path, isWantedWithout: true) else { continue }
      try files.require(beside: session)
      guard !session.addresses.isEmpty else { continue }
      request.inputs[number] = try files.rewrite(session, path, number: number, name: text)
      paths[text] = request.inputs[number]
    }
    request.mapFiles(path(of:))
    for number in request.outputs.indices {
      request.outputs[number].place = path(of: request.outputs[number].place)
      request.outputs[number].options.mapFiles(path(of:))
    }
    request.sidecars.mapPlaces(path(of:))
  }

  private func fetch(_ text: String, _ location: Location) throws -> String {
    do throws(StorageError) {
      return try files.fetch(location)
    } catch {
      // The reader reports what is missing, as it does for files.
      guard error.isAbsence, request.call.allowsMissing == true, request.inputs.contains(text)
      else { throw error }
      let path = "\(files.folder)/missing/\(paths.count)/\(location.name)"
      files.names.add(path, text)
      return path
    }
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
