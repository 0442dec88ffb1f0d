import TesseraMedia
import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// Frames of a plan that are drawn into one picture: a single one as it is, several side by side.
struct StillDrawing: Sendable, Codable {
  var plan: Plan
  /// Their numbers, ascending.
  var frames: [Int]
  var isSheet: Bool

  /// What was drawn.
  struct Drawn: Sendable, Codable {
    /// The picture as a PNG file.
    var png: SideBytes
    /// What was lost of it.
    var losses: [Loss]
  }

  /// Draws it, without what `crashes` say brought workers down; nil where somebody asked to stop.
  ///
  /// - Throws: where there is no picture of that size.
  func draw(
    without crashes: [CrashLoss] = [], kernels: Kernels = Kernels(), note: CrashNote? = nil,
    cancellation: Cancellation
  ) throws(FFmpegError) -> Drawn? {
    let selection = FrameSelection(frames).clamped(to: 0..<plan.frameCount)
    let input = plan.input(for: selection.lowerBound..<selection.upperBound, without: crashes)
    var renderer = FrameRenderer(
      input, frames: selection.counted(from: input.origin), kernels: kernels, note: note,
      cancellation: cancellation)
    var picture: Picture?
    if isSheet {
      var sheet = ContactSheet(
        of: plan.output.video.size, count: selection.count, background: plan.output.placeholder,
        filter: plan.output.filter, kernels: kernels)
      renderer.run { _, canvas in sheet.append(canvas.copy()) }
      picture = sheet.picture()
    } else {
      renderer.run { _, canvas in picture = canvas.copy() }
    }
    guard let picture, !cancellation.isCancelled else { return nil }
    let reports = renderer.reports
    let losses = plan.tracks.flatMap { reports[$0.id]?.losses(of: $0) ?? [] }
    let png = try StillEncoder.png(luma: picture.luma, blue: picture.blue, red: picture.red)
    return Drawn(
      png: SideBytes(png), losses: losses + crashes.compactMap { plan.loss($0, until: plan.frames) }
    )
  }
}
