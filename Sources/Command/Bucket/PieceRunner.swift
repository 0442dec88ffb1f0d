import Glibc
import TesseraDelivery
import TesseraJobs
import TesseraPlan
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// Makes pieces for a work folder in a bucket.
///
/// This process has the network and decodes nothing: it fetches the plan and what the pieces are
/// made from, has workers without a network make them on this machine, and puts each into the
/// bucket as soon as it is finished.
final class PieceRunner {
  private let store: Store
  /// The work folder, for what is read.
  private let bucket: BucketFolder
  /// The same, for what is put there.
  private let target: BucketFolder
  private let scratch: ScratchWorkFolder
  /// The addresses of the inputs.
  private var names = DisplayNames()
  private let options: PieceOptions
  private let worker: WorkerOptions

  /// For uploads, which go on for a while after somebody has asked to stop.
  private let uploading = Cancellation()

  /// What makes pieces of the plan that `options` name for the work folder at `place`.
  init(_ options: PieceOptions, _ worker: WorkerOptions, _ place: Location) throws {
    (self.options, self.worker) = (options, worker)
    store = try options.execution.store(Interrupts.cancellation)
    bucket = BucketFolder(store, place)
    target = BucketFolder(try options.execution.store(uploading), place)
    scratch = try ScratchWorkFolder.take("\(place)", in: try options.execution.requireFolder())
  }

  /// Makes what of `job` is not there; the plan says whether there is such a job.
  ///
  /// - Throws: also where somebody asked to stop; what was finished is in the bucket then.
  func run(_ job: (WorkPlan) throws -> RenderJob) throws {
    do {
      try make(job)
    } catch {
      guard Interrupts.cancellation.isCancelled else { throw names.error(error) }
      throw StorageError(
        .cancelled,
        "stopped before the end; finished pieces are kept, and the same command makes the rest.")
    }
  }

  private func make(_ job: (WorkPlan) throws -> RenderJob) throws {
    let folder = scratch.folder
    var (work, sources) = try options.readPlan(into: folder, with: store)
    let job = try job(work)
    let known = PieceFiles(work, in: folder)
    let listing = try bucket.listing()
    let (finished, missing) = try known.sort(job.pieces, listing)
    for piece in finished { Terminal.print("\(piece.description) is finished") }
    guard !missing.isEmpty else { return scratch.empty() }
    try target.requireWritable()
    if missing.contains(.soundtrack) {
      // What others have made of it.
      let sound = (0..<work.soundPieceCount).map { Piece.sound($0) }
      let there = try known.sort(sound, listing).finished
      try bucket.fetch(there.flatMap(known.files))
    }
    let jobs = work.jobs(for: missing)
    let inputs = try PieceInputs(jobs, work, sources, options.execution, store, folder.path)
    for (name, file) in inputs.places { names.add(file, name) }
    work.relocate { inputs.places[$0] ?? $0 }
    try work.write(to: folder.planPath)
    try execute(jobs, work, inputs)
    scratch.empty()
  }

  /// Has workers do `jobs`, and uploads what comes of them.
  private func execute(_ jobs: [RenderJob], _ work: WorkPlan, _ inputs: PieceInputs) throws {
    let (folder, target, files) = (scratch.folder, target, PieceFiles(work, in: scratch.folder))
    let (stop, uploading) = (Cancellation(), uploading)
    let downloads = try inputs.begin(store) { stop.cancel() }
    let uploads = PieceUploads(
      { piece in
        try target.put(
          files.files(of: piece), of: piece, folder.jobs.losses(of: piece.loser.name))
        Terminal.print("\(piece.description) is finished")
      }, failed: { stop.cancel() })
    let failure = ConditionLock<RenderError?>(nil)
    let outcome = start(jobs, uploads, failure, stop)
    while outcome.withLock({ $0 == nil }) {
      usleep(20_000)
      if Interrupts.cancellation.isCancelled { stop.cancel() }
    }
    let result = outcome.wait { $0 }
    let failed = failure.withLock { $0 }
    if case .success = result, failed == nil, jobs.contains(.soundtrack) {
      uploads.add(.soundtrack)
    }
    try uploads.finish(
      stopped: { Interrupts.cancellation.isCancelled }, giveUp: { uploading.cancel() })
    try downloads.end()
    if let failed { throw failed }
    try result.get()
  }

  /// Has workers begin with `jobs`, as far as all outputs can be made of them.
  private func start(
    _ jobs: [RenderJob], _ uploads: PieceUploads, _ failure: ConditionLock<RenderError?>,
    _ stop: Cancellation
  ) -> ConditionLock<Result<Void, RenderError>?> {
    let (folder, target) = (scratch.folder, target)
    let executor = LocalExecutor(slots: 1, runner: ProcessRunner<RenderJob>(program, folder.jobs))
    return executor.start(
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
          // The next attempt, wherever it is, is to know it.
          try target.put(folder.jobs.losses(of: piece.loser.name), of: piece.loser)
        } catch {
          throw RenderError(.failure, "\(error)")
        }
      })
  }

  private var program: WorkerProgram {
    var arguments = ["worker", "--work-dir", scratch.folder.path]
    arguments += ["--partial", PieceInputs.place(in: scratch.folder.path)]
    arguments += ["--cpu", worker.cpu.defaultValueDescription]
    if worker.strict { arguments.append("--strict") }
    return WorkerProgram(program: EngineOptions.program, arguments: arguments)
  }
}

extension WorkPlan {
  /// The jobs that make `pieces`.
  func jobs(for pieces: [Piece]) -> [RenderJob] {
    let numbers = pieces.compactMap { if case .segment(let number) = $0 { number } else { nil } }
    let sound = pieces.compactMap { if case .sound(let number) = $0 { number } else { nil } }
    return SegmentRuns.rows(numbers).map { .segments($0) }
      + SegmentRuns.rows(sound).map { .sound($0) }
      + (pieces.contains(.soundtrack) ? [.soundtrack] : [])
  }
}
