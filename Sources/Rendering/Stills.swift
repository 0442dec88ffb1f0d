import Compositor
import Foundation
import Layout
public import Media
public import Pixels
public import Timeline

/// Single frames of a plan as pictures, without rendering the rest.
public struct Stills: Sendable {
  private let plan: Plan
  private let kernels: Kernels
  private let cancellation: Cancellation

  /// The longest side of a picture in a contact sheet, in pixels.
  private static let thumbnailSide = 480
  /// The most pictures in a contact sheet.
  public static let largestSheet = 400

  /// Stills of `plan`.
  public init(
    _ plan: Plan, kernels: Kernels = Kernels(), cancellation: Cancellation = Cancellation()
  ) {
    (self.plan, self.kernels, self.cancellation) = (plan, kernels, cancellation)
  }

  /// Writes the frame that is on screen at `time` as a PNG file.
  ///
  /// - Throws: where `time` lies behind the end, or the file cannot be written.
  public func writeFrame(at time: MediaTime, to path: String) throws(RenderError) {
    guard time < end else {
      throw RenderError(
        .usage, "--at \(time) lies behind the end of the recordings, which are \(end.clock) long.")
    }
    try write(try picture(at: time), to: path)
  }

  /// Writes one PNG file with the frames on screen every `interval`, row by row from the start.
  ///
  /// - Throws: where that would be more than ``largestSheet``, or the file cannot be written.
  public func writeSheet(every interval: MediaTime, to path: String) throws(RenderError) {
    guard interval > .zero, end.nanoseconds / interval.nanoseconds < Self.largestSheet else {
      let least = end.seconds / Double(Self.largestSheet)
      throw RenderError(
        .usage,
        "a sheet holds \(Self.largestSheet) pictures at most; give --every more than "
          + "\(MediaTime(nanoseconds: Int64(least * 1e9))) seconds.")
    }
    var pictures: [Picture] = []
    for time in stride(from: 0, to: end.nanoseconds, by: Int64.Stride(interval.nanoseconds)) {
      pictures.append(try picture(at: MediaTime(nanoseconds: time)))
    }
    try write(sheet(pictures), to: path)
  }

  private var end: MediaTime { plan.output.video.frameRate.time(ofFrame: plan.frameCount) }

  /// The frame on screen at `time`: the last one that begins by then.
  private func picture(at time: MediaTime) throws(RenderError) -> Picture {
    let rate = plan.output.video.frameRate
    let nearest = rate.firstFrame(showing: time)
    let frame = rate.time(ofFrame: nearest) > time ? nearest - 1 : nearest
    var renderer = RangeRenderer(
      plan, frames: frame..<frame + 1, kernels: kernels, cancellation: cancellation)
    var picture: Picture?
    renderer.run { _, canvas in picture = canvas.copy() }
    guard let picture else { throw .cancelled }
    return picture
  }

  /// The pictures side by side, as many in a row as make the sheet about as high as wide.
  private func sheet(_ pictures: [Picture]) -> Picture {
    let size = plan.output.video.size
    let scale = min(1, Double(Self.thumbnailSide) / Double(max(size.width, size.height)))
    let (width, height) = (Double(size.width) * scale, Double(size.height) * scale)
    let columns = max(
      1,
      min(pictures.count, Int((Double(pictures.count) * height / width).squareRoot().rounded(.up)))
    )
    let rows = (pictures.count + columns - 1) / columns
    let gap = 4.0
    let canvasSize = PixelSize(
      width: Self.even(Double(columns) * (width + gap) + gap),
      height: Self.even(Double(rows) * (height + gap) + gap))
    let tiles = pictures.indices.map { index in
      TileDraw(
        item: index,
        frame: Rect(
          x: gap + Double(index % columns) * (width + gap),
          y: gap + Double(index / columns) * (height + gap), width: width, height: height),
        fit: .cover)
    }
    let scene = Scene(size: canvasSize, background: plan.output.placeholder, tiles: tiles)
    var canvas = Canvas(size: canvasSize)
    var compositor = Compositor(kernels: kernels, filter: plan.output.filter)
    _ = compositor.compose(scene, FrameSet(pictures.map { .picture($0) }), onto: &canvas)
    return canvas.copy()
  }

  private static func even(_ value: Double) -> Int { Int((value / 2).rounded(.up)) * 2 }

  private func write(_ picture: Picture, to path: String) throws(RenderError) {
    var file = try OutputFile(path, protecting: plan.participants.map(\.path))
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
