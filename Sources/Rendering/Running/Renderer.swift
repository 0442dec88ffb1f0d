import Foundation
import TesseraCompositor
import TesseraMedia
public import TesseraPixels
public import TesseraSystem
import TesseraTimeline

/// Renders a plan into one file: composes, mixes, encodes and writes.
public struct Renderer: Sendable {
  private let plan: Plan
  private let kernels: Kernels
  private let isStrict: Bool
  private let cancellation: Cancellation

  /// A renderer of `plan`. Where it `isStrict`, a loss is an error.
  public init(
    _ plan: Plan, kernels: Kernels = Kernels(), isStrict: Bool = false,
    cancellation: Cancellation = Cancellation()
  ) {
    (self.plan, self.kernels) = (plan, kernels)
    (self.isStrict, self.cancellation) = (isStrict, cancellation)
  }

  /// Renders into the file `path`, which appears when it is complete; an earlier one is replaced
  /// only then. `progress` is told of every frame.
  public func render(
    to path: String, progress: (RenderProgress) -> Void = { _ in }
  ) throws(RenderError) -> RenderReport {
    let clock = ContinuousClock()
    let start = clock.now
    let elapsed = { (clock.now - start) / .seconds(1) }
    try refuseLosses(plan.losses)
    var file = try OutputFile(path, protecting: plan.files)
    var report = try write(file) { frames in
      progress(
        RenderProgress(
          frames: frames, frameCount: plan.frames.count,
          rendered: plan.output.video.frameRate.time(ofFrame: frames), total: plan.duration,
          elapsed: elapsed()))
    }
    try refuseLosses(report.allLosses)
    try file.commit()
    report.output = path
    report.elapsed = elapsed()
    report.byteCount = FileSystem.byteCount(of: path)
    return report
  }

  private func refuseLosses(_ losses: [Loss]) throws(RenderError) {
    guard isStrict, let first = losses.first else { return }
    throw RenderError(.failure, "--strict refuses a loss: \(first.sentence)")
  }

  /// Composes, encodes and multiplexes everything into `file`.
  private func write(
    _ file: borrowing OutputFile, progress: (Int) -> Void
  ) throws(RenderError) -> RenderReport {
    do throws(FFmpegError) {
      let writer = try OutputWriter.open(
        plan, path: file.temporaryPath, cancellation: cancellation)
      defer { writer.stop() }
      let stage = EncodeStage(size: plan.output.video.size) { canvas, number throws(FFmpegError) in
        try writer.write(canvas, number: number)
      }
      defer { stage.stop() }
      var frames = FrameRenderer(
        plan, frames: FrameSelection(plan.frames), kernels: kernels, cancellation: cancellation)
      let first = plan.frames.lowerBound
      try frames.run { number, canvas, damage throws(FFmpegError) in
        try stage.submit(canvas, damage, number: number - first)
        progress(number - first + 1)
      }
      if !cancellation.isCancelled {
        try stage.finish()
        try writer.finish()
        return RenderReport(
          plan, pictures: frames.reports, voices: writer.voiceReports,
          pixelsWritten: frames.statistics.lumaPixels + frames.statistics.chromaPixels)
      }
    } catch {
      if !cancellation.isCancelled { throw Self.explain(error, file) }
    }
    throw .stopped(cancellation)
  }

  private static func explain(
    _ error: FFmpegError, _ file: borrowing OutputFile
  ) -> RenderError {
    guard error.isOutOfSpace else {
      let words = "\(error)".replacingOccurrences(of: file.temporaryPath, with: file.path)
      guard error.isRefusal else { return RenderError(.failure, "\(words).") }
      return RenderError(.usage, "\(words); choose another encoder, preset or option of it.")
    }
    let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent().path
    return RenderError(
      .failure,
      "the disk with \(folder) is full (\(error.reason)); make room there or name another "
        + "output. An earlier output is untouched.")
  }
}
