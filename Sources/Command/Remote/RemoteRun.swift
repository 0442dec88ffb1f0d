import Foundation
import Glibc
import SystemPackage
import TesseraDelivery
import TesseraJobs
import TesseraMedia
import TesseraPlan
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
  private let store: Store
  private let cache: String
  /// Where outputs are made, the same for the same outputs: an interrupted render goes on.
  private let folder: String
  /// That folder where no output is remote, so that nobody goes on with it.
  private let scratch: ScratchFolder?

  /// - Parameters:
  ///   - words: the command line without the program.
  ///   - options: what the command line says about fetching.
  /// - Throws: where a variable of the environment contradicts itself.
  init(_ words: RemoteWords, _ options: RequestMeans) throws {
    (self.words, self.options) = (words, options)
    cache = try options.requireFolder()
    store = try options.store(Interrupts.cancellation)
    let outputs = words.places.filter(\.isOutput).map { "\($0.location)" }
    AbandonedFolders.empty(in: cache)
    try FileSystem.makeFolder(cache)
    scratch = outputs.isEmpty ? try ScratchFolder(in: cache) : nil
    folder = scratch?.path ?? "\(cache)/outputs/\(Self.hash(outputs.joined(separator: "\n")))"
  }

  private static func hash(_ text: String) -> String {
    SHA256.digest(Array(text.utf8)).prefix(16).hexadecimal
  }

  /// What has been fetched: what people call it, and what it was.
  private struct Inputs {
    var names = RemoteNames()
    var objects: [String: StoredObject] = [:]

    mutating func add(_ fetched: Fetched) {
      names.add([.init(path: fetched.folder, name: fetched.name)])
      for object in fetched.objects.values { objects[object.location] = object }
    }

    mutating func add(_ output: RemoteOutput) {
      let (path, prefix) = output.folders
      names.add([
        .init(path: output.path, name: "\(output.location)"), .init(path: path, name: prefix),
      ])
    }

    mutating func add(_ path: String, _ name: String) { names.add([.init(path: path, name: name)]) }
  }

  /// Fetches, runs and uploads; returns the exit code.
  func run() throws -> CInt {
    try FileSystem.makeFolder(folder)
    // A scratch folder has its own lock.
    guard scratch == nil else { return try runAlone() }
    guard let lock = try FolderLock.take(folder) else {
      throw StorageError(.temporary, "another render makes the same output; wait for it.")
    }
    defer { withExtendedLifetime(lock) {} }
    return try runAlone()
  }

  private func runAlone() throws -> CInt {
    var isDone = true
    defer {
      if isDone || scratch != nil { try? FileManager.default.removeItem(atPath: folder) }
    }
    try refuseLocalPlan()
    for place in words.places where place.isOutput {
      try require(
        place.location, entry: place.entry,
        isReplacing: ["--stems", "--report"].contains(place.option))
    }
    var inputs = Inputs()
    var outputs: [RemoteOutput] = []
    let joining = try JoinedPieces(words, options, store, cache) { location, isFolder in
      let entry = isFolder ? StreamFolder.entry : nil
      try require(location, entry: entry)
      let output = try self.output(location, outputs.count, isFolder: isFolder, entry: entry)
      outputs.append(output)
      inputs.add(output)
      return output.path
    }
    var kept: KeptPieces?
    var local = try words.replacing { place in
      if let path = joining?.path(of: place) { return path }
      if place.option == "--work-dir" {
        let pieces = try KeptPieces(
          place.location, options, at: "\(folder)/work", isRetrying: words.has("--retry-losses"),
          Interrupts.cancellation)
        kept = pieces
        inputs.names.pieces = pieces.gate.path
        return pieces.folder.path
      }
      guard place.isOutput else { return try fetch(place, &inputs) }
      let output = try self.output(place, outputs.count)
      outputs.append(output)
      inputs.add(output)
      return output.path
    }
    for index in local.indices.dropFirst() where joining == nil && !local[index].hasPrefix("-") {
      try refuseForeign(local[index], index)
      guard let session = SessionAddresses(local[index], isWantedWithout: true) else { continue }
      for name in session.outputs {
        if let other = outputs.first(where: \.isMain)?.beside(name) { try require(other.location) }
      }
      guard !session.addresses.isEmpty else { continue }
      local[index] = try rewrite(session, local[index], index, &inputs)
    }
    isDone = false
    let status = try run(local, inputs, outputs, kept)
    isDone = [0, ExitStatus.renderedWithLosses.rawValue].contains(status)
    if isDone { joining?.remove() }
    return status
  }

  /// Runs the command on files, and uploads what that makes; returns its exit code.
  private func run(
    _ local: [String], _ inputs: Inputs, _ outputs: [RemoteOutput], _ kept: KeptPieces?
  ) throws -> CInt {
    var names = inputs.names
    let (result, made) = ("\(folder)/result", "\(folder)/made.json")
    (names.result, names.made) = (result, made)
    let file = "\(folder)/remote.json"
    if let number = FileDescriptor.write(try JSONEncoder().encode(names), to: file) {
      throw SystemError("write", file, number: number)
    }
    for file in [result, made] { FileSystem.remove(file) }
    var variables = [RemoteNames.variable: file]
    if outputs.contains(where: \.isPlan) {
      // What is unpacked of archives is uploaded with the plan.
      let unpacked = "\(folder)/unpacked"
      try FileSystem.makeFolder(unpacked)
      variables["TMPDIR"] = unpacked
    }
    let child = try RemoteChild(local, variables, holdsOutput: !outputs.isEmpty)
    let status = try child.wait(Interrupts.cancellation) { try kept?.look() }
    try kept?.finish()
    let others = Self.others(made, beside: outputs)
    for other in others { try refuseForeign(other.location, entry: other.entry) }
    try upload(outputs + others, inputs)
    StandardOutput.pass(child.output)
    if let line = FileManager.default.contents(atPath: result) {
      Terminal.write(String(decoding: line, as: UTF8.self))
    }
    return status
  }

  /// What else was made in the folders of outputs, as the list at `path` says: what a session asks
  /// for, and what belongs to a page.
  private static func others(_ path: String, beside outputs: [RemoteOutput]) -> [RemoteOutput] {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    let made: [String] = PlainJSON.value(data) ?? []
    var known = Set(outputs.map(\.path))
    return made.compactMap { path in
      outputs.lazy.compactMap { output in
        let folder = "\(output.folders.path)/"
        guard path.hasPrefix(folder) else { return nil }
        return output.beside(String(path.dropFirst(folder.count).prefix { $0 != "/" }))
      }.first
    }.filter { known.insert($0.path).inserted }
  }

  /// The path of a fetched input.
  private func fetch(_ place: RemoteWords.Place, _ inputs: inout Inputs) throws -> String {
    if words.words.first == "import", case .web(let address) = place.location,
      address.contains("?")
    {
      throw StorageError(
        .usage,
        "\(place.location) has a query, which may be a signature, and a session file names files that "
          + "stay: download it, and import that.")
    }
    do throws(StorageError) {
      let isTold = Monitor(false)
      let fetched = try store.fetch(place.location) { arrived, total in
        let isFirst = isTold.withLock { isTold in
          defer { isTold = true }
          return !isTold
        }
        guard isFirst, total > 64 << 20 else { return }
        Terminal.say("note: fetching \(total >> 20) MiB from \(place.location).")
      }
      inputs.add(fetched)
      return fetched.path
    } catch {
      // The command says what is missing, as it does of files.
      guard error.isAbsence, words.has("--allow-missing"), place.option == nil else { throw error }
      let path = "\(folder)/missing/\(place.index)/\(place.location.name)"
      inputs.add(path, "\(place.location)")
      return path
    }
  }

  /// Makes sure that a session file that was fetched names only what lies beside it.
  private func refuseForeign(_ path: String, _ index: Int) throws {
    guard let place = words.places.first(where: { $0.index == index && $0.option == nil }),
      let session = SessionAddresses(path, isWantedWithout: true),
      let outside = session.outside(
        String("\(place.location)".dropLast(place.location.name.count)))
    else { return }
    let name = (try? Location(outside)).map { "\($0)" } ?? outside
    throw StorageError(
      .usage,
      "\(place.location) names \(name), which does not lie beside it; download both, and name files."
    )
  }

  /// Fetches what a session file names; returns the path of one that names files.
  private func rewrite(
    _ session: SessionAddresses, _ path: String, _ index: Int, _ inputs: inout Inputs
  ) throws -> String {
    let url = URL(fileURLWithPath: path)
    var files: [String: String] = [:]
    let place = words.places.first { $0.index == index }
    for address in session.addresses {
      let location = try Location(address)
      let fetched = try store.fetch(location, isNamedByUser: false)
      inputs.add(fetched)
      files[address] = fetched.path
    }
    let folder = "\(folder)/session-\(index)"
    try FileSystem.makeFolder(folder)
    let name = url.deletingPathExtension().lastPathComponent + ".json"
    let rewritten = "\(folder)/\(name)"
    if let number = FileDescriptor.write(Data(session.json(files).utf8), to: rewritten) {
      throw SystemError("write", rewritten, number: number)
    }
    inputs.add(rewritten, place.map { "\($0.location)" } ?? path)
    return rewritten
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

  /// Makes sure that an output may go where it is to go, before anything is fetched or made.
  private func require(
    _ place: Location, entry: String? = nil, isReplacing: Bool = false
  ) throws {
    if !isReplacing { try refuseForeign(place, entry: entry) }
    let location = place.withoutSlash
    try store.requireWritable(entry.flatMap { location.appending($0) } ?? location)
  }

  /// Makes sure that an output replaces nothing that Tessera did not make.
  private func refuseForeign(_ place: Location, entry: String?) throws {
    let location = place.withoutSlash
    guard !words.has("--overwrite"),
      try store.holdsForeign(entry.flatMap { location.appending($0) } ?? location)
    else { return }
    throw StorageError(
      .usage,
      "\(location) is there and Tessera did not make it; give another name, or --overwrite.")
  }

  /// Where an output is made.
  private func output(_ place: RemoteWords.Place, _ number: Int) throws -> RemoteOutput {
    var output = try output(
      place.location, number, isFolder: place.isFolder, entry: place.entry)
    output.isMain = ["-o", "--output"].contains(place.option)
    output.isPlan = words.words.first == "plan" && output.isMain
    // What an earlier run has left was changed for the bucket.
    if output.isPlan { FileSystem.remove(output.path) }
    return output
  }

  private func output(
    _ place: Location, _ number: Int, isFolder: Bool, entry: String?
  ) throws -> RemoteOutput {
    let location = isFolder ? place.withoutSlash : place
    let path = "\(folder)/\(number)"
    try FileSystem.makeFolder(path)
    return RemoteOutput(
      path: "\(path)/\(location.name)", location: location, isFolder: isFolder, entry: entry)
  }

  /// The files in a folder and in those below it, by their names from there, but for hidden ones.
  private static func files(in folder: String) -> [String] {
    FileSystem.names(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name in
      let path = "\(folder)/\(name)"
      return FileSystem.isFolder(path) ? files(in: path).map { "\(name)/\($0)" } : [name]
    }
  }

  /// Uploads what was made; a report also where the rest failed.
  private func upload(_ outputs: [RemoteOutput], _ inputs: Inputs) throws {
    for output in outputs where FileSystem.exists(output.path) {
      guard !output.isPlan else {
        try upload(plan: output, inputs)
        continue
      }
      guard output.isFolder else {
        try store.upload(output.path, to: output.location, made: MadeFrom(of: output.path)?.text)
        FileSystem.remove(output.path)
        continue
      }
      // All that the entry names is there before it is.
      let names = Self.files(in: output.path).filter { $0 != output.entry }
      for name in names + [output.entry].compactMap({ $0 }) {
        guard let location = output.location.appending(name) else { continue }
        let made = name == output.entry ? MadeFrom(of: output.path)?.text : nil
        try store.upload("\(output.path)/\(name)", to: location, made: made)
      }
    }
  }
}

extension RemoteRun {
  /// Uploads a plan that names what it reads by location, with all that belongs to it.
  private func upload(plan output: RemoteOutput, _ inputs: Inputs) throws {
    let text = String(decoding: try FileSystem.map(output.path), as: UTF8.self)
    if let number = FileDescriptor.write(Data(inputs.names.inJSON(text).utf8), to: output.path) {
      throw SystemError("write", output.path, number: number)
    }
    try BucketFolder.putPlan(
      output.path, at: output.location, with: store, known: inputs.objects)
  }
}
