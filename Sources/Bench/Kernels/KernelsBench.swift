internal import TesseraPixels

/// A scaler that the kernel benchmark measures on the frames of one case.
protocol BenchmarkScaler: AnyObject {
  var name: String { get }
  /// Scales source frame number `frame` onto the canvas.
  func run(frame: Int)
}

/// The source pictures of one case and a canvas. Four pictures of noise rotate, so that none stays
/// in the L1 cache.
final class ScaleBenchmarkFrames {
  static let count = 4

  let pictures: [Picture]
  let canvas = Image(.yuv420p8, size: PixelSize(width: 1984, height: 1088))

  init(size: PixelSize, color: ColorSpace = .canvas) {
    pictures = (0..<Self.count).map { index in
      var state = UInt32(truncatingIfNeeded: 977 * (index + 1))
      let image = Image(.yuv420p8, size: size)
      for plane in 0..<3 {
        let target = image[plane: plane]
        for y in 0..<target.size.height {
          for x in 0..<target.size.width {
            state = state &* 1_664_525 &+ 1_013_904_223
            target[x, y] = UInt8(truncatingIfNeeded: state >> 24)
          }
        }
      }
      return Picture(image, color: color)
    }
  }
}

/// The project's kernels at one instruction set level.
final class KernelScaler: BenchmarkScaler {
  let name: String
  private let plan: PictureScalePlan
  private let frames: ScaleBenchmarkFrames
  private var resampler: PlaneResampler

  init(
    _ scale: ScaleBenchmarkCase, frames: ScaleBenchmarkFrames, filter: ResampleFilter,
    level: PixelKernels.InstructionSet
  ) {
    let kernels = PixelKernels(level: level)
    name = "tessera \(level.rawValue)"
    plan = PictureScalePlan(scale.geometry(filter), kernels: kernels)
    self.frames = frames
    resampler = PlaneResampler(kernels: kernels)
  }

  func run(frame: Int) {
    let picture = frames.pictures[frame]
    let (area, chroma) = (plan.geometry.area, plan.geometry.area.chroma)
    resampler.scale(picture.luma, by: plan.luma, into: frames.canvas[plane: 0].cropped(to: area))
    resampler.scale(
      picture.blue, by: plan.chroma, into: frames.canvas[plane: 1].cropped(to: chroma))
    resampler.scale(picture.red, by: plan.chroma, into: frames.canvas[plane: 2].cropped(to: chroma))
  }
}

/// The memory floor: reads every source byte once and writes every destination byte once.
final class MemoryCopyBaseline: BenchmarkScaler {
  let name = "memory floor"
  private let frames: ScaleBenchmarkFrames
  private let target: PixelSize
  private let kernels = PixelKernels()
  private let sink = Image(.gray8, size: PixelSize(width: 8192, height: 1))

  init(_ scale: ScaleBenchmarkCase, frames: ScaleBenchmarkFrames) {
    self.frames = frames
    target = scale.target
  }

  func run(frame: Int) {
    let picture = frames.pictures[frame]
    for source in [picture.luma, picture.blue, picture.red] {
      let columns = 0..<source.size.width
      let kept = sink[plane: 0].row(0, columns)
      for y in 0..<source.size.height { kernels.copy(source.row(y, columns), to: kept) }
    }
    for plane in 0..<3 {
      let size = plane == 0 ? target : target.chroma
      let canvas = frames.canvas[plane: plane]
      for y in 0..<size.height { kernels.fill(canvas.row(y, 0..<size.width), with: 7) }
    }
  }
}
