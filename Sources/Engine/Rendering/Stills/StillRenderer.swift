import Foundation
import TesseraCodecs
import TesseraCompositor
package import TesseraJobs
import TesseraLettering
import TesseraMessages
import TesseraPixels
package import TesseraPlan
package import TesseraSystem
package import TesseraTimeline

/// Draws single frames of a plan into image files, without rendering the rest.
package struct StillRenderer: Sendable {
  private var plan: Plan
  private let readers: TaskWorkerPool
  /// Inputs and other outputs, which are never replaced, besides the recordings.
  package var protected: [String] = []
  /// True to replace files that Tessera did not make, or that were changed since.
  package var isOverwriting = false

  /// Largest number of pictures in a contact sheet.
  package static let largestSheet = 400

  /// Prepares stills of `plan`. Processes of `readers` decode its recordings, or threads of this
  /// process if it is nil. `progress` may be called on any thread.
  package init(
    _ plan: Plan, readers: WorkerProgram? = nil,
    progress: (@Sendable (PlanningProgress) -> Void)? = nil,
    cancellation: Cancellation = Cancellation()
  ) {
    self.plan = plan
    self.readers = TaskWorkerPool(readers, cancellation: cancellation, planning: progress)
  }

  /// Writes the frame that is shown at `time` of the call as a PNG file, or as a JPEG file if
  /// `path` ends in `.jpg` or `.jpeg`. Returns the losses in the frame.
  ///
  /// - Throws: ``RenderError`` if `time` is past the end, or the file cannot be written.
  package func writeFrame(at time: MediaTime, to path: String) throws(RenderError) -> [Loss] {
    guard time < end else {
      throw RenderError(
        .usage,
        "\(option: "at") \(time.exactClock) is past the end of the recordings, which are \(end.clock) long."
      )
    }
    return try write([frame(at: time)], StillTask.Format(path: path), to: path)
  }

  /// Writes the frame that the output shows at `time` as a PNG or JPEG file. If `time` is nil,
  /// writes the frame that represents the call best, ``Plan/posterFrame``. Returns the losses in
  /// the frame.
  ///
  /// - Throws: ``RenderError`` if `time` is past the output's end, or the file cannot be written.
  package func writePoster(
    at time: MediaTime? = nil, to path: String
  ) throws(RenderError) -> [Loss] {
    if let time, time >= plan.duration {
      throw RenderError(
        .usage,
        "\(file: path): \(time.exactClock) is past the end of the output, which is \(plan.duration.clock) long."
      )
    }
    let number = time.map { plan.cut[min(frame(at: $0), plan.cut.count - 1)] } ?? plan.posterFrame
    return try write([number], StillTask.Format(path: path), to: path)
  }

  /// Writes a contact sheet as a PNG file: the frames at every multiple of `interval`, labeled with
  /// their times. Returns the losses in the frames.
  ///
  /// - Throws: ``RenderError`` if that would be more than ``largestSheet`` pictures, or the file
  ///   cannot be written.
  package func writeSheet(
    every interval: MediaTime, to path: String
  ) throws(RenderError) -> [Loss] {
    guard interval > .zero, end.nanoseconds / interval.nanoseconds < Self.largestSheet else {
      let tenths = Int64(saturating: end.seconds * 10 / Double(Self.largestSheet)) +| 1
      throw RenderError(
        .usage,
        "a sheet holds \(Self.largestSheet) pictures at most; give \(option: "every") "
          + "\(MediaTime(nanoseconds: tenths *| 100_000_000).exactClock) or more.")
    }
    let times = Dictionary(
      times(every: interval).map { (frame(at: $0), $0) }, uniquingKeysWith: { first, _ in first })
    let grid = ContactSheetGrid(of: plan.output.video.size, count: times.count)
    let hasTenths = interval.nanoseconds % 1_000_000_000 != 0
    let labeled = labeled(times.mapValues { hasTenths ? $0.clockWithTenths : $0.clock })
    return try labeled.write(times.keys.sorted(), on: grid, .png, to: path)
  }

  /// Returns stills with a label in the bottom right corner of each frame of `texts`.
  private func labeled(_ texts: [Int: String]) -> StillRenderer {
    let (size, rate) = (plan.output.video.size, plan.output.video.frameRate)
    let height = 0.06 * Double(min(size.width, size.height)) / Double(size.height)
    let lettering = LetteringRenderer(theme: plan.output.style.theme)
    var labeled = self
    for (frame, text) in texts.sorted(by: { $0.key < $1.key }) {
      guard
        let label = lettering.label(
          text, on: size, place: CanvasPosition(.bottomRight), height: height)
      else { continue }
      labeled.plan.look.overlays.append(
        CanvasOverlay(
          from: rate.time(ofFrame: frame), to: rate.time(ofFrame: frame + 1), groups: [label]))
    }
    labeled.plan.look.store.merge(lettering.store)
    return labeled
  }

  /// Writes a JPEG file with small pictures of the frames at every multiple of `interval`.
  ///
  /// - Returns: the grid and the number of pictures.
  /// - Throws: ``RenderError`` if the file cannot be written.
  package func writeThumbnails(
    every interval: MediaTime, longestSide: Double, to path: String
  ) throws(RenderError) -> (grid: ContactSheetGrid, count: Int) {
    let frames = Set(times(every: interval).map { frame(at: $0) }).sorted()
    let grid = ContactSheetGrid(
      of: plan.output.video.size, count: frames.count, longestSide: longestSide, gap: 0)
    _ = try write(frames, on: grid, .coarse, to: path)
    return (grid, frames.count)
  }

  /// A sheet of thumbnails: the pictures' times in the output, their grid, and the JPEG file.
  struct ThumbnailSheet {
    let times: [MediaTime]
    let grid: ContactSheetGrid
    let bytes: [UInt8]
  }

  /// Draws small pictures of the output at every multiple of `interval`, up to `count` on a sheet.
  /// Times count from the start of the output.
  func sheets(
    every interval: MediaTime, longestSide: Double, count: Int
  ) throws(RenderError) -> [ThumbnailSheet] {
    let times = times(every: interval).filter { $0 < plan.duration }
    let parts = stride(from: 0, to: times.count, by: count).map { first in
      Array(times[first..<min(times.count, first + count)])
    }
    let grids = parts.map {
      ContactSheetGrid(
        of: plan.output.video.size, count: $0.count, longestSide: longestSide, gap: 0)
    }
    let drawn = try draw(
      zip(parts, grids).map { part, grid in
        StillTask(
          plan: plan, frames: part.map { plan.cut[min(frame(at: $0), plan.cut.count - 1)] },
          grid: grid, format: .coarse)
      }, for: "the thumbnails")
    return zip(parts, zip(grids, drawn)).map {
      ThumbnailSheet(times: $0, grid: $1.0, bytes: Array($1.1.file.bytes))
    }
  }

  private func times(every interval: MediaTime) -> [MediaTime] {
    stride(from: 0, to: end.nanoseconds, by: Int64.Stride(max(1, interval.nanoseconds)))
      .map { MediaTime(nanoseconds: $0) }
  }

  private var end: MediaTime { plan.output.video.frameRate.time(ofFrame: plan.frameCount) }

  /// Returns the frame on screen at `time`: the last one that starts at or before it.
  private func frame(at time: MediaTime) -> Int {
    let rate = plan.output.video.frameRate
    let nearest = rate.firstFrame(showing: time)
    return rate.time(ofFrame: nearest) > time ? nearest - 1 : nearest
  }

  /// Draws `frames` and writes the file at `path`. Returns the losses.
  private func write(
    _ frames: [Int], on grid: ContactSheetGrid? = nil, _ format: StillTask.Format, to path: String
  ) throws(RenderError) -> [Loss] {
    let drawing = StillTask(plan: plan, frames: frames, grid: grid, format: format)
    let drawn = try draw([drawing], for: path)
    let file = try OutputFile(
      path, protecting: plan.files + protected, overwriting: isOverwriting, mark: .record)
    for picture in drawn { try file.write(Data(picture.file.bytes)) }
    return drawn.flatMap(\.losses)
  }

  /// Draws `drawings`. `path` is their file's name in errors.
  private func draw(
    _ drawings: [StillTask], for path: String
  ) throws(RenderError) -> [StillTask.StillImage] {
    let results = try readers.results(of: drawings)
    guard !readers.cancellation.isCancelled else { throw .stopped(readers.cancellation) }
    var drawn: [StillTask.StillImage] = []
    for result in results {
      switch result {
      case .drawn(let picture): drawn.append(picture)
      case .outside(let sentence): throw RenderError(.failure, sentence)
      case nil:
        throw RenderError(
          .failure,
          "cannot draw \(file: path): there is no memory for it; give \(option: "size") a smaller one."
        )
      }
    }
    return drawn
  }
}

extension Canvas {
  /// Copies the canvas to a picture of its own.
  borrowing func copy() -> Picture {
    let image = Image(.yuv420p8, size: size)
    withPlanes { luma, blue, red in
      image[plane: 0].copy(luma)
      image[plane: 1].copy(blue)
      image[plane: 2].copy(red)
    }
    return Picture(image, color: .canvas)
  }
}
