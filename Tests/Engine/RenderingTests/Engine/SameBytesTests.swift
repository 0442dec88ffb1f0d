import Foundation
import TesseraCodecs
import TesseraLayout
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// Equal plans render equal bytes, regardless of the way of rendering.
@Suite(.timed) struct SameBytesTests {
  private static let call = Result { () throws -> (TemporaryFolder, Plan) in
    let folder = try TemporaryFolder()
    return (
      folder,
      try Plan.small(
        try HardCall.make(folder), width: 160, height: 96, rate: try #require(FrameRate("10")))
    )
  }

  private func plan() throws -> Plan { try Self.call.get().1 }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func render(
    _ plan: Plan, _ folder: TemporaryFolder, _ name: String, jobs: Int,
    kernels: PixelKernels = PixelKernels()
  ) throws -> (bytes: Data, report: RenderReport) {
    var settings = RenderSettings()
    settings.jobs = jobs
    let report = try Renderer(plan, kernels: kernels, settings: settings)
      .render(to: folder.path(name))
    return (try bytes(folder.path(name)), report)
  }

  @Test("One worker, four workers, other kernels, and single pieces in reverse order")
  func grouping() throws {
    let plan = try plan()
    let folder = try TemporaryFolder()
    let one = try render(plan, folder, "one.mp4", jobs: 1)
    #expect(RenditionPlan(plan).segments.count >= 4)
    #expect(one.report.hasLosses)
    let four = try render(plan, folder, "four.mp4", jobs: 4, kernels: PixelKernels(level: .c))
    #expect(four.bytes == one.bytes)
    #expect(folder.names == ["four.mp4", "one.mp4"])

    let work = WorkPlan([RenditionPlan(plan)])
    let pieces = WorkFolder(folder.path("work"))
    try pieces.make()
    let performer = RenderJobHandler(work, folder: pieces)
    for number in work.sections.indices.reversed() {
      try performer.perform(
        .segments(number..<(number + 1)), note: nil, cancellation: Cancellation()
      ) { _ in }
    }
    try performer.perform(.soundtrack, note: nil, cancellation: Cancellation()) { _ in }
    _ = try work.stitch(pieces, to: folder.path("hand.mp4"), cancellation: Cancellation())
    #expect(try bytes(folder.path("hand.mp4")) == one.bytes)
    let report = try work.stitch(
      pieces, to: folder.path("again.mp4"), cancellation: Cancellation())
    #expect(report.frameCount == plan.frames.count)
  }

  @Test("Canvases at joints equal those of one process")
  func canvases() throws {
    let plan = try plan()
    let work = RenditionPlan(plan)
    let whole = Rendered(plan, frames: plan.frames).digests
    for frames in work.segments.dropFirst() {
      let near = frames.lowerBound..<(frames.lowerBound + 10)
      let alone = Rendered(plan, frames: near).digests
      #expect(alone == whole.filter { near.contains($0.key) })
    }
  }

  @Test("A changed name, input or end changes the digest")
  func digests() throws {
    let plan = try plan()
    let work = RenditionPlan(plan)
    #expect(RenditionPlan(plan).digests == work.digests)
    #expect(Set(work.digests).count == work.digests.count)
    var louder = plan
    louder.output.audio.bitRate += 1000
    #expect(RenditionPlan(louder).digests == work.digests)
    #expect(RenditionPlan(louder).soundtrackDigest != work.soundtrackDigest)
    var renamed = plan
    let person = try #require(plan.participants.first { $0.files[0].hasSuffix("leaves.mp4") })
    let index = try #require(plan.slots.firstIndex { $0.participant == person.id })
    var decorations = TileTimeline.Decorations()
    decorations.name = "Somebody else"
    renamed.slots[index].decorations = ValueTimeline(decorations)
    let changed = zip(RenditionPlan(renamed).digests, work.digests).map { $0 != $1 }
    #expect(changed.first == true && changed.last == false)
    #expect(RenditionPlan(renamed).soundtrackDigest == work.soundtrackDigest)
  }

  @Test("Equal files elsewhere render equal bytes, with and without losses")
  func elsewhere() throws {
    let plan = try plan()
    var moved = plan
    moved.relocate { "/elsewhere/" + $0 }
    #expect(moved.sources == plan.sources.map { "/elsewhere/" + $0 })
    let (here, there) = (RenditionPlan(plan), RenditionPlan(moved))
    #expect(there.digests == here.digests)
    let voice = try #require(plan.voices.first)
    let losses = [CrashedTrackLoss(track: voice.id.slot, time: 1_000_000_000, manner: "signal 11")]
    for losses in [[], losses] {
      #expect(there.digest(of: 0, losses: losses) == here.digest(of: 0, losses: losses))
      #expect(there.soundtrackDigest(losses: losses) == here.soundtrackDigest(losses: losses))
    }
    #expect(here.soundtrackDigest(losses: losses) != here.soundtrackDigest)
  }

  @Test("Finished pieces are reused; damaged, foreign or outdated pieces are rendered again")
  func reuse() throws {
    let plan = try plan()
    let folder = try TemporaryFolder()
    var settings = RenderSettings()
    settings.workFolder = folder.path("work")
    let output = folder.path("out.mp4")
    _ = try Renderer(plan, settings: settings).render(to: output)
    let first = try bytes(output)
    let work = WorkFolder(folder.path("work"))
    var frames: [Int] = []
    _ = try Renderer(plan, settings: settings).render(to: output) { frames.append($0.reused) }
    #expect(frames.allSatisfy { $0 == plan.frames.count })
    #expect(try bytes(output) == first)

    let rendition = RenditionPlan(plan)
    let paths = (0..<3).map { work.segmentPath($0, of: rendition) }
    let segment = try bytes(paths[0])
    try segment.prefix(segment.count - 100).write(to: URL(fileURLWithPath: paths[0]))
    try bytes(paths[2]).write(to: URL(fileURLWithPath: paths[1]))
    try Data("RIFF".utf8).write(to: URL(fileURLWithPath: work.soundtrackPath(of: rendition)))
    var reused = 0
    _ = try Renderer(plan, settings: settings).render(to: output) { reused = $0.reused }
    #expect(reused == plan.frames.count - rendition.segments[..<2].reduce(0) { $0 + $1.count })
    #expect(try bytes(output) == first)
  }

  @Test("A track lost to a crash shows nothing from then on, and is reported")
  func crashLoss() throws {
    let plan = try plan()
    let folder = try TemporaryFolder()
    var settings = RenderSettings()
    settings.workFolder = folder.path("work")
    let output = folder.path("out.mp4")
    let work = WorkFolder(folder.path("work"))
    try work.make()
    let loss = CrashedTrackLoss(
      track: plan.tracks[0].id.slot, time: 12_000_000_000, manner: "signal 11")
    try work.record(loss, for: .segments(1..<2))
    let report = try Renderer(plan, settings: settings).render(to: output)
    let sentences = report.allLosses.map(\.sentence)
    #expect(
      sentences.contains { $0.hasPrefix(plan.tracks[0].source.path) && $0.contains("signal 11") })
    let lossy = try bytes(output)
    settings.retriesLosses = true
    var reused = 0
    let clean = try Renderer(plan, settings: settings).render(to: output) { reused = $0.reused }
    #expect(!clean.allLosses.contains { $0.sentence.contains("signal 11") })
    #expect(reused == plan.frames.count - RenditionPlan(plan).segments[1].count)
    #expect(try bytes(output) != lossy)
  }

  @Test("Two renders cannot use one folder; a stopped render leaves its finished pieces")
  func stop() throws {
    let plan = try plan()
    let folder = try TemporaryFolder()
    let output = folder.path("out.mp4")
    let cancellation = Cancellation()
    var settings = RenderSettings()
    settings.jobs = 1
    let renderer = Renderer(plan, settings: settings, cancellation: cancellation)
    var second: RenderError?
    let error = #expect(throws: RenderError.self) {
      try renderer.render(to: output) { progress in
        guard progress.frames > 0 else { return }
        do throws(RenderError) {
          _ = try Renderer(plan).render(to: output)
        } catch {
          second = error
        }
        cancellation.cancel()
      }
    }
    #expect(second?.message.contains("another render works in") == true)
    #expect(error?.kind == .cancelled)
    #expect(folder.names == ["out.mp4.tessera"])
    // Simulates a render that was killed while it joined the pieces.
    try Data().write(to: URL(fileURLWithPath: folder.path(".out.mp4.4194305.part")))
    _ = try Renderer(plan).render(to: output)
    #expect(folder.names == ["out.mp4"])
  }
}
