import Foundation
import Glibc
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem

/// Exchanges the pieces of a local render with a work folder in a bucket, so that a later render on
/// any machine reuses them.
///
/// After planning, the render waits until finished pieces are fetched. Each piece that it finishes
/// is uploaded while it continues.
final class BucketPieceCache: Sendable {
  /// The local work folder.
  let folder: WorkFolder
  private let source: BucketWorkFolder
  private let target: BucketWorkFolder
  private let isRetrying: Bool
  private let cancellation: Cancellation
  private let uploading = Cancellation()
  /// The pieces to upload; `nil` until planning ends and finished pieces are fetched.
  private let open = ConditionLock(Pieces?.none)

  private struct Pieces: Sendable {
    /// The pieces that are not in the bucket and not queued for upload.
    var missing: [RenderPiece]
    let files: PieceFileTable
    let uploads: PieceUploader
  }

  /// Connects the bucket prefix `place` with the local work folder at `path`.
  ///
  /// If `isRetrying` is true, recorded losses are ignored and lossy pieces are rendered again.
  /// `cancellation` stops fetching at once; uploads continue for up to 8 s.
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
    source = BucketWorkFolder(try execution.store(cancellation), place)
    target = BucketWorkFolder(try execution.store(uploading), place)
    try target.requireWritable()
  }

  /// Runs `render` in `context` and uploads the pieces that it finishes.
  ///
  /// - Throws: the error of a failed upload, otherwise the error of `render`.
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
    let watch = ThreadGroup(count: 1, name: "pieces") {
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

  /// Fetches finished pieces and starts the upload thread.
  private func begin() throws {
    let files = PieceFileTable(try WorkPlan.read(folder.planPath), in: folder)
    var listing = try source.listing()
    if isRetrying { listing.losses = [:] }
    let (finished, missing) = try files.sort(files.pieces, listing)
    try source.fetch(finished.flatMap(files.files))
    let (target, folder, uploading) = (target, folder, uploading)
    let uploads = PieceUploader(
      { piece in
        try target.put(files.files(of: piece), of: piece, folder.jobs.losses(of: piece.name))
      }, failed: { uploading.cancel() })
    open.update { $0 = Pieces(missing: missing, files: files, uploads: uploads) }
  }

  /// Queues newly finished pieces for upload.
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

  /// Uploads the remaining finished pieces, and the crash losses of unfinished pieces. After a
  /// cancellation, ``PieceUploader`` limits the time.
  private func finish() throws {
    take()
    guard let pieces = open.withLock(\.self) else { return }
    try pieces.uploads.finish(
      stopped: { cancellation.isCancelled }, giveUp: { uploading.cancel() })
    for piece in pieces.missing { try target.put(folder.jobs.losses(of: piece.name), of: piece) }
    if pieces.missing.isEmpty, !cancellation.isCancelled { try target.endAbandonedUploads() }
  }
}
