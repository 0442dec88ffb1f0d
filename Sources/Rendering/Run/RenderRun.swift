import Foundation
import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// One render's way from a plan to a file: what is missing is made by workers, and joined.
struct RenderRun {
  private let work: WorkPlan
  private let folder: WorkFolder
  private let kernels: Kernels
  private let settings: RenderSettings
  private let cancellation: Cancellation
  private let output: String
  /// How many workers there are at once.
  let slots: Int

  /// A run of `work` that ends with the file `output`.
  init(
    _ work: WorkPlan, folder: WorkFolder, output: String, kernels: Kernels,
    settings: RenderSettings, cancellation: Cancellation
  ) {
    self.output = output
    (self.work, self.folder, self.kernels) = (work, folder, kernels)
    (self.settings, self.cancellation) = (settings, cancellation)
    slots = settings.slots(for: work.plan)
  }

  // MARK: Making what is missing

  /// Refuses to begin where the disk has no room for what is made, or too few files may be open.
  func checkResources() throws(RenderError) {
    let voices = Set(work.plan.voices.map(\.source.path))
    try OpenFiles.require(OpenFiles.own + voices.count)
    try DiskSpace.require(2 * work.diskEstimate - folder.byteCount, at: folder.path)
  }

  /// Makes all that is missing; `tell` is called on this thread now and then, with what is known of
  /// the time and how many frames were there before.
  func execute(_ tell: (CostModel, Int) -> Void) throws(RenderError) {
    var model = CostModel(
      work: work.costs.map(\.work), frameCounts: work.segments.map(\.count),
      soundWork: work.soundCost)
    let (jobs, reused) = missing(&model)
    let state = Monitor(model)
    tell(model, reused)
    guard !jobs.isEmpty else { return }
    let stop = Cancellation()
    let (executor, folder) = (executor, folder)
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = executor.start(
      jobs, cancellation: stop,
      events: { _, event in
        let seconds = (clock.now - start) / .seconds(1)
        state.withLock { $0.note(event, seconds: seconds) }
      },
      lost: { job, loss throws(RenderError) in try folder.record(loss, for: job) })
    try Slots.lending(cancellation) { () throws(RenderError) in
      try wait(for: outcome, stop) { tell(state.withLock { $0 }, reused) }
    }
    tell(state.withLock { $0 }, reused)
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

  /// The jobs that have to be done, and the frames that are there already.
  private func missing(_ model: inout CostModel) -> (jobs: [RenderJob], reused: Int) {
    var jobs: [RenderJob] = []
    let sound = work.soundtrackDigest(losses: folder.soundLosses)
    if folder.hasSoundtrack(digest: sound) {
      model.reuseSoundtrack()
    } else {
      // What is outdated must not be taken for what is made now.
      FileSystem.remove(folder.soundtrackPath)
      jobs.append(.soundtrack)
    }
    var missing: [Int] = []
    for number in work.segments.indices {
      let digest = work.digest(of: number, losses: folder.losses(of: number))
      if folder.hasSegment(number, digest: digest) {
        model.reuse(segment: number)
      } else {
        FileSystem.remove(folder.segmentPath(number))
        missing.append(number)
      }
    }
    let runs = Runs.choose(missing, costs: work.costs, workers: workers(for: missing))
    jobs += runs.map { .segments($0) }
    return (startsFew ? Self.together(jobs, soundCost: work.soundCost) : jobs, model.frames)
  }

  /// For how many workers the segments are shared out. Where other calls want the machine, too, a
  /// short one gets no more than its share: starting further workers would cost more than they do.
  private func workers(for missing: [Int]) -> Int {
    guard let shared = Slots.current else { return slots }
    let all = missing.reduce(0) { $0 + work.costs[$1].work }
    return min(
      slots, max(shared.share, Int(saturating: all / (Self.fewestStarts * Self.startCost))))
  }

  /// A worker is worth its start where it makes what takes that many times as long.
  private static let fewestStarts = 20.0

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

  private var executor: any Executor<RenderJob> {
    if let executor = settings.executor { return executor }
    switch settings.workers {
    case .threads:
      let performer = RenderPerformer(
        work, folder: folder, kernels: kernels, isStrict: settings.isStrict)
      return LocalExecutor(
        slots: slots, memory: work.plan.workerMemory, runner: ThreadRunner(performer))
    case .processes(let program):
      return LocalExecutor(
        slots: slots, memory: work.plan.workerMemory,
        runner: ProcessRunner<RenderJob>(program, folder.jobs))
    case .slurm(let options, let program):
      return ClusterExecutor(
        SlurmCluster(options: options), folder: folder.jobs,
        command: [program.program] + program.arguments, slots: settings.jobs ?? 1000,
        joining: ClusterExecutor.Joining(
          [
            program.program, "stitch", folder.planPath, "--work-dir", folder.path, "-o", output,
            "--report", folder.reportPath, "--overwrite",
          ], result: folder.reportPath, accepting: [0, 3]),
        isFinished: { [folder] in folder.hasFile(of: $0, $1) })
    }
  }

  // MARK: Joining

  /// What a job of a cluster has made the output of, if one has.
  func joinedElsewhere() -> RenderReport? {
    guard case .slurm = settings.workers else { return nil }
    return FileManager.default.contents(atPath: folder.reportPath)
      .flatMap { PlainJSON.value($0) }
  }

  /// Joins all pieces into the file `path`; returns what they came to.
  func stitch(to path: String) throws(RenderError) -> RenderReport {
    try Self.stitch(work, folder, to: path, made: settings.madeFrom, cancellation)
  }

  static func stitch(
    _ work: WorkPlan, _ folder: WorkFolder, to path: String, made: String? = nil,
    _ cancellation: Cancellation
  ) throws(RenderError) -> RenderReport {
    var stitcher = Stitcher(
      segments: work.segments.indices.map { number in
        Stitcher.Piece(
          path: folder.segmentPath(number),
          digest: work.digest(of: number, losses: folder.losses(of: number)))
      },
      soundtrack: Stitcher.Piece(
        path: folder.soundtrackPath,
        digest: work.soundtrackDigest(losses: folder.soundLosses)),
      container: work.container)
    stitcher.tags = TesseraVersion.tags
    stitcher.tags["title"] = work.plan.output.title
    // Before the file, which says whether anything was lost.
    let report = try report(work, folder)
    if let made { stitcher.tags["comment"] = MadeFrom(made, hasLosses: report.hasLosses).text }
    stitcher.captions = work.plan.output.captions
    stitcher.chapters = work.plan.output.chapters.map {
      Stitcher.Chapter($0.title, start: $0.start.nanoseconds / 1_000_000)
    }
    do throws(Stitcher.Failure) {
      try stitcher.write(to: path, cancellation: cancellation)
    } catch {
      if cancellation.isCancelled { throw .stopped(cancellation) }
      switch error {
      case .piece(let refusal):
        throw RenderError(.failure, "\(refusal); render it again.")
      case .gap(let sentence): throw RenderError(.failure, "\(sentence); render it again.")
      case .output(let error): throw RenderError(error, output: path)
      }
    }
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    return report
  }

  /// What all pieces together came to.
  private static func report(
    _ work: WorkPlan, _ folder: WorkFolder
  ) throws(RenderError) -> RenderReport {
    // Of a track that is never seen, nothing is decoded.
    var pictures: [TrackID: PictureReport] =
      work.segments.isEmpty
      ? [:] : Dictionary(uniqueKeysWithValues: work.plan.tracks.map { ($0.id, PictureReport()) })
    var (pixels, crashes) = (0, [Loss]())
    for number in work.segments.indices {
      guard let note = SegmentNote(try tail(folder.segmentPath(number))) else { continue }
      pixels += note.pixelsWritten
      for (track, report) in work.pictures(in: note, of: number) {
        pictures[track.id] = pictures[track.id].map { $0 + report } ?? report
      }
      crashes += note.crashes.compactMap { work.plan.loss($0, until: work.segments[number]) }
    }
    let sound = SoundNote(try tail(folder.soundtrackPath))
    crashes += (sound?.crashes ?? []).compactMap { work.plan.loss($0, until: work.plan.frames) }
    var report = RenderReport(
      work.plan, pictures: pictures,
      voices: sound?.voices ?? work.plan.voices.map { _ in VoiceReport() }, pixelsWritten: pixels,
      hasPictures: work.container.hasPictures)
    for index in report.inputs.indices {
      report.inputs[index].losses += crashes.filter { $0.participant == report.inputs[index].id }
    }
    return report
  }

  private static func tail(_ path: String) throws(RenderError) -> String {
    do throws(PacketFile.Refusal) {
      return try PacketFileReader(path).tail.note
    } catch {
      throw RenderError(.failure, "\(error); render it again.")
    }
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
  mutating func note(_ event: JobEvent, seconds: Double) {
    switch event {
    case .advanced(let segment, let frames, let took):
      advance(segment: segment, frames: frames, seconds: took)
    case .mixed(let part): mixed(part, seconds: seconds)
    case .finished(let segment): finish(segment: segment)
    }
  }
}
