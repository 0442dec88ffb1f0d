import Foundation
import TesseraCodecs
import TesseraCompositor
import TesseraPixels
import TesseraPlan
import TesseraRendering
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Recordings of field pairs at frame rates above their own.
@Suite(.timed) struct FieldTests {
  /// A way to write field pairs.
  struct Format: CustomTestStringConvertible, Sendable {
    let name: String
    let isTopFirst: Bool
    let arguments: [String]
    var testDescription: String { "\(name), \(isTopFirst ? "top" : "bottom") field first" }

    /// The filter that weaves two pictures into a pair, and marks the pair.
    var filter: String {
      "tinterlace=interleave_\(isTopFirst ? "top" : "bottom"),fieldorder=\(isTopFirst ? "tff" : "bff")"
    }
  }

  static let formats = [true, false].flatMap { isTopFirst in
    [
      Format(
        name: "fields.ts", isTopFirst: isTopFirst,
        arguments: ["-c:v", "mpeg2video", "-qscale:v", "2", "-g", "12", "-bf", "2"]),
      Format(
        name: "fields.mkv", isTopFirst: isTopFirst,
        arguments: [
          "-c:v", "libx264", "-preset", "superfast", "-qp", "4", "-g", "20", "-x264-params",
          isTopFirst ? "tff=1" : "bff=1",
        ]),
    ]
  }

  /// Writes 50 pictures/s of a steadily moving object, and the same pictures as field pairs.
  private static func make(
    _ format: Format, seconds: Double = 2, in folder: TemporaryFolder
  ) throws -> (pictures: String, fields: String) {
    let (pictures, fields) = (folder.path("pictures.mkv"), folder.path(format.name))
    // Soft edges, so that interpolation between a field's rows succeeds.
    try Tool.ffmpeg([
      "-f", "lavfi", "-i",
      "color=black:size=192x96:rate=50:duration=\(seconds),format=yuv420p,"
        + "geq=lum='126+50*sin((X-3*N)/9)+40*sin((X+2*N)/14+Y/11)':cb=128:cr=128",
      "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", pictures,
    ])
    try Tool.ffmpeg(
      ["-i", pictures, "-vf", format.filter, "-flags", "+ildct+ilme"] + format.arguments + [fields])
    return (pictures, fields)
  }

  private static func plan(_ path: String, _ rate: String) throws -> Plan {
    try Plan.small([path], width: 192, height: 96, rate: try #require(FrameRate(rate)))
  }

  /// Returns the luma of every frame's canvas.
  private static func canvases(_ plan: Plan) -> [[UInt8]] {
    var renderer = FrameRenderer(
      plan, frames: plan.cut, kernels: PixelKernels(), cancellation: Cancellation())
    var canvases: [[UInt8]] = []
    renderer.run { _, canvas in
      canvas.withPlanes { luma, _, _ in
        canvases.append(
          (0..<luma.size.height).flatMap { y in (0..<luma.size.width).map { luma[$0, y] } })
      }
    }
    return canvases
  }

  /// Returns the PSNR of two canvases in dB.
  private static func likeness(_ a: [UInt8], _ b: [UInt8]) -> Double {
    let sum = zip(a, b).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    return 10 * log10(255 * 255 * Double(a.count) / Double(max(1, sum)))
  }

  @Test("Every field is a picture at twice the rate, at its time", arguments: formats)
  func eachFieldIsShown(format: Format) throws {
    let folder = try TemporaryFolder()
    let (pictures, fields) = try Self.make(format, in: folder)
    let original = Self.canvases(try Self.plan(pictures, "50"))
    let plan = try Self.plan(fields, "50")
    #expect(plan.tracks[0].source.showsFields && plan.tracks[0].source.isInterlaced)
    let shown = Self.canvases(plan)
    #expect(abs(shown.count - original.count) <= 1)
    for frame in 4..<min(shown.count, original.count) - 4 {
      let (here, before) = (
        Self.likeness(shown[frame], original[frame]),
        Self.likeness(shown[frame], original[frame - 1])
      )
      #expect(here > 32 && here > before + 6, "frame \(frame): \(here), \(before)")
    }
    let report = try #require(Rendered(plan, frames: plan.frames).reports.first)
    #expect(report.shown == plan.frames.count && report.isWhole)
  }

  @Test(
    "At their own rate and below, field pairs are shown as one picture",
    arguments: ["25", "12", "25.2"])
  func pairs(rate: String) throws {
    let folder = try TemporaryFolder()
    let fields = try Self.make(Self.formats[1], in: folder).fields
    #expect(!(try Self.plan(fields, rate).tracks[0].source.showsFields))
  }

  @Test("Progressive pictures stay progressive at any rate, whatever the container states")
  func wholePictures() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("film.ts")
    // Telecined film, of which every other picture is shown for three fields.
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=24000/1001:duration=2", "-vf",
      "setpts=N*1001/24000/TB", "-c:v", "mpeg2video", "-q:v", "4", path,
    ])
    var plan = try Self.plan(path, "60")
    plan.tracks[0].source.isInterlaced = true
    let plain = Rendered(plan, frames: plan.frames)
    plan.tracks[0].source.showFields(at: plan.output.video.frameRate, on: plan.tracks[0].clock)
    #expect(plan.tracks[0].source.showsFields)
    let shown = Rendered(plan, frames: plan.frames)
    #expect(shown.digests == plain.digests && shown.reports[0].losses.isEmpty)
  }

  @Test("Each frame is the same for any start of rendering")
  func anyBeginning() throws {
    let folder = try TemporaryFolder()
    let plan = try Self.plan(try Self.make(Self.formats[0], in: folder).fields, "50")
    let whole = Rendered(plan, frames: plan.frames).digests
    for first in stride(from: 0, to: plan.frames.upperBound - 3, by: 7) {
      let part = Rendered(plan, frames: first..<first + 3).digests
      #expect(part == whole.filter { (first..<first + 3).contains($0.key) }, "frame \(first)")
    }
  }
}
