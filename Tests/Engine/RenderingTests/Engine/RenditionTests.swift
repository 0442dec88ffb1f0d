import Foundation
import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// Several renditions of one call, rendered together.
@Suite(.timed) struct RenditionTests {
  private static let call = Result { () throws -> (TemporaryFolder, [String]) in
    let folder = try TemporaryFolder()
    return (folder, try HardCall.make(folder))
  }

  /// A rendition in a test.
  private struct Wish: Sendable {
    var name: String
    var size = PixelSize(width: 160, height: 96)
    var rate = "10"
    var layout = "grid"
    var from: Int?
    var to: Int?
    var loudness = LoudnessTarget.off

    func rendition() throws -> Rendition {
      var video = VideoEncoderSettings(size: size, frameRate: try #require(FrameRate(rate)))
      if name.hasSuffix(".webm") {
        (video.encoder, video.preset, video.quality) = ("libvpx-vp9", "realtime", 50)
        video.options = ["cpu-used": "8"]
      }
      var format = OutputFormat(video: video, style: TileStyle(.plain))
      if name.hasSuffix(".webm") { format.audio = SoundEncoderSettings(codec: .opus) }
      var rendition = Rendition(output: format, layout: try LayoutCatalog.policy(layout))
      rendition.loudness = loudness
      rendition.from = from.map { MediaTime(seconds: $0) }
      rendition.to = to.map { MediaTime(seconds: $0) }
      return rendition
    }
  }

  private static func plans(_ wishes: [Wish], _ inputs: [String]) throws -> [Plan] {
    try Planner.plans(try wishes.map { try $0.rendition() }, of: CallRequest(inputs: inputs))
  }

  /// Renders all `wishes` together, and returns their bytes.
  private func together(
    _ wishes: [Wish], _ folder: TemporaryFolder, _ name: String = "together", jobs: Int = 2
  ) throws -> [Data] {
    let inputs = try Self.call.get().1
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: true)
    let paths = wishes.map { folder.path("\(name)/\($0.name)") }
    var settings = RenderSettings()
    settings.jobs = jobs
    let plans = try Self.plans(wishes, inputs)
    let report = try Renderer(plans, settings: settings).render(to: paths)
    #expect(report.allReports.map(\.output) == paths)
    #expect(FileOperations.names(in: folder.path(name)).count == paths.count)
    return try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
  }

  @Test("Each file has the bytes of a separate render: rates, layouts, parts")
  func sameBytes() throws {
    var wishes = [
      Wish(name: "main.mp4"), Wish(name: "odd.mp4", rate: "12.5", from: 7, to: 44),
      Wish(name: "web.webm", rate: "10000/1001"), Wish(name: "loud.m4a", loudness: .speech),
    ]
    if isWholeRun {
      wishes += [
        Wish(name: "tall.mp4", size: PixelSize(width: 96, height: 160), layout: "speaker"),
        Wish(name: "slow.mp4", rate: "5"), Wish(name: "sound.m4a"),
      ]
    }
    let folder = try TemporaryFolder()
    let made = try together(wishes, folder)
    for (wish, bytes) in zip(wishes, made) {
      let alone = try together([wish], folder, "alone-\(wish.name)", jobs: 1)
      #expect(alone == [bytes], "\(wish.name)")
    }
    #expect(try together(wishes, folder, "one", jobs: 1) == made)
  }

  @Test("Losses of damaged pictures do not depend on the available memory")
  func damagedPictures() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("vp8.webm")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=12", "-c:v", "libvpx", "-deadline", "realtime",
      "-cpu-used", "8", "-g", "90", path,
    ])
    try HardCall.damage(path)
    let wishes = [Wish(name: "a.mp4", rate: "30"), Wish(name: "b.mp4", rate: "15")]
    let paths = wishes.map { folder.path($0.name) }
    func bytes(_ count: Int) throws -> [Data] {
      let plans = try Self.plans(Array(wishes.prefix(count)), [path])
      _ = try Renderer(plans).render(to: Array(paths.prefix(count)))
      return try paths.prefix(count).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    }
    let both = try bytes(2)
    for _ in 0..<3 { #expect(try bytes(2) == both) }
    #expect(try bytes(1) == Array(both.prefix(1)))
  }

  @Test("A recording shown in several renditions is decoded once")
  func decodedOnce() throws {
    let inputs = try Self.call.get().1.filter { !$0.hasSuffix("damaged.mp4") }
    let wishes = [
      Wish(name: "a.mp4"), Wish(name: "b.mp4", size: PixelSize(width: 96, height: 160)),
      Wish(name: "c.mp4", size: PixelSize(width: 80, height: 48), rate: "5"),
    ]
    let plans = try Self.plans(wishes, inputs)
    let counts = try [Array(plans.prefix(1)), plans].map { plans in
      try Self.decodedCount(WorkPlan(plans.map { RenditionPlan($0) }))
    }
    #expect(counts[1] == counts[0])
  }

  /// Returns the number of pictures that one run of `work` decodes.
  private static func decodedCount(_ work: WorkPlan) throws -> Int {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path("work"))
    try folder.make()
    let segmentRenderer = SegmentRenderer(
      work: work, folder: folder, kernels: PixelKernels(), isStrict: false, note: nil,
      cancellation: Cancellation())
    var run = RunRenderer(
      segmentRenderer, work.sections.indices, of: Array(work.renditions.indices), []
    ) {
      _ in
    }
    try run.make()
    #expect(run.composedCount == work.frameCount)
    return run.decodedCount
  }

  @Test("All renditions are divided at the same times")
  func cuts() throws {
    let inputs = try Self.call.get().1
    let wishes = [
      Wish(name: "a.mp4", rate: "30"), Wish(name: "b.mp4", rate: "30000/1001", layout: "speaker"),
      Wish(name: "c.mp4", rate: "15"), Wish(name: "d.mp4", rate: "30", from: 17, to: 55),
    ]
    let work = WorkPlan(
      try Self.plans(wishes, inputs).map { RenditionPlan($0) })
    let cells = work.renditions.map { rendition in
      let video = rendition.plan.output.video
      return rendition.segments.dropFirst().map { segment in
        let frame = rendition.callFrame(segment.lowerBound) - video.lead
        return Int((video.frameRate.time(ofFrame: frame).seconds / 5).rounded())
      }
    }
    #expect(cells[0].count >= 3 && cells[0] == cells[1] && cells[0] == cells[2])
    #expect(!cells[3].isEmpty && cells[3].allSatisfy(cells[0].contains))
    for (number, rendition) in work.renditions.enumerated() {
      let all = work.segments(of: number, in: work.sections.indices)
      #expect(all == rendition.segments.indices)
    }
  }

  @Test("A file that cannot be rendered leaves the others complete")
  func failure() throws {
    let inputs = try Self.call.get().1
    let folder = try TemporaryFolder()
    var renditions = try [Wish(name: "a.mp4", to: 3), Wish(name: "b.mp4", to: 3)].map {
      try $0.rendition()
    }
    renditions[1].output.video.preset = "unheard-of"
    let paths = ["a.mp4", "b.mp4"].map(folder.path)
    let report = try Renderer(try Planner.plans(renditions, of: CallRequest(inputs: inputs)))
      .render(to: paths)
    #expect(report.error == nil && report.byteCount > 0)
    #expect(report.outputs?.map { $0.error != nil } == [true])
    #expect(FileOperations.exists(paths[0]) && !FileOperations.exists(paths[1]))
  }

  @Test("Only changed parts are rendered again, and equal sound is mixed once")
  func reuse() throws {
    let inputs = try Self.call.get().1
    let folder = try TemporaryFolder()
    var settings = RenderSettings()
    settings.workFolder = folder.path("work")
    let paths = ["a.mp4", "b.mp4"].map(folder.path)
    var wishes = [Wish(name: "a.mp4"), Wish(name: "b.mp4", rate: "5")]
    var reused = 0
    func render() throws {
      let plans = try Self.plans(wishes, inputs)
      _ = try Renderer(plans, settings: settings).render(to: paths) { reused = $0.reused }
    }
    try render()
    #expect(reused == 0)
    let sounds = FileOperations.names(in: folder.path("work")).filter { $0.hasSuffix(".tsnd") }
    #expect(sounds == ["soundtrack.tsnd"])
    wishes[1].layout = "speaker"
    try render()
    #expect(reused == 620)
  }
}
