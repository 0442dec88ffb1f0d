import ArgumentParser
import TesseraDelivery
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// The pieces in a bucket that "tessera stitch" joins, in a folder of this machine.
final class JoinedPieces {
  private let scratch: ScratchWorkFolder

  /// Fetches the plan and its pieces; nil where `words` join pieces of this machine, or do something
  /// else. `output` is called for what the plan makes in buckets, for its path on this machine.
  init?(
    _ words: RemoteWords, _ options: RequestMeans, _ store: Store, _ cache: String,
    output: (Location, _ isFolder: Bool) throws -> String
  ) throws {
    guard words.words.first == "stitch",
      let stitch = try Program.parseAsRoot(words.words) as? StitchCommand,
      let place = try stitch.piece.bucket
    else { return nil }
    scratch = try ScratchWorkFolder.take("\(place)", in: cache)
    let folder = scratch.folder
    var (work, _) = try stitch.piece.readPlan(into: folder, with: store)
    try work.moveOutputs(output)
    if try Location(stitch.piece.plan).isRemote { try work.write(to: folder.planPath) }
    let bucket = BucketFolder(store, place)
    let files = PieceFiles(work, in: folder)
    let (finished, missing) = try files.sort(files.pieces, try bucket.listing())
    guard missing.isEmpty else {
      throw StorageError(
        .failure,
        "\(Self.list(missing)) not in \(place) yet; make what is missing with \"tessera segment\" and "
          + "\"tessera soundtrack\".")
    }
    try bucket.fetch(finished.flatMap(files.files))
    try bucket.abortUploads()
  }

  private static func list(_ missing: [Piece]) -> String {
    let shown = missing.prefix(5).map(\.description).joined(separator: ", ")
    if missing.count > 5 { return "\(shown) and \(missing.count - 5) more are" }
    return missing.count > 1 ? "\(shown) are" : "\(shown) is"
  }

  /// The path for a word; nil where it names something else than the plan and the work folder.
  func path(of place: RemoteWords.Place) -> String? {
    switch place.option {
    case nil: scratch.folder.planPath
    case "--work-dir": scratch.folder.path
    default: nil
    }
  }

  /// Removes what was fetched.
  func remove() { scratch.empty() }
}

extension WorkPlan {
  /// Has outputs that lie in buckets made where `place` says.
  fileprivate mutating func moveOutputs(
    _ place: (Location, _ isFolder: Bool) throws -> String
  ) throws {
    var paths: [String: String] = [:]
    for number in renditions.indices {
      let location = try Location(renditions[number].output)
      guard location.isRemote else { continue }
      let path =
        try paths["\(location)"] ?? place(location, renditions[number].rung != nil)
      paths["\(location)"] = path
      renditions[number].output = path
    }
  }
}
