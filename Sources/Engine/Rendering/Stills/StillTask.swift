import TesseraCodecs
import TesseraJobs
package import TesseraMessages
import TesseraPixels
import TesseraPlan
package import TesseraSystem
import TesseraTimeline

/// A still of a plan: one frame, or a contact sheet of several frames.
package struct StillTask: Sendable, Codable {
  var plan: Plan
  /// The numbers of the frames, ascending.
  var frames: [Int]
  /// The grid of the contact sheet; nil for a single frame.
  var grid: ContactSheetGrid?
  /// The format of the image file.
  var format = Format.png

  enum Format: String, Sendable, Codable {
    case png
    /// A JPEG file of high quality.
    case jpeg
    /// A JPEG file that is small rather than of high quality.
    case coarse

    /// Chooses the format by the extension of `path`: JPEG for `.jpg` and `.jpeg`, otherwise PNG.
    init(path: String) {
      let name = path.lowercased()
      self = name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") ? .jpeg : .png
    }
  }

  /// A drawn still.
  package struct StillImage: Sendable, Codable {
    /// The content of the image file.
    var file: StoredBlob
    var losses: [Loss]
  }

  /// Draws the still, without the tracks of `crashes`. Returns nil if it is canceled.
  ///
  /// - Throws: `FFmpegError` if a picture of that size cannot be encoded.
  func draw(
    without crashes: [CrashedTrackLoss] = [], kernels: PixelKernels = PixelKernels(),
    note: CrashNote? = nil,
    cancellation: Cancellation
  ) throws(FFmpegError) -> StillImage? {
    let selection = FrameSelection(frames).clamped(to: 0..<plan.frameCount)
    let input = plan.input(for: selection, without: crashes)
    var renderer = FrameRenderer(
      PictureDecodePool.DecodeRequest(input: input, frames: selection.counted(from: input.origin)),
      kernels: kernels, note: note, cancellation: cancellation)
    var picture: Picture?
    if let grid {
      var sheet = ContactSheet(
        grid, background: plan.output.placeholder, filter: plan.output.filter, kernels: kernels)
      renderer.run { _, canvas in sheet.append(canvas.copy()) }
      picture = sheet.picture()
    } else {
      renderer.run { _, canvas in picture = canvas.copy() }
    }
    guard let picture, !cancellation.isCancelled else { return nil }
    let reports = renderer.reports
    let losses = plan.tracks.flatMap { reports[$0.id]?.losses(of: $0) ?? [] }
    return StillImage(
      file: StoredBlob(try bytes(picture)),
      losses: losses + crashes.compactMap { plan.loss($0, until: plan.frames) }
    )
  }

  private func bytes(_ picture: Picture) throws(FFmpegError) -> [UInt8] {
    let (luma, blue, red) = (picture.luma, picture.blue, picture.red)
    return switch format {
    case .png: try StillEncoder.png(luma: luma, blue: blue, red: red)
    case .jpeg, .coarse:
      try StillEncoder.jpeg(luma: luma, blue: blue, red: red, isCoarse: format == .coarse)
    }
  }
}

extension StillTask: WorkerTask {
  /// The result of the task: a drawn still, or a sentence about a file outside of the permitted
  /// folder.
  package enum Result: Sendable, Codable {
    case drawn(StillImage)
    case outside(UserMessage)
  }

  package static let name = "stills"

  package var phase: String { "drawing" }
  package var paths: [String] { plan.sources }
  package var suspectCount: Int? { plan.slotCount }

  package var work: Double {
    100_000 + 30 * Double(paths.reduce(0) { $0 + FileOperations.byteCount(of: $1) })
  }

  package func loadLibraries() { plan.loadLibraries() }

  package func refusal(of path: String, outside root: String) -> Result {
    .outside("\(MediaError(path: path, reason: .outside(root)))")
  }

  package func result(
    _ number: Int, note: CrashNote?, without losses: [CrashedTrackLoss], cancellation: Cancellation
  ) -> Result? {
    let drawn = try? draw(without: losses, note: note, cancellation: cancellation)
    return drawn.flatMap { $0 }.map { .drawn($0) }
  }
}
