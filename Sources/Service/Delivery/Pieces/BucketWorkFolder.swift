import Foundation
import SystemPackage
import TesseraCodecs
import TesseraMessages
package import TesseraPlan
package import TesseraStorage
package import TesseraSystem
import TesseraTimeline

/// A work folder in a bucket, through which machines without a shared file system cooperate.
///
///     plan.json                the plan
///     plan.json.parts/HASH     side files of the plan, named by digest
///     plan.json.sources        location and version of each input file (``PlanInputLocations``)
///     plan.json.files/NAME     input files that were in no bucket
///     losses/PIECE/LOSS.json   a track that a piece is made without, because it crashed workers
///     pieces/NAME              the finished pieces (``PieceName``)
///
/// No locks are needed: objects never change, and machines that write an object at the same time
/// write equal bytes.
package struct BucketWorkFolder {
  private let store: ObjectStore
  /// The prefix of all objects, with a trailing slash.
  private let place: Location

  /// Creates a work folder at the prefix `place`.
  package init(_ store: ObjectStore, _ place: Location) {
    self.store = store
    guard case .object(let bucket, let key) = place else {
      self.place = place
      return
    }
    self.place = .object(
      bucket: bucket, key: key.isEmpty || key.hasSuffix("/") ? key : key + "/")
  }

  /// Creates the work folder that contains the object `plan`.
  package init(_ store: ObjectStore, of plan: Location) {
    guard case .object(let bucket, let key) = plan else {
      self.init(store, plan)
      return
    }
    let folder = key.folderPath
    self.init(store, .object(bucket: bucket, key: folder))
  }

  private func location(_ name: String) throws -> Location {
    guard let location = place.appending(name) else {
      throw StorageError(.failure, "\(name) cannot be stored in \(place).")
    }
    return location
  }

  // MARK: Losses and pieces

  /// Lists the recorded losses and the finished pieces in the bucket.
  package func listing() throws -> BucketPieceListing {
    var listing = BucketPieceListing()
    for (name, _) in try store.objects(below: try location("losses/")) {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[1].hasSuffix(".json"), let piece = RenderPiece(name: parts[0]),
        let bytes = try store.bytes(of: try location("losses/\(name)"), atMost: 1 << 16),
        let loss: CrashedTrackLoss = CanonicalJSON.value(Data(bytes)),
        parts[1] == "\(PieceName.name(of: loss)).json"
      else { continue }
      listing.losses[piece, default: [:]][PieceName.name(of: loss)] = loss
    }
    listing.names = try store.objects(below: try location(PieceName.folder)).compactMap {
      PieceName($0.name)
    }
    return listing
  }

  /// Uploads the crash losses of `piece`, so that other machines make it without these tracks.
  package func put(_ losses: [CrashedTrackLoss], of piece: RenderPiece) throws {
    for loss in losses {
      let place = try location("losses/\(piece.name)/\(PieceName.name(of: loss)).json")
      try store.put(Array(CanonicalJSON.bytes(loss)), at: place)
    }
  }

  /// Uploads the files of a finished piece, after the crash losses that it was made with.
  ///
  /// - Throws: ``RenderError`` if a file is not finished, because an input changed after planning.
  package func put(_ files: [PieceFile], of piece: RenderPiece, _ losses: [CrashedTrackLoss]) throws
  {
    guard files.allSatisfy(\.isFinished) else {
      throw RenderError(
        .failure,
        "\(piece.description) cannot be made: a file has changed since the plan was made; make "
          + "the plan again.")
    }
    try put(losses, of: piece.loser)
    var names: Set<PieceName> = []
    for file in files where names.insert(file.name).inserted {
      try store.upload(file.path, to: try location(PieceName.folder + file.name.text))
    }
  }

  /// Fetches the files of finished pieces into the local work folder.
  ///
  /// - Throws: a temporary ``StorageError`` if a file was removed from the bucket meanwhile.
  package func fetch(_ files: [PieceFile]) throws {
    let objects = Dictionary(
      try store.objects(below: try location(PieceName.folder)).map { ($0.name, $0.object) },
      uniquingKeysWith: { $1 })
    let wanted = try files.map { file in
      guard let object = objects[file.name.text] else {
        throw StorageError(
          .temporary, "\(file.name.piece.description) was removed meanwhile; run the command again."
        )
      }
      return object
    }
    for (fetched, file) in zip(try store.fetch(wanted), files) {
      try FileOperations.link(fetched, at: file.path)
    }
  }

  /// Checks that pieces can be uploaded to the bucket.
  package func requireWritable() throws {
    try store.requireWritable(try location(PieceName.folder + "try"))
  }

  /// Aborts multipart uploads of pieces that killed processes of this machine left open.
  package func endAbandonedUploads() throws {
    store.endAbandonedUploads(below: try location(PieceName.folder))
  }
}

// MARK: The plan

extension BucketWorkFolder {
  /// Fetches a plan with its side files to the local `path`.
  ///
  /// - Returns: the plan, and the locations of its input files.
  package static func fetchPlan(
    _ plan: Location, with store: ObjectStore, to path: String
  ) throws -> (work: WorkPlan, sources: PlanInputLocations) {
    let name = plan.name
    let folder = BucketWorkFolder(store, of: plan)
    guard let bytes = try store.bytes(of: plan, atMost: 1 << 30) else {
      throw StorageError(.failure, "\(plan) does not exist; write it with \"tessera plan\".")
    }
    if let number = FileDescriptor.write(Data(bytes), to: path) {
      throw SystemError("write", path, number: number)
    }
    let parts = try store.objects(below: try folder.location("\(name).parts/"))
    try FileOperations.makeFolder("\(path).parts")
    for (part, file) in zip(parts, try store.fetch(parts.map(\.object))) {
      guard part.name.utf8.count == 64, part.name.allSatisfy(\.isHexDigit) else { continue }
      try FileOperations.link(file, at: "\(path).parts/\(part.name)")
    }
    let sources = try store.bytes(of: try folder.location("\(name).sources"), atMost: 64 << 20)
    return (try WorkPlan.read(path), try PlanInputLocations(sources ?? [], of: plan))
  }

  /// Writes `work` to the local `path` and uploads the plan, its side files and its local inputs.
  ///
  /// The plan itself is uploaded last, so that a visible plan is complete. `known` contains the
  /// inputs from buckets and addresses by location; they are not uploaded again.
  package static func put(
    _ work: WorkPlan, _ path: String, at plan: Location, with store: ObjectStore,
    known: [String: ObjectIdentity]
  ) throws {
    let folder = BucketWorkFolder(store, of: plan)
    var work = work
    var sources = PlanInputLocations()
    var places: [String: String] = [:]
    for source in work.sources {
      let name = SegmentedFile.name(of: source)
      guard name == source else {
        throw StorageError(
          .usage,
          "\(file: name) is in segments, which machines that share a plan cannot fetch yet; render it "
            + "on one machine, or make one file of it.")
      }
      var object = known[source]
      if object == nil {
        let name = try PlanInputLocations.name(of: source)
        object = try store.store(source, at: try folder.location("\(plan.name).files/\(name)"))
      }
      guard let object else { continue }
      places[source] = object.location
      sources.objects[object.location] = object
    }
    work.relocate { places[$0] ?? $0 }
    try work.write(to: path)
    for name in FileOperations.names(in: "\(path).parts") {
      let place = try folder.location("\(plan.name).parts/\(name)")
      try store.upload("\(path).parts/\(name)", to: place)
    }
    try store.put(
      Array(CanonicalJSON.bytes(sources)), at: try folder.location("\(plan.name).sources"))
    try store.upload(path, to: plan)
  }
}

/// The locations of a plan's input files, and their versions at the time of planning.
package struct PlanInputLocations: Codable {
  /// The stored objects, by the paths that the plan uses for them.
  package var objects: [String: ObjectIdentity] = [:]

  package init() {}

  package init(_ bytes: [UInt8], of plan: Location) throws {
    guard let sources: PlanInputLocations = CanonicalJSON.value(Data(bytes)) else {
      throw StorageError(
        .failure,
        "\(plan).sources, the list of the plan's files, is missing or damaged; write the plan "
          + "again, with its output in the bucket.")
    }
    self = sources
  }

  /// Returns a local file's name in the bucket: 32 hexadecimal digits of its SHA-256 digest, a
  /// hyphen and its file name.
  package static func name(of path: String) throws -> String {
    let digest = SHA256()
    let file = try FileOperations.map(path)
    var rest = file[...]
    while !rest.isEmpty {
      digest.update(Array(rest.prefix(1 << 20)))
      rest = rest.dropFirst(1 << 20)
    }
    let name = URL(fileURLWithPath: path).lastPathComponent
    return "\(digest.finish().hexadecimal.prefix(32))-\(name)"
  }
}
