import PlanningSupport
import TesseraCodecs
import TesseraCompositor
import TesseraLettering
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraTimeline

/// The properties of rendered canvases that tests compare.
struct Rendered {
  /// A digest of each frame's whole canvas, by frame number.
  var digests: [Int: UInt64] = [:]
  /// The luma sample at the middle of each frame's canvas, by frame number.
  var middles: [Int: UInt8] = [:]
  /// The report of each track's pictures, in the plan's order.
  var reports: [PictureReport] = []

  /// Renders `frames` of `plan`.
  init(_ plan: Plan, frames: Range<Int>) { self.init(plan, FrameSelection(frames)) }

  /// Renders `frames` of `plan`.
  init(_ plan: Plan, _ frames: FrameSelection) {
    var renderer = FrameRenderer(
      plan, frames: frames, kernels: PixelKernels(), cancellation: Cancellation())
    var (digests, middles) = ([Int: UInt64](), [Int: UInt8]())
    renderer.run { number, canvas in
      digests[number] = canvas.digest
      middles[number] = canvas.withPlanes { luma, _, _ in
        luma[luma.size.width / 2, luma.size.height / 2]
      }
    }
    (self.digests, self.middles) = (digests, middles)
    let found = renderer.reports
    reports = plan.tracks.map { found[$0.id] ?? PictureReport() }
  }
}

extension Canvas {
  /// A digest of all samples (FNV-1a over 64-bit words of rows).
  var digest: UInt64 {
    withPlanes { luma, blue, red in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for plane in [luma, blue, red] {
        for y in 0..<plane.size.height {
          for x in 0..<plane.size.width { hash = (hash ^ UInt64(plane[x, y])) &* 0x100_0000_01b3 }
        }
      }
      return hash
    }
  }
}

extension Plan {
  /// Returns the plan for `inputs` on a small canvas.
  static func small(
    _ inputs: [String], width: Int = 192, height: Int = 108, rate: FrameRate = .thirty
  ) throws -> Plan {
    let video = VideoEncoderSettings(
      size: PixelSize(width: width, height: height), frameRate: rate)
    return try RenditionRequest(
      inputs: inputs, output: OutputFormat(video: video, style: TileStyle(.plain))
    ).plan()
  }
}

extension Renderer {
  /// Creates a renderer of one plan.
  init(
    _ plan: Plan, kernels: PixelKernels = PixelKernels(),
    settings: RenderSettings = RenderSettings(), cancellation: Cancellation = Cancellation()
  ) {
    self.init([plan], kernels: kernels, settings: settings, cancellation: cancellation)
  }

  /// Renders into the file `path`.
  func render(
    to path: String, progress: (RenderProgress) -> Void = { _ in }
  ) throws(RenderError) -> RenderReport {
    try render(to: [path], progress: progress)
  }

  /// Renders each plan into the file at the same index of `paths`.
  func render(
    to paths: [String], progress: (RenderProgress) -> Void = { _ in }
  ) throws(RenderError) -> RenderReport {
    try render(to: paths.map { .file($0) }, progress: progress)
  }
}
