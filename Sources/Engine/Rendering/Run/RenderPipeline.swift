import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraPixels
import TesseraPlan
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// One render from plan to finished pieces: finds the missing pieces, and has workers make them.
/// ``Renderer`` joins the pieces.
struct RenderPipeline {
  private let work: WorkPlan
  private let folder: WorkFolder
  private let kernels: PixelKernels
  private let settings: RenderSettings
  private let cancellation: Cancellation
  /// The path of the main rendition's output.
  private let output: String
  /// Largest number of workers at once.
  let slots: Int

  /// Creates a pipeline for `work`, whose main rendition becomes the file `output`.
  init(
    _ work: WorkPlan, folder: WorkFolder, output: String, kernels: PixelKernels,
    settings: RenderSettings, cancellation: Cancellation
  ) {
    self.output = output
    (self.work, self.folder, self.kernels) = (work, folder, kernels)
    (self.settings, self.cancellation) = (settings, cancellation)
    slots = settings.slots(for: work)
  }

  // MARK: Making what is missing

  /// Throws if the disk has too little space or too few files may be open.
  func checkResources() throws(RenderError) {
    let voices = Set(work.renditions.flatMap(\.plan.voices).map(\.source.path))
    try OpenFileCheck.require(OpenFileCheck.own + voices.count)
    let missing = 2 * work.diskEstimate - folder.byteCount
    ProcessorSlotClient.reserve(DiskSpaceCheck.needed(missing), in: folder.path, cancellation)
    try DiskSpaceCheck.require(missing, at: folder.path)
  }

  /// Makes all missing pieces.
  ///
  /// On this machine, ``LocalExecutor`` starts a worker for each job. All workers execute jobs with
  /// ``RenderJobHandler``; processes get there through
  /// ``RenderWorker`` (`RenderWorker+Run.swift` in `Sources/Command/Commands`).
  ///
  /// - Parameter report: receives the cost model and, for each rendition, the number of reused
  ///   frames. Called on this thread several times a second.
  /// - Returns: the errors of renditions that could not be made while others could.
  /// - Throws: ``RenderError`` if no rendition can be made, the disk is full, or the render is
  ///   canceled.
  func makePieces(_ report: (RemainingTimeEstimator, [Int]) -> Void) throws(RenderError) -> [Int:
    RenderError]
  {
    var model = RemainingTimeEstimator(
      work: work.sections.map(\.cost.work),
      frameCounts: work.sections.indices.map(work.frameCount), soundWork: work.soundtrackCost,
      pieces: work.soundPieceCosts)
    let (jobs, reused) = missing(&model)
    let state = ConditionLock(model)
    let failures = ConditionLock([Int: RenderError]())
    report(model, reused)
    guard !jobs.isEmpty else { return [:] }
    let stop = Cancellation()
    let (executor, folder) = (executor, folder)
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = executor.launch(
      jobs, cancellation: stop,
      events: { job, event in
        let seconds = (clock.now - start) / .seconds(1)
        state.withLock { $0.note(event, of: job, seconds: seconds) }
        if case .failed(let rendition, let kind, let message) = event {
          failures.withLock { $0[rendition] = RenderError(kind, message) }
        }
      },
      lost: { job, loss throws(RenderError) in try folder.record(loss, for: job) })
    try ProcessorSlotClient.lending(cancellation) { () throws(RenderError) in
      try wait(for: outcome, stop) { report(state.withLock { $0 }, reused) }
    }
    report(state.withLock { $0 }, reused)
    return failures.withLock { $0 }
  }

  /// Waits until all jobs have ended. Requests `stop` if the render is canceled or the disk fills
  /// up. Calls `report` several times a second.
  private func wait(
    for outcome: ConditionLock<Result<Void, RenderError>?>, _ stop: Cancellation,
    _ report: () -> Void
  ) throws(RenderError) {
    let clock = ContinuousClock()
    var shortage: RenderError?
    var looked = clock.now
    // Polled, because a condition variable's timeout depends on a clock that may be set.
    while outcome.withLock({ $0 == nil }) {
      usleep(40_000)
      if cancellation.isCancelled { stop.cancel() }
      if clock.now - looked > .milliseconds(500) {
        looked = clock.now
        shortage = shortage ?? DiskSpaceCheck.shortage(work.diskEstimate, at: folder.path)
        if shortage != nil { stop.cancel() }
      }
      report()
    }
    if let shortage { throw shortage }
    if cancellation.isCancelled { throw .stopped(cancellation) }
    try outcome.withLock { $0 }?.get()
  }

  /// Returns the jobs for all missing pieces, and the number of reused frames of each rendition.
  private func missing(_ model: inout RemainingTimeEstimator) -> (jobs: [RenderJob], reused: [Int])
  {
    var jobs: [RenderJob] = []
    var reused = work.renditions.map { _ in 0 }
    let slots = CrashNoteSlots(work)
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
    let runs = SegmentRunPlanner.choose(
      missing, costs: work.sections.map(\.cost), workers: workers(for: missing),
      besides: jobs.isEmpty ? [] : [work.soundtrackCost])
    jobs += runs.map { .segments($0) }
    return (startsFew ? Self.together(jobs, soundCost: work.soundCost) : jobs, reused)
  }

  /// Returns the number of workers among which the sections are divided. In a batch, a short call
  /// gets no more than its share of the machine: starting more workers would take longer than they
  /// save.
  private func workers(for missing: [Int]) -> Int {
    guard let shared = ProcessorSlotClient.current else { return slots }
    let all = missing.reduce(0) { $0 + work.sections[$1].cost.work }
    return min(
      slots, max(shared.share, Int(saturating: all / (Self.fewestStarts * Self.startCost))))
  }

  /// A worker is worth its start if its work takes at least this many times as long.
  private static let fewestStarts = 20.0

  /// Returns runs of missing pieces of the sound; empty on a cluster, whose tasks start in any
  /// order, so that one task makes all sound.
  private func missingPieces(_ slots: CrashNoteSlots, _ model: inout RemainingTimeEstimator)
    -> [Range<Int>]
  {
    if case .slurm = settings.workers { return [] }
    var missing: [Int] = []
    for piece in 0..<work.soundPieceCount {
      let isThere = work.renditions(ofSoundPiece: piece).allSatisfy { number in
        folder.hasSoundPiece(
          piece, of: work.renditions[number], slots.losses(folder.soundLosses, in: number))
      }
      if isThere { model.finish(piece: piece) } else { missing.append(piece) }
    }
    return SegmentRunPlanner.choose(
      missing, costs: work.soundPieceCosts.map { SegmentRunPlanner.Cost(work: $0, preroll: 0) },
      workers: self.slots)
  }

  /// True if all soundtracks are finished. Removes outdated ones, so that they are not taken for
  /// new ones.
  private func hasSound(_ slots: CrashNoteSlots) -> Bool {
    let missing = work.soundtracks.filter { number in
      let losses = slots.losses(folder.soundLosses, in: number)
      return !folder.hasSoundtrack(of: work.renditions[number], losses)
    }
    for number in missing {
      FileOperations.remove(folder.soundtrackPath(of: work.renditions[number]))
    }
    return missing.isEmpty
  }

  /// Returns the number of frames of a section that are finished, and adds them to `reused` of each
  /// rendition. Removes outdated segments.
  private func reuse(_ section: Int, _ slots: CrashNoteSlots, _ reused: inout [Int]) -> Int {
    let losses = folder.losses(of: section)
    var count = 0
    for (number, rendition) in work.renditions.enumerated() {
      let own = slots.losses(losses, in: number)
      for segment in work.sections[section].segments[number] {
        if folder.hasSegment(segment, of: rendition, own) {
          count += rendition.segments[segment].count
          reused[number] += rendition.segments[segment].count
        } else {
          FileOperations.remove(folder.segmentPath(segment, of: rendition))
        }
      }
    }
    return count
  }

  /// True if each worker is a process of this machine, which takes time to start.
  private var startsFew: Bool {
    if case .processes = settings.workers { true } else { false }
  }

  /// The cost of starting a process, in the unit of all costs: the work that is done in that time.
  static let startCost = 16e6

  /// Combines the sound and a single run into one job if mixing takes less time than starting
  /// another worker.
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
      let handler = RenderJobHandler(
        work, folder: folder, kernels: kernels, isStrict: settings.isStrict)
      return LocalExecutor(
        slots: slots, memory: work.workerMemory, runner: ThreadJobRunner(handler),
        shorten: shorten)
    case .processes(let program):
      return LocalExecutor(
        slots: slots, memory: work.workerMemory,
        runner: ProcessJobRunner<RenderJob>(worker(program), folder.jobs), shorten: shorten)
    case .slurm(let options, let program):
      let stitch = WorkerSetup.stitch(
        plan: folder.planPath, workFolder: folder.path, output: output, report: folder.reportPath)
      return ClusterExecutor(
        SlurmQueue(options: options), folder: folder.jobs, command: worker(program),
        slots: settings.jobs ?? 1000,
        joining: ClusterExecutor.StitchStep(
          WorkerProgram(program, stitch), result: folder.reportPath),
        isFinished: { [folder, work] in folder.hasFiles(of: work, $1) })
    }
  }

  /// Returns the workers of this render that run the program at `path`.
  private func worker(_ path: String) -> WorkerProgram {
    WorkerProgram(
      path,
      .render(
        RenderWorker(
          workFolder: URL(fileURLWithPath: folder.path).standardizedFileURL.path,
          // Machines of a cluster may have other processors.
          kernels: kernels.level == .detected ? "auto" : kernels.level.rawValue,
          isStrict: settings.isStrict, roots: settings.roots)))
  }

  // MARK: Joining

  /// Returns the report of the cluster job that stitched the outputs; nil if none did.
  func joinedElsewhere() -> RenderReport? {
    guard case .slurm = settings.workers,
      var report = FileManager.default.contents(atPath: folder.reportPath)
        .flatMap({ CanonicalJSON.value($0, as: RenderReport.self) })
    else { return nil }
    // The notes of a written report are plain texts. Those of the plans have files as values.
    if report.allReports.count == work.renditions.count {
      report.messages = work.renditions[0].plan.messages + report.soundNotes
      for index in (report.outputs ?? []).indices {
        let sound = report.outputs?[index].soundNotes ?? []
        report.outputs?[index].messages = work.renditions[index + 1].plan.messages + sound
      }
    }
    return report
  }
}

extension Plan {
  /// Converts a crash loss to the loss of a track or voice, from the crash to the end of `frames`;
  /// nil if the plan has no such track.
  func loss(_ crash: CrashedTrackLoss, until frames: Range<Int>) -> Loss? {
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

extension RemainingTimeEstimator {
  /// Records an event of a job, `seconds` after the start of the render.
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
