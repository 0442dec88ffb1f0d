import Foundation
import TesseraCompositor
import TesseraLayout
import TesseraMedia
public import TesseraPixels
public import TesseraSystem
public import TesseraTimeline

/// Single frames of a plan as pictures, without rendering the rest.
public struct Stills: Sendable {
  private let plan: Plan
  private let kernels: Kernels
  private let cancellation: Cancellation

  /// The most pictures in a contact sheet.
  public static let largestSheet = 400

  /// Stills of `plan`.
  public init(
    _ plan: Plan, kernels: Kernels = Kernels(), cancellation: Cancellation = Cancellation()
  ) {
    (self.plan, self.kernels, self.cancellation) = (plan, kernels, cancellation)
  }

  /// Writes the frame that is on screen at `time` as a PNG file; returns what was lost of it.
  ///
  /// - Throws: where `time` is past the end, or the file cannot be written.
  public func writeFrame(at time: MediaTime, to path: String) throws(RenderError) -> [Loss] {
    guard time < end else {
      throw RenderError(
        .usage, "--at \(time) is past the end of the recordings, which are \(end.clock) long.")
    }
    var picture: Picture?
    let frames = FrameSelection([frame(at: time)])
    let losses = try draw(frames) { _, canvas in picture = canvas.copy() }
    if let picture { try write(picture, to: path) }
    return losses
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
          + "\(MediaTime(nanoseconds: Int64(least * 1e9))) seconds.")
    }
    let frames = FrameSelection(
      stride(from: 0, to: end.nanoseconds, by: Int64.Stride(interval.nanoseconds)).map {
        frame(at: MediaTime(nanoseconds: $0))
      })
    var sheet = ContactSheet(
      of: plan.output.video.size, count: frames.count, background: plan.output.placeholder,
      filter: plan.output.filter, kernels: kernels)
    let losses = try draw(frames) { _, canvas in sheet.append(canvas.copy()) }
    try write(sheet.picture(), to: path)
    return losses
  }

  private var end: MediaTime { plan.output.video.frameRate.time(ofFrame: plan.frameCount) }

  /// The frame on screen at `time`: the last one that begins by then.
  private func frame(at time: MediaTime) -> Int {
    let rate = plan.output.video.frameRate
    let nearest = rate.firstFrame(showing: time)
    return rate.time(ofFrame: nearest) > time ? nearest - 1 : nearest
  }

  /// Composes `frames` in order; returns what was lost.
  private func draw(
    _ frames: FrameSelection, _ body: (Int, borrowing Canvas) -> Void
  ) throws(RenderError) -> [Loss] {
    var renderer = FrameRenderer(
      plan, frames: frames, kernels: kernels, cancellation: cancellation)
    renderer.run(body)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let reports = renderer.reports
    return plan.tracks.flatMap { reports[$0.id]?.losses(of: $0) ?? [] }
  }

  private func write(_ picture: Picture, to path: String) throws(RenderError) {
    var file = try OutputFile(path, protecting: plan.files)
    let bytes: [UInt8]
    do {
      bytes = try StillEncoder.png(luma: picture.luma, blue: picture.blue, red: picture.red)
    } catch {
      throw RenderError(.failure, "cannot write \(path): \(error)")
    }
    try file.write(Data(bytes))
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
