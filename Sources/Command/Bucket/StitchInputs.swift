import TesseraCodecs
import TesseraDelivery
import TesseraMessages
import TesseraPlan
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem

/// Local copies of the pieces in a bucket that `tessera stitch` joins.
final class StitchInputs {
  private let scratch: LocalWorkFolder

  /// The local work folder with the plan and the pieces.
  var folder: WorkFolder { scratch.folder }

  /// Fetches the plan that `piece` names, and its pieces from `place`. The plan's outputs in
  /// buckets become places of `session`.
  ///
  /// - Throws: ``StorageError`` if pieces are missing.
  init(_ piece: PieceOptions, in place: Location, _ session: TransferSession) throws {
    let store = try session.store
    scratch = try LocalWorkFolder.take(
      "\(place)", in: try session.request.execution.requireFolder())
    let folder = scratch.folder
    var (work, _) = try piece.readPlan(into: folder, with: store)
    try work.moveOutputs { output, isFolder in
      try session.add(
        OutputLocation(output, entry: isFolder ? HLSPackager.entry : nil, isFolder: isFolder))
    }
    try work.write(to: folder.planPath)
    let bucket = BucketWorkFolder(store, place)
    let pieces = PieceFileTable(work, in: folder)
    let (finished, missing) = try pieces.sort(pieces.pieces, try bucket.listing())
    guard missing.isEmpty else {
      throw StorageError(
        .failure,
        "\(Self.list(missing)) not in \(place) yet; make the missing pieces with \"tessera segment\" and "
          + "\"tessera soundtrack\".")
    }
    try bucket.fetch(finished.flatMap(pieces.files))
    try bucket.endAbandonedUploads()
  }

  private static func list(_ missing: [RenderPiece]) -> String {
    let shown = missing.prefix(5).map(\.description).joined(separator: ", ")
    if missing.count > 5 { return "\(shown) and \(missing.count - 5) more are" }
    return missing.count > 1 ? "\(shown) are" : "\(shown) is"
  }

  /// Removes the fetched files.
  func remove() { scratch.empty() }
}

extension WorkPlan {
  /// Replaces the addresses of outputs in buckets by the local paths that `place` returns.
  fileprivate mutating func moveOutputs(
    _ place: (String, _ isFolder: Bool) throws -> String
  ) throws {
    var paths: [String: String] = [:]
    for number in renditions.indices {
      let output = renditions[number].output
      guard try Location(output).isRemote else { continue }
      let path = try paths[output] ?? place(output, renditions[number].rung != nil)
      (paths[output], renditions[number].output) = (path, path)
    }
  }
}
