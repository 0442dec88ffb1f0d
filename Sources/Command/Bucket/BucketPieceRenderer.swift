import Glibc
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// Makes pieces for a work folder in a bucket.
///
/// This process has the network and decodes nothing. It fetches the plan and the inputs, runs local
/// workers without a network, and uploads each piece as soon as it is finished.
final class BucketPieceRenderer {
  private let store: ObjectStore
  /// The work folder in the bucket, through the client that reads and that a signal stops.
  private let bucket: BucketWorkFolder
  /// The work folder in the bucket, through the client that uploads, which outlives a signal.
  private let target: BucketWorkFolder
  private let scratch: LocalWorkFolder
  /// The names of the inputs in messages.
  private var names = FileDisplayNames()
  private let options: PieceOptions
  private let worker: WorkerOptions

  /// The cancellation of uploads, which continue for a few seconds after a request to stop.
  private let uploading = Cancellation()

  /// Creates a runner for the plan that `options` name and the work folder at `place`.
  init(_ options: PieceOptions, _ worker: WorkerOptions, _ place: Location) throws {
    (self.options, self.worker) = (options, worker)
    store = try options.execution.store(InterruptHandler.cancellation)
    bucket = BucketWorkFolder(store, place)
    target = BucketWorkFolder(try options.execution.store(uploading), place)
    scratch = try LocalWorkFolder.take("\(place)", in: try options.execution.requireFolder())
  }

  /// Makes the pieces of `job` that the bucket does not have. `job` validates itself by the plan.
  ///
  /// - Throws: an error if a piece fails or the run is canceled. Uploaded pieces stay.
  func run(_ job: (WorkPlan) throws -> RenderJob) throws {
    do {
      try make(job)
    } catch {
      guard InterruptHandler.cancellation.isCancelled else { throw names.error(error) }
      throw StorageError(
        .cancelled,
        "stopped before the end; finished pieces are kept, and the same command makes the rest.")
    }
  }

  private func make(_ job: (WorkPlan) throws -> RenderJob) throws {
    let folder = scratch.folder
    var (work, sources) = try options.readPlan(into: folder, with: store)
    let job = try job(work)
    let known = PieceFileTable(work, in: folder)
    let listing = try bucket.listing()
    let (finished, missing) = try known.sort(job.pieces, listing)
    for piece in finished { StandardError.print("\(piece.description) is finished") }
    guard !missing.isEmpty else { return scratch.empty() }
    try target.requireWritable()
    if missing.contains(.soundtrack) {
      // Reuses the sound pieces that other machines have finished.
      let sound = (0..<work.soundPieceCount).map { RenderPiece.sound($0) }
      let there = try known.sort(sound, listing).finished
      try bucket.fetch(there.flatMap(known.files))
    }
    let jobs = work.jobs(for: missing)
    let inputs = try PieceInputFiles(jobs, work, sources, options.execution, store, folder.path)
    for (name, file) in inputs.places { names.add(file, name) }
    work.relocate { inputs.places[$0] ?? $0 }
    try work.write(to: folder.planPath)
    try execute(jobs, work, inputs)
    scratch.empty()
  }

  /// Runs `jobs` in workers and uploads the finished pieces.
  private func execute(_ jobs: [RenderJob], _ work: WorkPlan, _ inputs: PieceInputFiles) throws {
    let (folder, target, files) = (
      scratch.folder, target, PieceFileTable(work, in: scratch.folder)
    )
    let (stop, uploading) = (Cancellation(), uploading)
    let downloads = try inputs.begin(store) { stop.cancel() }
    let uploads = PieceUploader(
      { piece in
        try target.put(
          files.files(of: piece), of: piece, folder.jobs.losses(of: piece.loser.name))
        StandardError.print("\(piece.description) is finished")
      }, failed: { stop.cancel() })
    let failure = ConditionLock<RenderError?>(nil)
    let outcome = start(jobs, uploads, failure, stop)
    while outcome.withLock({ $0 == nil }) {
      usleep(20_000)
      if InterruptHandler.cancellation.isCancelled { stop.cancel() }
    }
    let result = outcome.wait { $0 }
    let failed = failure.withLock { $0 }
    if case .success = result, failed == nil, jobs.contains(.soundtrack) {
      uploads.add(.soundtrack)
    }
    try uploads.finish(
      stopped: { InterruptHandler.cancellation.isCancelled }, giveUp: { uploading.cancel() })
    try downloads.end()
    if let failed { throw failed }
    try result.get()
  }

  /// Starts `jobs` in worker processes. The first failure is stored in `failure` and cancels
  /// `stop`. Returns the outcome, which is `nil` until all jobs have ended.
  private func start(
    _ jobs: [RenderJob], _ uploads: PieceUploader, _ failure: ConditionLock<RenderError?>,
    _ stop: Cancellation
  ) -> ConditionLock<Result<Void, RenderError>?> {
    let (folder, target) = (scratch.folder, target)
    let executor = LocalExecutor(
      slots: 1, runner: ProcessJobRunner<RenderJob>(program, folder.jobs))
    return executor.launch(
      jobs, cancellation: stop,
      events: { job, event in
        switch event {
        case .finished(let number) where failure.withLock({ $0 == nil }):
          if case .sound = job {
            uploads.add(.sound(number))
          } else {
            uploads.add(.segment(number))
          }
        case .failed(_, let kind, let message):
          failure.withLock { $0 = $0 ?? RenderError(kind, message) }
          stop.cancel()
        default: break
        }
      },
      lost: { job, loss throws(RenderError) in
        try folder.record(loss, for: job)
        guard let piece = job.pieces.first else { return }
        do {
          // The next attempt, on any machine, must make the piece without this track.
          try target.put(folder.jobs.losses(of: piece.loser.name), of: piece.loser)
        } catch {
          throw RenderError(.failure, "\(error)")
        }
      })
  }

  private var program: WorkerProgram {
    let folder = scratch.folder.path
    return WorkerProgram(
      ForkServer.program,
      .render(
        RenderWorker(
          workFolder: folder, kernels: worker.cpu.defaultValueDescription,
          isStrict: worker.strict, partial: PieceInputFiles.place(in: folder))))
  }
}

extension WorkPlan {
  /// The jobs that make `pieces`.
  func jobs(for pieces: [RenderPiece]) -> [RenderJob] {
    let numbers = pieces.compactMap { if case .segment(let number) = $0 { number } else { nil } }
    let sound = pieces.compactMap { if case .sound(let number) = $0 { number } else { nil } }
    return SegmentRunPlanner.rows(numbers).map { .segments($0) }
      + SegmentRunPlanner.rows(sound).map { .sound($0) }
      + (pieces.contains(.soundtrack) ? [.soundtrack] : [])
  }
}
