import Foundation
import Glibc
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// Makes pieces for a work folder in a bucket.
///
/// This process has the network and decodes nothing: it fetches the plan and what the pieces are
/// made from, has workers without a network make them on this machine, and puts each into the
/// bucket as soon as it is finished.
final class PieceRun {
  private let store: Store
  /// The work folder, for what is read.
  private let bucket: BucketFolder
  /// The same, for what is put there.
  private let target: BucketFolder
  private let scratch: ScratchWorkFolder
  private let options: PieceOptions
  private let worker: WorkerOptions

  /// For uploads, which go on for a while after somebody has asked to stop.
  private let uploading = Cancellation()

  /// What makes pieces of the plan that `options` name for the work folder at `place`.
  init(_ options: PieceOptions, _ worker: WorkerOptions, _ place: Location) throws {
    (self.options, self.worker) = (options, worker)
    store = try options.fetch.store(Interrupts.cancellation)
    bucket = BucketFolder(store, place)
    target = BucketFolder(try options.fetch.store(uploading), place)
    scratch = try ScratchWorkFolder.take("\(place)", in: try options.fetch.requireFolder())
  }

  /// Makes what of `job` is not there; the plan says whether there is such a job.
  ///
  /// - Throws: also where somebody asked to stop; what was finished is in the bucket then.
  func run(_ job: (WorkPlan) throws -> RenderJob) throws {
    do {
      try make(job)
    } catch {
      guard Interrupts.cancellation.isCancelled else { throw error }
      throw StorageError(
        .cancelled,
        "stopped before the end; what is finished is kept, and the rest may be made again.")
    }
  }

  private func make(_ job: (WorkPlan) throws -> RenderJob) throws {
    let folder = scratch.folder
    var (work, sources) = try options.readPlan(into: folder, with: store)
    let job = try job(work)
    let listing = try PieceRun.listing(bucket, of: job.pieces, into: folder)
    let missing = job.pieces.filter { piece in
      let isThere = listing.finished(piece) { work.digest(of: piece, losses: $0) } != nil
      if isThere { Terminal.say("\(piece.description) is finished") }
      return !isThere
    }
    guard !missing.isEmpty else { return scratch.empty() }
    let jobs = work.jobs(for: missing)
    let inputs = try PieceInputs(jobs, work, sources, options.fetch, store, folder.path)
    work.relocate { inputs.places[$0] ?? $0 }
    try work.write(to: folder.planPath)
    try execute(jobs, work, inputs)
    scratch.empty()
  }

  /// Reads what is in the bucket; workers are to know the losses.
  private static func listing(
    _ bucket: BucketFolder, of pieces: [Piece], into folder: WorkFolder
  ) throws -> PieceListing {
    let listing = try bucket.listing()
    for piece in pieces {
      let known = Array((listing.losses[piece] ?? [:]).values)
      if !known.isEmpty {
        try folder.jobs.keep(known + folder.jobs.losses(of: piece.name), of: piece.name)
      }
    }
    return listing
  }

  /// Has workers do `jobs`, and uploads what comes of them.
  private func execute(_ jobs: [RenderJob], _ work: WorkPlan, _ inputs: PieceInputs) throws {
    let (folder, target) = (scratch.folder, target)
    let stop = Cancellation()
    let downloads = try inputs.begin(store) { stop.cancel() }
    let uploads = PieceUploads(
      { piece in
        try PieceRun.put(piece, work, folder, target)
      }, failed: { stop.cancel() })
    let executor = LocalExecutor(
      slots: 1, runner: ProcessRunner<RenderJob>(program, folder.jobs))
    let outcome = executor.start(
      jobs, cancellation: stop,
      events: { _, event in
        if case .finished(let segment) = event { uploads.add(.segment(segment)) }
      },
      lost: { job, loss throws(RenderError) in
        try folder.record(loss, for: job)
        guard let piece = job.pieces.first else { return }
        do {
          // The next attempt, wherever it is, is to know it.
          try target.put(folder.jobs.losses(of: piece.name), of: piece)
        } catch {
          throw RenderError(.failure, "\(error)")
        }
      })
    while outcome.withLock({ $0 == nil }) {
      usleep(20_000)
      if Interrupts.cancellation.isCancelled { stop.cancel() }
    }
    let result = outcome.wait { $0 }
    if case .success = result, jobs.contains(.soundtrack) { uploads.add(.soundtrack) }
    let uploading = uploading
    try uploads.finish(
      stopped: { Interrupts.cancellation.isCancelled }, giveUp: { uploading.cancel() })
    try downloads.end()
    try result.get()
  }

  private var program: WorkerProgram {
    var arguments = ["worker", "--work-dir", scratch.folder.path]
    arguments += ["--cpu", worker.cpu.defaultValueDescription]
    if worker.strict { arguments.append("--strict") }
    return WorkerProgram(program: EngineOptions.program, arguments: arguments)
  }

  /// Uploads a finished piece.
  private static func put(
    _ piece: Piece, _ work: WorkPlan, _ folder: WorkFolder, _ bucket: BucketFolder
  ) throws {
    let losses = folder.jobs.losses(of: piece.name)
    let digest = work.digest(of: piece, losses: losses)
    guard folder.has(piece, of: work.main, losses) else {
      throw RenderError(
        .failure,
        "\(piece.description) cannot be made: a file is not what it was when the plan was made; make "
          + "the plan again.")
    }
    try bucket.put(losses, of: piece)
    try bucket.put(
      piece.path(of: work.main, in: folder),
      as: PieceName(piece, digest: digest, losses: losses.map(PieceName.name)))
    Terminal.say("\(piece.description) is finished")
  }
}

extension WorkFolder {
  /// Whether a piece of a rendition is finished that was made without `losses`.
  func has(_ piece: Piece, of rendition: RenditionPlan, _ losses: [CrashLoss]) -> Bool {
    switch piece {
    case .segment(let number): hasSegment(number, of: rendition, losses)
    case .soundtrack: hasSoundtrack(of: rendition, losses)
    }
  }
}

extension WorkPlan {
  /// The only rendition: what is made of work folders in buckets.
  var main: RenditionPlan { renditions[0] }

  /// Refuses several outputs, of which work folders in buckets know nothing.
  func requireOneOutput() throws(RenderError) {
    guard renditions.count > 1 else { return }
    throw RenderError(
      .usage,
      "the plan has several outputs, and its work folder is in a bucket: make a plan for each output, "
        + "or name a work folder on a disk.")
  }

  /// What a piece is made from.
  func digest(of piece: Piece, losses: [CrashLoss]) -> String {
    switch piece {
    case .segment(let number): main.digest(of: number, losses: losses)
    case .soundtrack: main.soundtrackDigest(losses: losses)
    }
  }

  /// All of its pieces.
  var pieces: [Piece] { main.segments.indices.map { .segment($0) } + [.soundtrack] }

  /// The jobs that make `pieces`.
  func jobs(for pieces: [Piece]) -> [RenderJob] {
    let numbers = pieces.compactMap { if case .segment(let number) = $0 { number } else { nil } }
    return Runs.choose(numbers, costs: sections.map(\.cost), workers: 1).map { .segments($0) }
      + (pieces.contains(.soundtrack) ? [.soundtrack] : [])
  }
}
