import Foundation
import SystemPackage
import TesseraCodecs
import TesseraRendering
import TesseraRequest
package import TesseraStorage
import TesseraSystem

/// The files of this machine that stand for places in buckets and at addresses: inputs are fetched,
/// and outputs uploaded when they are made.
package final class RemoteFiles {
  /// What fetches and uploads.
  package let store: Store
  /// Where outputs are made, the same for the same outputs: an interrupted render goes on.
  package let folder: String
  /// What people call the files.
  package var names = PlaceNames()
  /// What was fetched, by location.
  package private(set) var objects: [String: StoredObject] = [:]
  /// The outputs, in the order in which they were named.
  package private(set) var outputs: [RemoteOutput] = []
  /// Whether objects that Tessera did not make are replaced.
  private let isOverwriting: Bool
  /// That folder where no output is remote, so that nobody goes on with it.
  private let scratch: ScratchFolder?
  private let tell: @Sendable (String) -> Void

  /// - Parameters:
  ///   - store: what fetches and uploads.
  ///   - cache: the folder for what is fetched.
  ///   - outputs: where outputs go.
  ///   - isOverwriting: whether objects that Tessera did not make are replaced.
  ///   - tell: receives what is worth knowing: a sentence.
  /// - Throws: where the folder cannot be made.
  package init(
    _ store: Store, cache: String, outputs: [Location], overwriting isOverwriting: Bool,
    tell: @escaping @Sendable (String) -> Void
  ) throws {
    (self.store, self.isOverwriting, self.tell) = (store, isOverwriting, tell)
    AbandonedFolders.empty(in: cache)
    try FileSystem.makeFolder(cache)
    scratch = outputs.isEmpty ? try ScratchFolder(in: cache) : nil
    let text = outputs.map { "\($0)" }.joined(separator: "\n")
    let hash = SHA256.digest(Array(text.utf8)).prefix(16).hexadecimal
    folder = scratch?.path ?? "\(cache)/outputs/\(hash)"
    try FileSystem.makeFolder(folder)
  }

  /// Does `work` while nobody else makes the same outputs; what is in the folder goes where it says
  /// that it is done, or failed.
  package func exclusively<Result>(
    _ work: (_ isDone: inout Bool) throws -> Result
  ) throws -> Result {
    // A scratch folder has its own lock.
    let lock = scratch == nil ? try FolderLock.take(folder) : nil
    guard scratch != nil || lock != nil else {
      throw StorageError(.temporary, "another render makes the same output; wait for it.")
    }
    defer { withExtendedLifetime(lock) {} }
    var isDone = true
    defer {
      if isDone || scratch != nil { try? FileManager.default.removeItem(atPath: folder) }
    }
    return try work(&isDone)
  }

  // MARK: Inputs

  /// The path of an input, once it is there.
  package func fetch(_ location: Location, isNamedByUser: Bool = true) throws(StorageError)
    -> String
  {
    let (isTold, tell) = (Monitor(false), tell)
    let fetched = try store.fetch(location, isNamedByUser: isNamedByUser) { arrived, total in
      let isFirst = isTold.withLock { isTold in
        defer { isTold = true }
        return !isTold
      }
      guard isFirst, total > 64 << 20 else { return }
      tell("fetching \(total >> 20) MiB from \(location).")
    }
    names.add(fetched.folder, fetched.name)
    for object in fetched.objects.values { objects[object.location] = object }
    return fetched.path
  }

  /// Makes sure that a session file that was fetched from `location` names only what lies beside it.
  package func refuseForeign(session path: String, from location: Location) throws {
    guard let session = SessionAddresses(path, isWantedWithout: true),
      let outside = session.outside(String("\(location)".dropLast(location.name.count)))
    else { return }
    let name = (try? Location(outside)).map { "\($0)" } ?? outside
    throw StorageError(
      .usage,
      "\(location) names \(name), which is not beside it; download both, and name the files.")
  }

  /// Fetches what a session file names, which people call `name`; returns the path of one that names
  /// files.
  package func rewrite(
    _ session: SessionAddresses, _ path: String, number: Int, name: String
  ) throws -> String {
    var files: [String: String] = [:]
    for address in session.addresses {
      files[address] = try fetch(try Location(address), isNamedByUser: false)
    }
    let folder = "\(folder)/session-\(number)"
    try FileSystem.makeFolder(folder)
    let own = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let rewritten = "\(folder)/\(own).json"
    if let number = FileDescriptor.write(Data(session.json(files).utf8), to: rewritten) {
      throw SystemError("write", rewritten, number: number)
    }
    names.add(rewritten, name)
    return rewritten
  }

  // MARK: Outputs

  /// Makes sure that an output may go where it is to go, before anything is fetched or made.
  package func require(
    _ place: Location, entry: String? = nil, isReplacing: Bool = false
  ) throws {
    if !isReplacing { try refuseForeign(place, entry: entry) }
    let location = place.withoutSlash
    try store.requireWritable(entry.flatMap { location.appending($0) } ?? location)
  }

  /// Makes sure that an output replaces nothing that Tessera did not make.
  private func refuseForeign(_ place: Location, entry: String?) throws {
    let location = place.withoutSlash
    guard !isOverwriting,
      try store.holdsForeign(entry.flatMap { location.appending($0) } ?? location)
    else { return }
    throw StorageError(
      .usage,
      "\(location) exists and was not made by Tessera; give another name, or \(option: "overwrite")."
    )
  }

  /// Where an output is made.
  package func output(
    _ place: Location, isFolder: Bool, entry: String?, isMain: Bool = false, isPlan: Bool = false
  ) throws -> String {
    let location = isFolder ? place.withoutSlash : place
    let own = "\(folder)/\(outputs.count)"
    try FileSystem.makeFolder(own)
    var output = RemoteOutput(
      path: "\(own)/\(location.name)", location: location, isFolder: isFolder, entry: entry)
    (output.isMain, output.isPlan) = (isMain, isPlan)
    // What an earlier run has left was changed for the bucket.
    if isPlan { FileSystem.remove(output.path) }
    let (path, prefix) = output.folders
    names.add(output.path, "\(output.location)")
    names.add(path, prefix)
    outputs.append(output)
    return output.path
  }

  /// Makes sure that what a session asks for beside the main output may go there.
  package func require(beside session: SessionAddresses) throws {
    for name in session.outputs {
      if let other = outputs.first(where: \.isMain)?.beside(name) { try require(other.location) }
    }
  }

  /// Uploads what was made; a report also where the rest failed. `made` are the paths of all that
  /// was: what a session asks for, and what belongs to a page, goes along.
  package func upload(made: [String]) throws {
    var known = Set(outputs.map(\.path))
    let others = made.compactMap { path -> RemoteOutput? in
      outputs.lazy.compactMap { output in
        let folder = "\(output.folders.path)/"
        guard path.hasPrefix(folder) else { return nil }
        return output.beside(String(path.dropFirst(folder.count).prefix { $0 != "/" }))
      }.first
    }.filter { known.insert($0.path).inserted }
    for other in others { try refuseForeign(other.location, entry: other.entry) }
    for output in outputs + others where FileSystem.exists(output.path) { try upload(output) }
  }

  private func upload(_ output: RemoteOutput) throws {
    guard !output.isPlan else { return try upload(plan: output) }
    guard output.isFolder else {
      try store.upload(output.path, to: output.location, made: MadeFrom(of: output.path)?.text)
      FileSystem.remove(output.path)
      return
    }
    // All that the entry names is there before it is.
    let names = Self.files(in: output.path).filter { $0 != output.entry }
    for name in names + [output.entry].compactMap({ $0 }) {
      guard let location = output.location.appending(name) else { continue }
      let made = name == output.entry ? MadeFrom(of: output.path)?.text : nil
      try store.upload("\(output.path)/\(name)", to: location, made: made)
    }
  }

  /// The files in a folder and in those below it, by their names from there, but for hidden ones.
  private static func files(in folder: String) -> [String] {
    FileSystem.names(in: folder).filter { !$0.hasPrefix(".") }.flatMap { name in
      let path = "\(folder)/\(name)"
      return FileSystem.isFolder(path) ? files(in: path).map { "\(name)/\($0)" } : [name]
    }
  }

  /// Uploads a plan that names what it reads by location, with all that belongs to it.
  private func upload(plan output: RemoteOutput) throws {
    let text = String(decoding: try FileSystem.map(output.path), as: UTF8.self)
    if let number = FileDescriptor.write(Data(names.inJSON(text).utf8), to: output.path) {
      throw SystemError("write", output.path, number: number)
    }
    try BucketFolder.putPlan(output.path, at: output.location, with: store, known: objects)
  }
}
