import Foundation
import SystemPackage
import TesseraMessages
import TesseraPlan
package import TesseraPlanning
import TesseraRendering
package import TesseraRequest
package import TesseraStorage
package import TesseraSystem

/// Runs work on files of this machine for a request whose inputs and outputs may be in buckets or
/// at addresses.
///
/// A session fetches the inputs, gives each output a file, runs the work, and uploads the outputs.
/// The session owns the names that messages and reports show for files. The process with the
/// session has the network and the keys; workers without a network decode the recordings.
package final class TransferSession {
  /// The request, with files in place of addresses once the inputs are fetched.
  package private(set) var request: RenderRequest
  /// The places of the outputs: those of the command, then those of the request.
  package private(set) var places: [OutputLocation]
  /// Names for the files of inputs and outputs.
  package private(set) var names = FileDisplayNames()
  /// The fetched objects by location.
  package private(set) var objects: [String: ObjectIdentity] = [:]
  /// The folder of the outputs. The same outputs have the same folder, so that an interrupted run
  /// continues; empty if all places are on this machine.
  package let folder: String
  private let remote: ObjectStore?
  /// The temporary folder that replaces ``folder`` if no output is uploaded, because no later run
  /// has anything to continue; `nil` otherwise.
  private let scratch: ScratchFolder?
  private let base: RequestContext
  private let isOverwriting: Bool
  /// The files of inputs and outputs by the text that names them.
  private var files: [String: String] = [:]
  /// The number of outputs that have a file in ``folder``.
  private var outputCount = 0
  /// The paths that the work reported as created.
  private let made = ConditionLock([String]())

  /// - Parameters:
  ///   - request: the inputs, outputs and files beside the outputs.
  ///   - own: the outputs of a command, before those of the request.
  ///   - isRemote: true if the work needs a store for more than the places.
  ///   - context: the environment in which the work runs.
  /// - Throws: if an address is invalid or the folder cannot be created.
  package init(
    _ request: RenderRequest, beside own: [OutputLocation] = [], isRemote: Bool = false,
    _ context: RequestContext
  ) throws {
    (self.request, base) = (request, context)
    isOverwriting = request.execution.overwrites ?? false
    places = own + request.places
    for place in places { _ = try Location(place.name) }
    let locations = places.compactMap(\.location)
    guard try isRemote || !locations.isEmpty || request.hasRemotePlaces else {
      (remote, scratch, folder) = (nil, nil, "")
      return
    }
    let cache = try request.execution.requireFolder()
    remote = try request.execution.store(context.cancellation)
    StaleFolderCleanup.empty(in: cache)
    try FileOperations.makeFolder(cache)
    scratch = locations.isEmpty ? try ScratchFolder(in: cache) : nil
    let text = locations.map { "\($0)" }.joined(separator: "\n")
    let hash = SHA256.digest(Array(text.utf8)).prefix(16).hexadecimal
    folder = scratch?.path ?? "\(cache)/outputs/\(hash)"
    try FileOperations.makeFolder(folder)
  }

  /// True if a place is in a bucket or at an address, or the work needs a store.
  package var isRemote: Bool { remote != nil }

  /// True if an output is uploaded.
  package var isUploading: Bool { places.contains { $0.location != nil } }

  /// The client of buckets and addresses.
  package var store: ObjectStore {
    get throws { try remote ?? request.execution.store(base.cancellation) }
  }

  /// The environment in which the work runs. It reports files by their names.
  package var context: RequestContext {
    guard isRemote else { return base }
    var context = base
    let (names, made, report) = (names, made, base.report)
    context.names = names
    context.report = { update in
      if case .created(let path) = update { made.update { $0.append(path) } }
      report(update.named(by: names))
    }
    return context
  }

  /// Fetches the inputs, runs `work`, and uploads the outputs.
  ///
  /// - Parameters:
  ///   - isDone: true if `work` made everything. Otherwise its files stay for the next run.
  ///   - work: makes the outputs at the files of ``places`` from ``request``.
  /// - Returns: the result of `work`.
  /// - Throws: what fetching, `work` or uploading throws, with names in place of paths.
  package func perform<Result>(
    isDone: (Result) -> Bool = { _ in true }, _ work: (TransferSession) throws -> Result
  ) throws -> Result {
    defer { base.unpacked.remove() }
    do {
      guard isRemote else { return try work(self) }
      // A scratch folder has its own lock.
      let lock = scratch == nil ? try FolderLock.take(folder) : nil
      guard scratch != nil || lock != nil else {
        throw StorageError(.temporary, "another render makes the same output; wait for it.")
      }
      defer { withExtendedLifetime(lock) {} }
      var isKept = false
      defer {
        if !isKept || scratch != nil { try? FileManager.default.removeItem(atPath: folder) }
      }
      try fetch()
      isKept = true
      let result = try work(self)
      try upload()
      isKept = !isDone(result)
      return result
    } catch {
      throw names.error(error)
    }
  }

  /// The inputs as a call.
  package func open() throws(RenderError) -> ImportedCall { try request.openInputs(context) }

  /// The call with the request's settings.
  package func callRequest() throws(RenderError) -> CallRequest {
    let context = context
    return try request.callRequest(try open(), context.readers(), context)
  }

  // MARK: Inputs

  /// Checks that all outputs can be uploaded, and fetches all inputs.
  func fetch() throws {
    for place in places where place.location != nil { try require(place) }
    for index in places.indices where places[index].location != nil {
      places[index].file = try files[places[index].name] ?? file(for: places[index])
      files[places[index].name] = places[index].file
    }
    for text in request.inputFiles where files[text] == nil {
      let location = try Location(text)
      if location.isRemote { files[text] = try fetch(input: text, location) }
    }
    let inputs = request.inputs
    request.inputs = inputs.map(file(of:))
    for (number, text) in inputs.enumerated() {
      guard let session = SessionFileAddresses(request.inputs[number]) else { continue }
      try refuseForeign(session, at: try Location(text))
      try require(beside: session)
      guard !session.addresses.isEmpty else { continue }
      request.inputs[number] = try rewrite(session, number: number, name: text)
      files[text] = request.inputs[number]
    }
    request.mapFiles(file(of:))
    for number in request.outputs.indices {
      request.outputs[number].destination = file(of: request.outputs[number].destination)
      request.outputs[number].options.mapFiles(file(of:))
    }
    request.sidecars.mapPlaces(file(of:))
  }

  private func file(of text: String) -> String { files[text] ?? text }

  private func fetch(input text: String, _ location: Location) throws -> String {
    do {
      return try fetch(location)
    } catch let error as StorageError {
      // The reader reports what is missing, as it does for files.
      guard error.isAbsence, request.call.allowsMissing == true, request.inputs.contains(text)
      else { throw error }
      let path = "\(folder)/missing/\(files.count)/\(location.name)"
      names.add(path, text)
      return path
    }
  }

  private func fetch(_ location: Location, isNamedByUser: Bool = true) throws -> String {
    let (isReported, report) = (ConditionLock(false), base.report)
    let fetched = try store.fetch(location, isNamedByUser: isNamedByUser) { _, total in
      let isFirst = isReported.withLock { isReported in
        defer { isReported = true }
        return !isReported
      }
      guard isFirst, total > 64 << 20 else { return }
      report(.note("fetching \(total >> 20) MiB from \(location)."))
    }
    names.add(fetched.folder, fetched.name)
    for object in fetched.objects.values { objects[object.location] = object }
    return fetched.path
  }

  /// Refuses a fetched session file that names anything outside of its folder.
  private func refuseForeign(_ session: SessionFileAddresses, at location: Location) throws {
    guard location.isRemote,
      let outside = session.outside(String("\(location)".dropLast(location.name.count)))
    else { return }
    let name = (try? Location(outside)).map { "\($0)" } ?? outside
    throw StorageError(
      .usage,
      "\(location) names \(name), which is not beside it; download both, and name the files.")
  }

  /// Fetches the addresses in a session file that the user calls `name`, and writes a session file
  /// that names files.
  private func rewrite(
    _ session: SessionFileAddresses, number: Int, name: String
  ) throws -> String {
    var files: [String: String] = [:]
    for address in session.addresses {
      files[address] = try fetch(try Location(address), isNamedByUser: false)
    }
    let folder = "\(folder)/session-\(number)"
    try FileOperations.makeFolder(folder)
    let own = URL(fileURLWithPath: request.inputs[number]).deletingPathExtension()
      .lastPathComponent
    let rewritten = "\(folder)/\(own).json"
    if let number = FileDescriptor.write(Data(session.json(files).utf8), to: rewritten) {
      throw SystemError("write", rewritten, number: number)
    }
    names.add(rewritten, name)
    return rewritten
  }

  // MARK: Outputs

  /// Adds an output that only the work knows, such as an output of a plan, and returns its file.
  package func add(_ place: OutputLocation) throws -> String {
    var place = place
    try require(place)
    place.file = try file(for: place)
    places.append(place)
    return place.file
  }

  /// Checks that a place can be written and has no object that Tessera did not make.
  private func require(_ place: OutputLocation) throws {
    if !place.isReplacing { try refuseForeign(place) }
    if let object = place.lastObject { try store.requireWritable(object) }
  }

  private func refuseForeign(_ place: OutputLocation) throws {
    guard let object = place.lastObject, !isOverwriting, try store.holdsForeign(object) else {
      return
    }
    throw StorageError(
      .usage,
      "\(place.location ?? object) exists and was not made by Tessera; give another name, or "
        + "\(option: "overwrite").")
  }

  /// Checks the places of further outputs that a session file requests beside the main output.
  private func require(beside session: SessionFileAddresses) throws {
    guard let main = places.first, main.location != nil else { return }
    for name in session.outputs { if let place = main.beside(name) { try require(place) } }
  }

  /// The file for an output, in a folder of its own, with the names of both.
  private func file(for place: OutputLocation) throws -> String {
    guard let location = place.location else { return place.file }
    let own = "\(folder)/\(outputCount)"
    outputCount += 1
    try FileOperations.makeFolder(own)
    var place = place
    place.file = "\(own)/\(location.name)"
    // The last run's upload has changed the plan.
    if place.isPlan { FileOperations.remove(place.file) }
    names.add(place.file, "\(location)")
    names.add(place.folders.file, place.folders.name)
    return place.file
  }

  /// Uploads the outputs that exist, with those that a session file requested beside them and the
  /// files of a page. A report is also uploaded if the rest failed.
  func upload() throws {
    var known: Set<String> = []
    let outputs = places.filter { $0.location != nil && known.insert($0.file).inserted }
    let others = made.withLock(\.self).compactMap { path in
      outputs.lazy.compactMap { output -> OutputLocation? in
        let folder = "\(output.folders.file)/"
        guard path.hasPrefix(folder) else { return nil }
        return output.beside(String(path.dropFirst(folder.count).prefix { $0 != "/" }))
      }.first
    }.filter { known.insert($0.file).inserted }
    for other in others { try refuseForeign(other) }
    for output in outputs + others where FileOperations.exists(output.file) { try upload(output) }
  }

  private func upload(_ place: OutputLocation) throws {
    guard let location = place.location else { return }
    guard !place.isPlan else {
      let plan = try WorkPlan.read(place.file).named(by: names)
      return try BucketWorkFolder.put(plan, place.file, at: location, with: store, known: objects)
    }
    guard place.isFolder else {
      try store.upload(place.file, to: location, made: OutputProvenance(of: place.file)?.text)
      FileOperations.remove(place.file)
      return
    }
    // The entry follows the files that it names.
    let names = Self.files(in: place.file).filter { $0 != place.entry }
    for name in names + [place.entry].compactMap(\.self) {
      guard let location = location.appending(name) else { continue }
      let made = name == place.entry ? OutputProvenance(of: place.file)?.text : nil
      try store.upload("\(place.file)/\(name)", to: location, made: made)
    }
  }

  /// The files in a folder and its subfolders as relative paths, without hidden files.
  private static func files(in folder: String) -> [String] {
    FileOperations.names(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name in
      let path = "\(folder)/\(name)"
      return FileOperations.isFolder(path) ? files(in: path).map { "\(name)/\($0)" } : [name]
    }
  }
}

extension SidecarRequest {
  /// Replaces the places of all files beside the outputs.
  fileprivate mutating func mapPlaces(_ map: (String) -> String) {
    (page, speakers, stems) = (page.map(map), speakers.map(map), stems.map(map))
    proof = proof.map(map)
    report = report.map { $0 == "-" ? $0 : map($0) }
    transcriptFiles = transcriptFiles.map(map)
  }
}
