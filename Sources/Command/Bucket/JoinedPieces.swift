import ArgumentParser
import TesseraJobs
import TesseraPlanning
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// The pieces in a bucket that "tessera stitch" joins, in a folder of this machine.
final class JoinedPieces {
  private let scratch: ScratchWorkFolder

  /// Fetches the plan and its pieces; nil where `words` join pieces of this machine, or do something
  /// else.
  init?(_ words: RemoteWords, _ options: FetchOptions, _ store: Store, _ cache: String) throws {
    guard words.words.first == "stitch",
      let stitch = try Program.parseAsRoot(words.words) as? StitchCommand,
      let place = try stitch.piece.bucket
    else { return nil }
    scratch = try ScratchWorkFolder.take("\(place)", in: cache)
    let folder = scratch.folder
    let (work, _) = try stitch.piece.readPlan(into: folder, with: store)
    let bucket = BucketFolder(store, place)
    let listing = try bucket.listing()
    var chosen: [(name: PieceName, path: String)] = []
    var missing: [Piece] = []
    for piece in work.pieces {
      let finished = listing.finished(piece) { work.digest(of: piece, losses: $0) }
      guard let finished else {
        missing.append(piece)
        continue
      }
      try folder.jobs.keep(finished.losses, of: piece.name)
      chosen.append((finished.name, piece.path(of: work.main, in: folder)))
    }
    guard missing.isEmpty else {
      throw StorageError(
        .failure,
        "\(Self.list(missing)) not in \(place) yet; make what is missing with \"tessera segment\" and "
          + "\"tessera soundtrack\".")
    }
    try bucket.fetch(chosen)
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
