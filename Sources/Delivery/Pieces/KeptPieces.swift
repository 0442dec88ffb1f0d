import Foundation
import Glibc
package import TesseraJobs
import TesseraPlan
package import TesseraPlanning
package import TesseraRendering
package import TesseraStorage
package import TesseraSystem

/// Keeps the pieces of a render of this machine in a work folder in a bucket, from where the next one
/// takes them, on whatever machine that is.
///
/// The process that renders has no network: once it has planned, it waits until this one has put
/// what is finished into its work folder.
package final class KeptPieces {
  /// The work folder of this machine.
  package let folder: WorkFolder
  /// Where the render waits.
  package let gate: PieceGate
  private let source: BucketFolder
  private let target: BucketFolder
  private let uploading = Cancellation()
  private let isRetrying: Bool
  private let cancellation: Cancellation

  /// What is not in the bucket yet, from when the render waits on.
  private var missing: [Piece] = []
  private var files: PieceFiles?
  private var uploads: PieceUploads?
  private var calls = 0

  /// How often a render is looked at of the times that ``look()`` is called.
  private static let patience = 10

  /// Keeps pieces below `place`, and those that are made in the folder at `path`; where it
  /// `isRetrying`, none that something is lost in. `cancellation` ends it early.
  package init(
    _ place: Location, _ options: RequestMeans, at path: String, isRetrying: Bool,
    _ cancellation: Cancellation
  ) throws {
    guard case .object = place else {
      throw StorageError(
        .usage,
        "\(place) cannot hold a work folder; give --work-dir s3://bucket/prefix/ or a folder.")
    }
    (self.isRetrying, self.cancellation) = (isRetrying, cancellation)
    (folder, gate) = (WorkFolder(path), PieceGate(path: "\(path).gate"))
    source = BucketFolder(try options.store(cancellation), place)
    target = BucketFolder(try options.store(uploading), place)
    try target.requireWritable()
    gate.close()
  }

  /// Fetches what is finished once the render waits for it, and uploads what it finishes.
  package func look() throws {
    calls += 1
    guard calls % Self.patience == 0 else { return }
    if files == nil, gate.isWaitedAt { try begin() }
    try take()
  }

  private func begin() throws {
    let files = PieceFiles(try WorkPlan.read(folder.planPath), in: folder)
    var listing = try source.listing()
    if isRetrying { listing.losses = [:] }
    let finished: [Piece]
    (finished, missing) = try files.sort(files.pieces, listing)
    try source.fetch(finished.flatMap(files.files))
    let (target, folder, uploading) = (target, folder, uploading)
    uploads = PieceUploads(
      { piece in
        try target.put(files.files(of: piece), of: piece, folder.jobs.losses(of: piece.name))
      }, failed: { uploading.cancel() })
    self.files = files
    try gate.open()
  }

  /// Has pieces uploaded that are finished by now.
  private func take() throws {
    guard let files, let uploads else { return }
    guard !uploading.isCancelled else { return try finish() }
    missing.removeAll { piece in
      let isFinished =
        files.arePlacesTaken(of: piece) && files.files(of: piece).allSatisfy(\.isFinished)
      if isFinished { uploads.add(piece) }
      return isFinished
    }
  }

  /// Uploads the rest, and what pieces that are not finished have to do without; where somebody asked
  /// to stop, not for long.
  package func finish() throws {
    guard let uploads else { return }
    if !uploading.isCancelled { try take() }
    self.uploads = nil
    let (uploading, cancellation) = (uploading, cancellation)
    try uploads.finish(
      stopped: { cancellation.isCancelled }, giveUp: { uploading.cancel() })
    for piece in missing { try target.put(folder.jobs.losses(of: piece.name), of: piece) }
    // Nobody completes what the dead have begun. Who may not list uploads has none ended.
    if missing.isEmpty, !cancellation.isCancelled { try? target.abortUploads() }
  }
}

/// Where a render waits, once it has planned, for the process that has the network.
package struct PieceGate {
  /// How the names of its files begin.
  package let path: String

  /// Where a render waits, by files whose names begin with `path`.
  package init(path: String) { self.path = path }

  private var asked: String { "\(path).asked" }
  private var opened: String { "\(path).open" }

  /// Whether somebody waits there.
  package var isWaitedAt: Bool { FileSystem.exists(asked) }

  /// Has everybody wait.
  package func close() { for file in [asked, opened] { FileSystem.remove(file) } }

  /// Has nobody wait any more.
  package func open() throws { try Self.make(opened) }

  /// Waits until it is open, or somebody asks to stop.
  package func pass(_ cancellation: Cancellation) throws(RenderError) {
    do throws(SystemError) { try Self.make(asked) } catch {
      throw RenderError(.failure, "\(error).")
    }
    while !FileSystem.exists(opened), !cancellation.isCancelled { usleep(20_000) }
  }

  private static func make(_ file: String) throws(SystemError) {
    guard FileManager.default.createFile(atPath: file, contents: nil) else {
      throw SystemError("make", file)
    }
  }
}
