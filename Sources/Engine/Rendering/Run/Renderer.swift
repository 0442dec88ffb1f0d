import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraMessages
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem
import TesseraTimeline

/// Renders a plan into a file, or several plans of one call into a file each. Workers make segments
/// and sound, which are then stitched without encoding again.
///
///     let renderer = Renderer([plan])
///     let report = try renderer.render(to: [.file("call.mp4")]) { print($0.fraction) }
///
/// Finished pieces stay in a work folder until the output is complete. Rendering again after an
/// interruption continues from them.
package struct Renderer: Sendable {
  private let plans: [Plan]
  private let kernels: PixelKernels
  private let settings: RenderSettings
  private let cancellation: Cancellation

  /// Creates a renderer of several outputs of one call. `plans`, at least one, must have been
  /// planned together. Pictures that several outputs show are decoded once. Each file has the same
  /// bytes as if it were rendered alone.
  package init(
    _ plans: [Plan], kernels: PixelKernels = PixelKernels(),
    settings: RenderSettings = RenderSettings(),
    cancellation: Cancellation = Cancellation()
  ) {
    precondition(!plans.isEmpty)
    (self.plans, self.kernels) = (plans, kernels)
    (self.settings, self.cancellation) = (settings, cancellation)
  }

  /// Renders each plan into the target at the same index of `targets`. The work folder belongs to
  /// the first output. Outputs appear when they are complete. An existing one is replaced only
  /// then, and only if Tessera made it or the settings allow it. `progress` is called on this
  /// thread, several times a second.
  ///
  /// - Returns: the report on the first output (a file, or an HLS folder with all of its rungs),
  ///   with the reports on the others. If one of several outputs cannot be made, the others are,
  ///   and its report has the reason in ``RenderReport/error``.
  /// - Throws: ``RenderError`` if no output can be made, or if a loss is an error.
  package func render(
    to targets: [RenderTarget], progress: (RenderProgress) -> Void = { _ in }
  ) throws(RenderError) -> RenderReport {
    precondition(targets.count == plans.count)
    let clock = ContinuousClock()
    let start = clock.now
    let elapsed = { (clock.now - start) / .seconds(1) }
    for plan in plans { try refuse(plan.losses) }
    var outputs: [OutputFile] = []
    for group in targets.outputs {
      let others = outputs.map(\.path)
      outputs.append(
        try OutputFile(
          targets[group[0]], protecting: plans.flatMap(\.files) + others,
          overwriting: settings.isOverwriting))
    }
    let protected = plans[0].files + outputs.map(\.path)
    if let stems = settings.stems {
      try StemWriter(plans[0]).require(
        stems, protecting: protected, overwriting: settings.isOverwriting)
    }
    let (work, main) = (try Self.work(plans, targets), targets[0].path)
    let folder = settings.workFolder.map { WorkFolder($0) } ?? WorkFolder(output: main)
    let lock = try folder.enter()
    for output in outputs { output.removeRemains() }
    if settings.retriesLosses { folder.jobs.forgetLosses() }
    FileOperations.remove(folder.reportPath)
    folder.removePieces(notOf: work)
    let run = RenderPipeline(
      work, folder: folder, output: main, kernels: kernels, settings: settings,
      cancellation: cancellation)
    try run.checkResources()
    try work.write(to: folder.planPath)
    try settings.prepare?()
    var state: RenderProgress?
    func enter(_ phase: RenderProgress.Phase) {
      guard var now = state else { return }
      (now.phase, now.elapsed, now.remaining) = (phase, elapsed(), nil)
      progress(now)
    }
    var reused: [Int] = []
    let failures = try run.makePieces { model, found in
      reused = found
      let now = RenderProgress(
        work, model, reused: found.reduce(0, +), slots: run.slots, elapsed: elapsed())
      state = now
      progress(now)
    }
    enter(.joining)
    var reports: [RenderReport] = []
    if let joined = run.joinedElsewhere() {
      reports = joined.allReports
    } else {
      reports = try joinOutputs(work, folder, outputs, without: failures)
    }
    for report in reports { try refuse(report.allLosses) }
    if let stems = settings.stems {
      enter(.stems)
      try StemWriter(plans[0], lost: folder.soundLosses).write(
        to: stems, protecting: protected, overwriting: settings.isOverwriting,
        cancellation: cancellation)
    }
    for index in reports.indices {
      reports[index].elapsed = elapsed()
      reports[index].reused = work.outputs[index].reduce(0) { $0 + reused[$1] }
      try outputs[index].finish(&reports[index])
    }
    if settings.workFolder == nil, reports.allSatisfy({ $0.error == nil }) { folder.remove() }
    _ = consume lock
    return RenderReport(reports)
  }

  /// Decides how all plans are rendered together: ``RenditionPlan`` divides each plan into
  /// segments, ``WorkPlan`` divides the timeline into sections.
  private static func work(
    _ plans: [Plan], _ targets: [RenderTarget]
  ) throws(RenderError) -> WorkPlan {
    var renditions: [RenditionPlan] = []
    for (plan, target) in zip(plans, targets) {
      var rendition = try RenditionPlan(plan, as: target)
      // The main output may be renamed: it is identified by the work folder, not by its path.
      if target.path == targets[0].path { rendition.output = "" }
      renditions.append(rendition)
    }
    return WorkPlan(renditions)
  }

  /// Joins the pieces of all renditions into temporary files (`WorkPlan+Stitch.swift`). If some
  /// outputs fail, their reports have the reasons.
  ///
  /// - Throws: ``RenderError`` if all outputs fail, or the render is canceled.
  private func joinOutputs(
    _ work: WorkPlan, _ folder: WorkFolder, _ outputs: [OutputFile],
    without failures: [Int: RenderError]
  ) throws(RenderError) -> [RenderReport] {
    var (reports, first): ([RenderReport], RenderError?) = ([], nil)
    for (place, (numbers, output)) in zip(work.outputs, outputs).enumerated() {
      do throws(RenderError) {
        if let failure = numbers.lazy.compactMap({ failures[$0] }).first { throw failure }
        let path = try output.temporaryPath()
        reports.append(
          try work.join(numbers, folder, to: path, made: settings.madeFrom, cancellation))
        if let prove = settings.prove {
          let pieces = numbers.map {
            RenditionPieces(work, $0, as: work.renditions[$0], in: folder)
          }
          try prove(place, try RenditionPieces.proof(of: pieces))
        }
      } catch {
        guard error.kind != .cancelled else { throw error }
        first = first ?? error
        reports.append(RenderReport(failed: error, plans[numbers[0]]))
      }
    }
    if let first, reports.allSatisfy({ $0.error != nil }) { throw first }
    return reports
  }

  /// Returns the container format of the file `path`. Throws if it cannot carry the streams that
  /// the plan's encoders make.
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

  /// Returns the container format of `target`: by its extension for a file, MP4 for an HLS rung.
  /// Throws if it cannot carry the streams that the plan's encoders make.
  static func container(_ target: RenderTarget, _ plan: Plan) throws(RenderError) -> OutputContainer
  {
    guard target.rung != nil else { return try container(target.path, plan) }
    guard plan.output.video.streams else {
      throw .cannotCarry(target.path, plan.output.video.encoder)
    }
    guard HLSPackager.codecs.contains(plan.output.audio.codec) else {
      throw .cannotCarry(target.path, plan.output.audio.codec.rawValue)
    }
    return .mp4
  }

  private func refuse(_ losses: [Loss]) throws(RenderError) {
    guard settings.isStrict, let first = losses.first else { return }
    throw .refusing(first)
  }
}

extension RenditionPlan {
  /// Decides how `plan` is rendered as `target`.
  ///
  /// - Throws: ``RenderError`` if the target cannot carry the streams that the plan's encoders
  ///   make.
  package init(_ plan: Plan, as target: RenderTarget) throws(RenderError) {
    self.init(plan, container: try Renderer.container(target, plan))
    (output, rung) = (target.path, target.rung)
  }
}

extension RenderError {
  fileprivate static func cannotCarry(_ path: String, _ encoder: String) -> RenderError {
    RenderError(
      .usage,
      "\(file: path): this format cannot carry the video of \(encoder); give -o another ending, or "
        + "choose another encoder.")
  }
}

extension RenderProgress {
  /// The share of progress that is reached before the pieces are joined.
  private static let making = 0.99

  fileprivate init(
    _ work: WorkPlan, _ model: RemainingTimeEstimator, reused: Int, slots: Int, elapsed: Double
  ) {
    // Sound alone has no frames; its progress is also reported in frames.
    let total = work.renditions.map(\.plan.duration).max() ?? .zero
    let count = work.sections.isEmpty ? work.renditions[0].plan.cut.count : work.frameCount
    let done = model.onlySound.map { Int(saturating: $0 * Double(count)) } ?? model.frames
    let frames = min(done, count)
    let part = Int128(total.nanoseconds) * Int128(frames) / Int128(max(1, count))
    self.init(
      phase: model.hasAllPictures ? .sound : .pictures, fraction: Self.making * model.fraction,
      frames: frames, frameCount: count, reused: reused,
      rendered: MediaTime(nanoseconds: Int64(clamping: part)), total: total, elapsed: elapsed,
      remaining: model.remaining(workers: slots))
    soundProcessorSeconds = model.soundProcessorSeconds
  }
}
