import Foundation
import SystemPackage
import TesseraDelivery
import TesseraJobs
import TesseraMedia
import TesseraPlanning
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// A command whose inputs or outputs lie in buckets or at addresses.
///
/// This process has the network and decodes nothing: it fetches the inputs, has the command run on
/// files by a process without the credentials, and uploads what that made.
struct RemoteRun {
  private let words: RemoteWords
  private let options: RequestMeans
  private let cache: String
  private let files: RemoteFiles

  /// - Parameters:
  ///   - words: the command line without the program.
  ///   - options: what the command line says about fetching.
  /// - Throws: where a variable of the environment contradicts itself.
  init(_ words: RemoteWords, _ options: RequestMeans) throws {
    (self.words, self.options) = (words, options)
    cache = try options.requireFolder()
    files = try RemoteFiles(
      try options.store(Interrupts.cancellation), cache: cache,
      outputs: words.places.filter(\.isOutput).map(\.location),
      overwriting: words.has("--overwrite")
    ) { Terminal.say("note: \($0)") }
  }

  /// Fetches, runs and uploads; returns the exit code.
  func run() throws -> CInt {
    try files.exclusively { isDone in try run(&isDone) }
  }

  private func run(_ isDone: inout Bool) throws -> CInt {
    try refuseLocalPlan()
    for place in words.places where place.isOutput {
      try files.require(
        place.location, entry: place.entry,
        isReplacing: place.option == "--report")
    }
    let joining = try JoinedPieces(words, options, files.store, cache) { location, isFolder in
      let entry = isFolder ? StreamFolder.entry : nil
      try files.require(location, entry: entry)
      return try files.output(location, isFolder: isFolder, entry: entry)
    }
    var local = try words.replacing { place in
      if let path = joining?.path(of: place) { return path }
      guard place.isOutput else { return try fetch(place) }
      let isMain = ["-o", "--output"].contains(place.option)
      return try files.output(
        place.location, isFolder: place.isFolder, entry: place.entry, isMain: isMain,
        isPlan: words.words.first == "plan" && isMain)
    }
    for index in local.indices.dropFirst() where joining == nil && !local[index].hasPrefix("-") {
      let place = words.places.first { $0.index == index }
      if let place, place.option == nil {
        try files.refuseForeign(session: local[index], from: place.location)
      }
      guard let session = SessionAddresses(local[index], isWantedWithout: true) else { continue }
      try files.require(beside: session)
      guard !session.addresses.isEmpty else { continue }
      local[index] = try files.rewrite(
        session, local[index], number: index, name: place.map { "\($0.location)" } ?? local[index])
    }
    isDone = false
    let status = try run(local)
    isDone = [0, ExitStatus.renderedWithLosses.rawValue].contains(status)
    if isDone { joining?.remove() }
    return status
  }

  /// Runs the command on files, and uploads what that makes; returns its exit code.
  private func run(_ local: [String]) throws -> CInt {
    let folder = files.folder
    let result = "\(folder)/result"
    let names = RemoteNames(names: files.names, result: result)
    let file = "\(folder)/remote.json"
    if let number = FileDescriptor.write(try JSONEncoder().encode(names), to: file) {
      throw SystemError("write", file, number: number)
    }
    FileSystem.remove(result)
    var variables = [RemoteNames.variable: file]
    if files.outputs.contains(where: \.isPlan) {
      // What is unpacked of archives is uploaded with the plan.
      let unpacked = "\(folder)/unpacked"
      try FileSystem.makeFolder(unpacked)
      variables["TMPDIR"] = unpacked
    }
    let child = try RemoteChild(local, variables, holdsOutput: !files.outputs.isEmpty)
    let status = child.wait(Interrupts.cancellation)
    try files.upload(made: [])
    StandardOutput.pass(child.output)
    if let line = FileManager.default.contents(atPath: result) {
      Terminal.write(String(decoding: line, as: UTF8.self))
    }
    return status
  }

  /// The path of a fetched input.
  private func fetch(_ place: RemoteWords.Place) throws -> String {
    if words.words.first == "import", case .web(let address) = place.location,
      address.contains("?")
    {
      throw StorageError(
        .usage,
        "\(place.location) has a query, which may be a signature, and a session file names files that "
          + "stay: download it, and import that.")
    }
    do throws(StorageError) {
      return try files.fetch(place.location)
    } catch {
      // The command says what is missing, as it does of files.
      guard error.isAbsence, words.has("--allow-missing"), place.option == nil else { throw error }
      let path = "\(files.folder)/missing/\(place.index)/\(place.location.name)"
      files.names.add(path, "\(place.location)")
      return path
    }
  }

  /// A plan on this machine cannot say where its outputs go.
  private func refuseLocalPlan() throws {
    let isLocal = !words.places.contains { ["-o", "--output"].contains($0.option) }
    guard words.words.first == "plan", isLocal,
      let other = words.places.first(where: { $0.option == "--also" })
    else { return }
    throw StorageError(
      .usage,
      "--also \(other.location): a plan with outputs in a bucket lies in a bucket, too; give -o "
        + "s3://bucket/work/plan.json, or name files.")
  }
}
