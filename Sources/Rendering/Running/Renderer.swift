import Foundation
import TesseraCompositor
import TesseraMedia
public import TesseraPixels
import TesseraSoundtrack
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
    try refuseLosses(plan.participants.flatMap(\.losses))
    var file = try OutputFile(path, protecting: plan.participants.map(\.path))
    var report = try write(file) { frames in
      progress(
        RenderProgress(
          frames: frames, frameCount: plan.frames.count,
          rendered: plan.output.video.frameRate.time(ofFrame: frames), total: plan.duration,
          elapsed: elapsed()))
    }
    try refuseLosses(report.inputs.flatMap(\.losses))
    try file.commit()
    report.output = path
    report.elapsed = elapsed()
    report.byteCount = FileSystem.byteCount(of: path)
    return report
  }

  private func refuseLosses(_ losses: [String]) throws(RenderError) {
    guard isStrict, let first = losses.first else { return }
    throw RenderError(.failure, "--strict refuses a loss: \(first)")
  }

  /// Composes, encodes and multiplexes everything into `file`.
  private func write(
    _ file: borrowing OutputFile, progress: (Int) -> Void
  ) throws(RenderError) -> RenderReport {
    do throws(FFmpegError) {
      let writer = try OutputWriter.open(
        plan, path: file.temporaryPath, cancellation: cancellation)
      defer { writer.stop() }
      var frames = FrameRenderer(
        plan, frames: FrameSelection(plan.frames), kernels: kernels, cancellation: cancellation)
      let first = plan.frames.lowerBound
      try frames.run { number, canvas throws(FFmpegError) in
        try writer.write(canvas, number: number - first)
        progress(number - first + 1)
      }
      if !cancellation.isCancelled {
        try writer.finish()
        return report(frames, voices: writer.voiceReports)
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

  private func report(
    _ frames: borrowing FrameRenderer, voices: [VoiceReport]
  ) -> RenderReport {
    var voices = voices[...]
    let inputs = zip(plan.participants, frames.reports).map { participant, pictures in
      let sound = participant.sound == nil ? nil : voices.popFirst()
      return RenderReport.Input(participant, pictures: pictures, sound: sound)
    }
    return RenderReport(
      output: "", duration: plan.duration.seconds, byteCount: 0, frameCount: plan.frames.count,
      elapsed: 0,
      pixelsWritten: frames.statistics.lumaPixels + frames.statistics.chromaPixels,
      inputs: inputs, notes: plan.notes)
  }
}

extension RenderReport.Input {
  fileprivate init(
    _ participant: Plan.Participant, pictures: PictureReport?, sound: VoiceReport?
  ) {
    let found =
      (pictures?.losses ?? []).map { "\(participant.path): \($0)" }
      + (sound?.sentences ?? []).map {
        "\(participant.path): \($0)"
      }
    self.init(
      name: participant.name, path: participant.path, pictures: pictures, sound: sound,
      losses: participant.losses + found)
  }
}

extension VoiceReport {
  /// Dropping so many samples is a loss; less is the jitter of times.
  private static let unheardSamples = 4_800

  /// What was lost, a sentence each.
  fileprivate var sentences: [String] {
    var sentences = [failure].compactMap { $0 } + losses.map(\.description)
    if droppedSamples > Self.unheardSamples {
      let seconds = String(format: "%.2f", Double(droppedSamples) / 48_000)
      sentences.append("\(seconds) s of its sound overlap what came before and are left out.")
    }
    return sentences
  }
}
