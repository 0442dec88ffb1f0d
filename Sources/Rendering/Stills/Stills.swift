import Foundation
import TesseraCompositor
public import TesseraJobs
import TesseraLayout
import TesseraMedia
import TesseraPixels
public import TesseraPlan
public import TesseraPlanning
public import TesseraSystem
public import TesseraTimeline

/// Single frames of a plan as pictures, without rendering the rest.
public struct Stills: Sendable {
  private let plan: Plan
  private let readers: TaskPool

  /// The most pictures in a contact sheet.
  public static let largestSheet = 400

  /// Stills of `plan`, whose recordings `readers` decode; nil is threads of this process.
  /// `progress` is told what is done, on any thread.
  public init(
    _ plan: Plan, readers: WorkerProgram? = nil,
    progress: (@Sendable (PlanningProgress) -> Void)? = nil,
    cancellation: Cancellation = Cancellation()
  ) {
    self.plan = plan
    self.readers = TaskPool(readers, cancellation: cancellation, planning: progress)
  }

  /// Writes the frame that is on screen at `time` as a PNG file; returns what was lost of it.
  ///
  /// - Throws: where `time` is past the end, or the file cannot be written.
  public func writeFrame(at time: MediaTime, to path: String) throws(RenderError) -> [Loss] {
    guard time < end else {
      throw RenderError(
        .usage, "--at \(time) is past the end of the recordings, which are \(end.clock) long.")
    }
    return try draw([frame(at: time)], to: path)
  }

  /// Writes one PNG file with the frames on screen every `interval`, row by row from the start;
  /// returns what was lost of them.
  ///
  /// - Throws: where that would be more than ``largestSheet``, or the file cannot be written.
  public func writeSheet(
    every interval: MediaTime, to path: String
  ) throws(RenderError) -> [Loss] {
    guard interval > .zero, end.nanoseconds / interval.nanoseconds < Self.largestSheet else {
      let least = end.seconds / Double(Self.largestSheet)
      throw RenderError(
        .usage,
        "a sheet holds \(Self.largestSheet) pictures at most; give --every more than "
          + "\(MediaTime(nanoseconds: Int64(saturating: least * 1e9))) seconds.")
    }
    let frames = stride(
      from: 0, to: end.nanoseconds, by: Int64.Stride(interval.nanoseconds)
    ).map { frame(at: MediaTime(nanoseconds: $0)) }
    let grid = SheetGrid(of: plan.output.video.size, count: Set(frames).count)
    return try draw(frames, on: grid, to: path)
  }

  /// Writes one JPEG file with small pictures of the frames on screen every `interval`.
  ///
  /// - Throws: where the file cannot be written.
  /// - Returns: where they lie, and how many there are.
  package func writeThumbnails(
    every interval: MediaTime, longestSide: Double, to path: String
  ) throws(RenderError) -> (grid: SheetGrid, count: Int) {
    let frames = Set(
      stride(from: 0, to: end.nanoseconds, by: Int64.Stride(max(1, interval.nanoseconds)))
        .map { frame(at: MediaTime(nanoseconds: $0)) }
    ).sorted()
    let grid = SheetGrid(
      of: plan.output.video.size, count: frames.count, longestSide: longestSide, gap: 0)
    _ = try draw(frames, on: grid, isCoarse: true, to: path)
    return (grid, frames.count)
  }

  private var end: MediaTime { plan.output.video.frameRate.time(ofFrame: plan.frameCount) }

  /// The frame on screen at `time`: the last one that begins by then.
  private func frame(at time: MediaTime) -> Int {
    let rate = plan.output.video.frameRate
    let nearest = rate.firstFrame(showing: time)
    return rate.time(ofFrame: nearest) > time ? nearest - 1 : nearest
  }

  /// Draws `frames` into a file; returns what was lost.
  private func draw(
    _ frames: [Int], on grid: SheetGrid? = nil, isCoarse: Bool = false, to path: String
  ) throws(RenderError) -> [Loss] {
    let drawing = StillDrawing(plan: plan, frames: frames, grid: grid, isCoarse: isCoarse)
    let result = try readers.perform([drawing]).first?.flatMap { $0 }
    guard !readers.cancellation.isCancelled else { throw .stopped(readers.cancellation) }
    let drawn: StillDrawing.Drawn
    switch result {
    case .drawn(let picture): drawn = picture
    case .outside(let sentence): throw RenderError(.failure, sentence)
    case nil:
      throw RenderError(
        .failure, "cannot draw \(path): there is no memory for it; give --size a smaller one.")
    }
    var file = try OutputFile(path, protecting: plan.files)
    try file.write(Data(drawn.file.bytes))
    return drawn.losses
  }
}

extension Canvas {
  /// What the canvas shows, as a picture of its own.
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
