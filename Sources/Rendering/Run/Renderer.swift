import Foundation
public import TesseraJobs
import TesseraMedia
public import TesseraPixels
public import TesseraPlan
import TesseraPlanning
public import TesseraSystem
import TesseraTimeline

/// Renders a plan into one file: segments and sound by workers, then a stitch without encoding.
///
///     let renderer = Renderer(plan)
///     let report = try renderer.render(to: "call.mp4") { print($0.fraction) }
///
/// What is finished stays in a work folder until the output is whole, and the same call again goes
/// on from there.
public struct Renderer: Sendable {
  private let plan: Plan
  private let kernels: Kernels
  private let settings: RenderSettings
  private let cancellation: Cancellation

  /// A renderer of `plan` with these means.
  public init(
    _ plan: Plan, kernels: Kernels = Kernels(), settings: RenderSettings = RenderSettings(),
    cancellation: Cancellation = Cancellation()
  ) {
    (self.plan, self.kernels) = (plan, kernels)
    (self.settings, self.cancellation) = (settings, cancellation)
  }

  /// A renderer of `plan` on threads. Where it `isStrict`, a loss is an error.
  public init(
    _ plan: Plan, kernels: Kernels = Kernels(), isStrict: Bool,
    cancellation: Cancellation = Cancellation()
  ) {
    var settings = RenderSettings()
    settings.isStrict = isStrict
    self.init(plan, kernels: kernels, settings: settings, cancellation: cancellation)
  }

  /// Renders into the file `path`, which appears when it is complete; an earlier one is replaced
  /// only then. `progress` is called on this thread, ten times a second.
  public func render(
    to path: String, progress: (RenderProgress) -> Void = { _ in }
  ) throws(RenderError) -> RenderReport {
    let clock = ContinuousClock()
    let start = clock.now
    let elapsed = { (clock.now - start) / .seconds(1) }
    try refuse(plan.losses)
    let container = try Self.container(path, plan)
    var file = try OutputFile(path, protecting: plan.files)
    let work = WorkPlan(plan, container: container)
    let folder = settings.workFolder.map { WorkFolder($0) } ?? WorkFolder(output: path)
    let lock = try folder.enter()
    file.removeRemains()
    let run = try begin(work, in: folder, for: path)
    var state: RenderProgress?
    func enter(_ phase: RenderProgress.Phase) {
      guard var now = state else { return }
      (now.phase, now.elapsed, now.remaining) = (phase, elapsed(), nil)
      progress(now)
    }
    try run.execute { model, reused in
      let now = RenderProgress(plan, model, reused: reused, slots: run.slots, elapsed: elapsed())
      state = now
      progress(now)
    }
    enter(.joining)
    let joined = run.joinedElsewhere()
    var report = if let joined { joined } else { try run.stitch(to: try file.temporaryPath()) }
    try refuse(report.allLosses)
    if let stems = settings.stems {
      enter(.stems)
      try StemFiles(plan, lost: folder.soundLosses).write(to: stems, cancellation: cancellation)
    }
    if joined == nil { try file.commit() }
    report.output = path
    report.elapsed = elapsed()
    report.byteCount = FileSystem.byteCount(of: file.path)
    if settings.workFolder == nil { folder.remove() }
    _ = consume lock
    return report
  }

  /// A run of `work` in `folder`, in which nothing is left that does not belong to it.
  private func begin(
    _ work: WorkPlan, in folder: WorkFolder, for path: String
  ) throws(RenderError) -> RenderRun {
    if settings.retriesLosses { folder.jobs.forgetLosses() }
    FileSystem.remove(folder.reportPath)
    folder.removeSegments(from: work.segments.count)
    let run = RenderRun(
      work, folder: folder, output: path, kernels: kernels, settings: settings,
      cancellation: cancellation)
    try run.checkResources()
    try work.write(to: folder.planPath)
    return run
  }

  /// The format of the file `path`, which has to be able to carry what the plan's encoder makes.
  static func container(_ path: String, _ plan: Plan) throws(RenderError) -> OutputContainer {
    let container = OutputContainer(path: path) ?? .mp4
    guard container.hasPictures || plan.output.captions.isEmpty else {
      throw .captionsInSound(path)
    }
    guard container.soundCodecs.contains(plan.output.audio.codec) else {
      throw .cannotCarry(path, plan.output.audio.codec.rawValue)
    }
    guard !container.hasPictures || plan.output.video.containers.contains(container) else {
      throw .cannotCarry(path, plan.output.video.encoder)
    }
    return container
  }

  private func refuse(_ losses: [Loss]) throws(RenderError) {
    guard settings.isStrict, let first = losses.first else { return }
    throw .refusing(first)
  }
}

extension RenderError {
  /// A file of sound was to carry captions.
  package static func captionsInSound(_ path: String) -> RenderError {
    RenderError(
      .usage,
      "\(path): a file of sound carries no captions; leave out --captions-track, or give -o the "
        + "ending of a video.")
  }

  fileprivate static func cannotCarry(_ path: String, _ encoder: String) -> RenderError {
    RenderError(
      .usage,
      "\(path): a file of that kind cannot carry what \(encoder) makes; give -o another ending, or "
        + "choose another encoder.")
  }
}

extension Renderer {
  /// What a render that runs by itself reports.
  public enum Update: Sendable {
    /// How far it is.
    case progress(RenderProgress)
    /// It is done.
    case finished(RenderReport)
  }

  /// Renders into the file `path` on a thread of its own and reports how far it is, at last
  /// with the report. A task that is cancelled, or stops listening, stops the render.
  public func updates(to path: String) -> AsyncThrowingStream<Update, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      let cancellation = cancellation
      continuation.onTermination = { _ in cancellation.cancel() }
      let thread = Thread {
        do throws(RenderError) {
          let report = try render(to: path) { continuation.yield(.progress($0)) }
          continuation.yield(.finished(report))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}

extension RenderProgress {
  /// The part of the whole before everything is joined.
  private static let making = 0.99

  fileprivate init(_ plan: Plan, _ model: CostModel, reused: Int, slots: Int, elapsed: Double) {
    let done =
      model.onlySound.map { Int(saturating: $0 * Double(plan.frames.count)) } ?? model.frames
    let frames = min(done, plan.frames.count)
    self.init(
      phase: model.hasAllPictures ? .sound : .pictures, fraction: Self.making * model.fraction,
      frames: frames, frameCount: plan.frames.count, reused: reused,
      rendered: plan.output.video.frameRate.time(ofFrame: frames), total: plan.duration,
      elapsed: elapsed, remaining: model.remaining(workers: slots))
  }
}
