import Foundation
import Glibc
import TesseraJobs
import TesseraPlan
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem

/// Keeps the pieces of a render of this machine in a work folder in a bucket, from where the next one
/// takes them, on whatever machine that is.
///
/// Once the render has planned, it waits until what is finished was fetched; each piece that it finishes is uploaded
/// meanwhile.
final class BucketPieceCache: Sendable {
  /// The work folder of this machine.
  let folder: WorkFolder
  private let source: BucketFolder
  private let target: BucketFolder
  private let isRetrying: Bool
  private let cancellation: Cancellation
  private let uploading = Cancellation()
  /// What there is to upload; nil before the render has planned, and after the end.
  private let open = ConditionLock(Pieces?.none)

  private struct Pieces: Sendable {
    /// What is not in the bucket yet.
    var missing: [Piece]
    let files: PieceFiles
    let uploads: PieceUploads
  }

  /// Keeps pieces below `place`, and those that are made in the folder at `path`; where it
  /// `isRetrying`, none that something is lost in. `cancellation` ends it early.
  init(
    _ place: Location, _ execution: ExecutionOptions, at path: String, isRetrying: Bool,
    _ cancellation: Cancellation
  ) throws {
    guard case .object = place else {
      throw StorageError(
        .usage,
        "\(place) cannot hold a work folder; give \(option: "work-dir") s3://bucket/prefix/ or a folder."
      )
    }
    (self.isRetrying, self.cancellation) = (isRetrying, cancellation)
    folder = WorkFolder(path)
    source = BucketFolder(try execution.store(cancellation), place)
    target = BucketFolder(try execution.store(uploading), place)
    try target.requireWritable()
  }

  /// Has `render` render by `context`, and uploads what it finishes.
  ///
  /// - Throws: why a piece is not up, else what `render` throws.
  func keeping<Value>(
    _ context: RequestContext, _ render: (RequestContext) throws -> Value
  ) throws -> Value {
    var own = context
    let stop = Cancellation()
    own.cancellation = stop
    own.prepare = { () throws(RenderError) in
      do { try self.begin() } catch { throw RenderError(delivering: error) }
    }
    let isOver = ConditionLock(false)
    let watch = WorkerThreads(count: 1, name: "pieces") {
      while !isOver.withLock(\.self) {
        usleep(200_000)
        self.take()
        if self.cancellation.isCancelled || self.uploading.isCancelled { stop.cancel() }
      }
    }
    let result = Result { try render(own) }
    isOver.update { $0 = true }
    watch.join()
    try finish()
    return try result.get()
  }

  /// Fetches what is finished.
  private func begin() throws {
    let files = PieceFiles(try WorkPlan.read(folder.planPath), in: folder)
    var listing = try source.listing()
    if isRetrying { listing.losses = [:] }
    let (finished, missing) = try files.sort(files.pieces, listing)
    try source.fetch(finished.flatMap(files.files))
    let (target, folder, uploading) = (target, folder, uploading)
    let uploads = PieceUploads(
      { piece in
        try target.put(files.files(of: piece), of: piece, folder.jobs.losses(of: piece.name))
      }, failed: { uploading.cancel() })
    open.update { $0 = Pieces(missing: missing, files: files, uploads: uploads) }
  }

  /// Has pieces uploaded that are finished by now.
  private func take() {
    guard !uploading.isCancelled else { return }
    open.update { pieces in
      guard let (files, uploads) = pieces.map({ ($0.files, $0.uploads) }) else { return }
      pieces?.missing.removeAll { piece in
        let isFinished =
          files.arePlacesTaken(of: piece) && files.files(of: piece).allSatisfy(\.isFinished)
        if isFinished { uploads.add(piece) }
        return isFinished
      }
    }
  }

  /// Uploads the rest, and what pieces that are not finished have to do without; where somebody asked
  /// to stop, not for long.
  private func finish() throws {
    take()
    guard let pieces = open.withLock(\.self) else { return }
    try pieces.uploads.finish(
      stopped: { cancellation.isCancelled }, giveUp: { uploading.cancel() })
    for piece in pieces.missing { try target.put(folder.jobs.losses(of: piece.name), of: piece) }
    if pieces.missing.isEmpty, !cancellation.isCancelled { try target.endAbandonedUploads() }
  }
}
