import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraPixels
import TesseraPlan
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// One render's way from a plan to its files: what is missing is made by workers, and joined.
struct RenderRun {
  private let work: WorkPlan
  private let folder: WorkFolder
  private let kernels: Kernels
  private let settings: RenderSettings
  private let cancellation: Cancellation
  /// The file of the main rendition.
  private let output: String
  /// How many workers there are at once.
  let slots: Int

  /// A run of `work`, whose main rendition becomes the file `output`.
  init(
    _ work: WorkPlan, folder: WorkFolder, output: String, kernels: Kernels,
    settings: RenderSettings, cancellation: Cancellation
  ) {
    self.output = output
    (self.work, self.folder, self.kernels) = (work, folder, kernels)
    (self.settings, self.cancellation) = (settings, cancellation)
    slots = settings.slots(for: work)
  }

  // MARK: Making what is missing

  /// Refuses to begin where the disk has no room for what is made, or too few files may be open.
  func checkResources() throws(RenderError) {
    let voices = Set(work.renditions.flatMap(\.plan.voices).map(\.source.path))
    try OpenFiles.require(OpenFiles.own + voices.count)
    let missing = 2 * work.diskEstimate - folder.byteCount
    Slots.reserve(DiskSpace.needed(missing), in: folder.path, cancellation)
    try DiskSpace.require(missing, at: folder.path)
  }

  /// Makes all that is missing; `tell` is called on this thread now and then, with what is known of
  /// the time and how many frames of each rendition were there before.
  ///
  /// - Returns: why renditions were not made, where others were.
  func execute(_ tell: (CostModel, [Int]) -> Void) throws(RenderError) -> [Int: RenderError] {
    var model = CostModel(
      work: work.sections.map(\.cost.work),
      frameCounts: work.sections.indices.map(work.frameCount), soundWork: work.soundtrackCost,
      pieces: work.soundPieceCosts)
    let (jobs, reused) = missing(&model)
    let state = Monitor(model)
    let failures = Monitor([Int: RenderError]())
    tell(model, reused)
    guard !jobs.isEmpty else { return [:] }
    let stop = Cancellation()
    let (executor, folder) = (executor, folder)
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = executor.start(
      jobs, cancellation: stop,
      events: { job, event in
        let seconds = (clock.now - start) / .seconds(1)
        state.withLock { $0.note(event, of: job, seconds: seconds) }
        if case .failed(let rendition, let kind, let message) = event {
          failures.withLock { $0[rendition] = RenderError(kind, message) }
        }
      },
      lost: { job, loss throws(RenderError) in try folder.record(loss, for: job) })
    try Slots.lending(cancellation) { () throws(RenderError) in
      try wait(for: outcome, stop) { tell(state.withLock { $0 }, reused) }
    }
    tell(state.withLock { $0 }, reused)
    return failures.withLock { $0 }
  }

  /// Waits for the end of all jobs, which are asked to `stop` where somebody asks for it or the
  /// disk gets full; `tell` is called now and then.
  private func wait(
    for outcome: Monitor<Result<Void, RenderError>?>, _ stop: Cancellation, _ tell: () -> Void
  ) throws(RenderError) {
    let clock = ContinuousClock()
    var shortage: RenderError?
    var looked = clock.now
    // Looked at again and again, as the clock that conditions wait by may be set.
    while outcome.withLock({ $0 == nil }) {
      usleep(40_000)
      if cancellation.isCancelled { stop.cancel() }
      if clock.now - looked > .milliseconds(500) {
        looked = clock.now
        shortage = shortage ?? DiskSpace.shortage(work.diskEstimate, at: folder.path)
        if shortage != nil { stop.cancel() }
      }
      tell()
    }
    if let shortage { throw shortage }
    if cancellation.isCancelled { throw .stopped(cancellation) }
    try outcome.withLock { $0 }?.get()
  }

  /// The jobs that have to be done, and the frames of each rendition that are there already.
  private func missing(_ model: inout CostModel) -> (jobs: [RenderJob], reused: [Int]) {
    var jobs: [RenderJob] = []
    var reused = work.renditions.map { _ in 0 }
    let slots = TrackSlots(work)
    if hasSound(slots) {
      model.reuseSoundtrack()
    } else {
      jobs = missingPieces(slots, &model).map { .sound($0) } + [.soundtrack]
    }
    var missing: [Int] = []
    for number in work.sections.indices {
      let (count, found) = (work.frameCount(ofSection: number), reuse(number, slots, &reused))
      model.reuse(segment: number, frames: found)
      if found < count { missing.append(number) }
    }
    let runs = Runs.choose(
      missing, costs: work.sections.map(\.cost), workers: workers(for: missing),
      besides: jobs.isEmpty ? [] : [work.soundtrackCost])
    jobs += runs.map { .segments($0) }
    return (startsFew ? Self.together(jobs, soundCost: work.soundCost) : jobs, reused)
  }

  /// For how many workers the segments are shared out. Where other calls want the machine, too, a
  /// short one gets no more than its share: starting further workers would cost more than they do.
  private func workers(for missing: [Int]) -> Int {
    guard let shared = Slots.current else { return slots }
    let all = missing.reduce(0) { $0 + work.sections[$1].cost.work }
    return min(
      slots, max(shared.share, Int(saturating: all / (Self.fewestStarts * Self.startCost))))
  }

  /// A worker is worth its start where it makes what takes that many times as long.
  private static let fewestStarts = 20.0

  /// Rows of the pieces of sound that have to be made. On a cluster, whose tasks begin in any order, one of them makes all
  /// sound.
  private func missingPieces(_ slots: TrackSlots, _ model: inout CostModel) -> [Range<Int>] {
    if case .slurm = settings.workers { return [] }
    var missing: [Int] = []
    for piece in 0..<work.soundPieceCount {
      let isThere = work.renditions(ofSoundPiece: piece).allSatisfy { number in
        folder.hasSoundPiece(
          piece, of: work.renditions[number], slots.losses(folder.soundLosses, in: number))
      }
      if isThere { model.finish(piece: piece) } else { missing.append(piece) }
    }
    return Runs.choose(
      missing, costs: work.soundPieceCosts.map { Runs.Cost(work: $0, preroll: 0) },
      workers: self.slots)
  }

  /// Whether all sound is there. What is outdated is removed: it must not be taken for what is made
  /// now.
  private func hasSound(_ slots: TrackSlots) -> Bool {
    let missing = work.soundtracks.filter { number in
      let losses = slots.losses(folder.soundLosses, in: number)
      return !folder.hasSoundtrack(of: work.renditions[number], losses)
    }
    for number in missing { FileSystem.remove(folder.soundtrackPath(of: work.renditions[number])) }
    return missing.isEmpty
  }

  /// How many frames of a section are there, which are added to those of each rendition. What is outdated is removed.
  private func reuse(_ section: Int, _ slots: TrackSlots, _ reused: inout [Int]) -> Int {
    let losses = folder.losses(of: section)
    var count = 0
    for (number, rendition) in work.renditions.enumerated() {
      let own = slots.losses(losses, in: number)
      for segment in work.sections[section].segments[number] {
        if folder.hasSegment(segment, of: rendition, own) {
          count += rendition.segments[segment].count
          reused[number] += rendition.segments[segment].count
        } else {
          FileSystem.remove(folder.segmentPath(segment, of: rendition))
        }
      }
    }
    return count
  }

  /// Whether each worker is a process of this machine, whose start has its cost.
  private var startsFew: Bool {
    if case .processes = settings.workers { true } else { false }
  }

  /// What is made in the time that a process takes to start, in the unit of all costs.
  static let startCost = 16e6

  /// A worker's jobs where the sound of a single run is mixed before another worker has started.
  static func together(_ jobs: [RenderJob], soundCost: Double) -> [RenderJob] {
    jobs.count == 2 && jobs[0] == .soundtrack && soundCost <= startCost
      ? [.together(jobs.reversed())] : jobs
  }

  private var shorten: @Sendable (RenderJob, Int) -> Void {
    { [folder] in folder.jobs.shorten($0, to: $1) }
  }

  private var executor: any Executor<RenderJob> {
    if let executor = settings.executor { return executor }
    switch settings.workers {
    case .threads:
      let performer = RenderPerformer(
        work, folder: folder, kernels: kernels, isStrict: settings.isStrict)
      return LocalExecutor(
        slots: slots, memory: work.workerMemory, runner: ThreadRunner(performer),
        shorten: shorten)
    case .processes(let program):
      return LocalExecutor(
        slots: slots, memory: work.workerMemory,
        runner: ProcessRunner<RenderJob>(worker(program), folder.jobs), shorten: shorten)
    case .slurm(let options, let program):
      let worker = worker(program)
      return ClusterExecutor(
        SlurmCluster(options: options), folder: folder.jobs,
        command: [worker.program] + worker.arguments, slots: settings.jobs ?? 1000,
        joining: ClusterExecutor.Joining(
          [
            worker.program, "stitch", folder.planPath, "--work-dir", folder.path, "-o", output,
            "--report", folder.reportPath, "--overwrite",
          ], result: folder.reportPath, accepting: [0, 3]),
        isFinished: { [folder, work] in folder.hasFiles(of: work, $1) })
    }
  }

  /// The program at `path` as a worker of this render, which is given its job.
  private func worker(_ path: String) -> WorkerProgram {
    var arguments = [
      "worker", "--work-dir", URL(fileURLWithPath: folder.path).standardizedFileURL.path, "--cpu",
      // Machines of a cluster may have others.
      kernels.level == .detected ? "auto" : kernels.level.rawValue,
    ]
    if settings.isStrict { arguments.append("--strict") }
    if let root = settings.root { arguments += ["--root", root] }
    return WorkerProgram(program: path, arguments: arguments)
  }

  // MARK: Joining

  /// What a job of a cluster has made the outputs of, if one has.
  func joinedElsewhere() -> RenderReport? {
    guard case .slurm = settings.workers else { return nil }
    return FileManager.default.contents(atPath: folder.reportPath)
      .flatMap { PlainJSON.value($0) }
  }
}

extension Plan {
  /// What a track lost that brought workers down, up to the end of `frames`.
  func loss(_ crash: CrashLoss, until frames: Range<Int>) -> Loss? {
    let rate = output.video.frameRate
    let (first, end) = (
      rate.time(ofFrame: frames.lowerBound), rate.time(ofFrame: frames.upperBound)
    )
    let start = min(max(first, MediaTime(nanoseconds: crash.time)), end)
    let cause = Loss.Cause.crash(crash.manner)
    if let track = tracks.first(where: { $0.id == crash.id }) {
      return Loss(
        cause, track: track.id, of: track.participant, source: track.source.path,
        intervals: [TimeRange(start: start, end: end)])
    }
    guard let voice = voices.first(where: { $0.id == crash.id }) else { return nil }
    let heard = voice.source.interval
    let silence = min(max(first, heard.start, crash.end), end)
    return Loss(
      cause, track: voice.id, of: voice.participant, source: voice.source.path,
      intervals: [TimeRange(start: silence, end: max(silence, min(end, heard.end)))])
  }
}

extension CostModel {
  /// Notes what a job reports, `seconds` after the render began.
  mutating func note(_ event: JobEvent, of job: RenderJob, seconds: Double) {
    if case .sound = job {
      switch event {
      case .advanced(let piece, _, let took): return finish(piece: piece, seconds: took)
      case .finished(let piece): return finish(piece: piece)
      default: break
      }
    }
    switch event {
    case .advanced(let segment, let frames, let took):
      advance(segment: segment, frames: frames, seconds: took)
    case .mixed(let part): mixed(part, seconds: seconds)
    case .spentOnSound(let seconds): soundProcessorSeconds += seconds
    case .finished(let segment): finish(segment: segment)
    case .failed: break
    }
  }
}
