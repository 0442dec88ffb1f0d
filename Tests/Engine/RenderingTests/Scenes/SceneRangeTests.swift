import PlanningSupport
import TesseraCodecs
import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Transitions have the same canvases for any start of rendering.
@Suite(.timed) struct SceneRangeTests {
  private static let seed: UInt64 = 0x5ce9_e5

  private static func compare(_ plan: Plan, _ ranges: [Range<Int>]) {
    let whole = Rendered(plan, frames: 0..<plan.frameCount)
    #expect(whole.digests.count == plan.frameCount)
    for frames in ranges {
      let part = Rendered(plan, frames: frames)
      for frame in frames {
        #expect(part.digests[frame] == whole.digests[frame], "frame \(frame) of \(frames)")
      }
    }
  }

  @Test(arguments: [("grid", 25), ("speaker", 25), ("spotlight", 25), ("grid", 2)])
  func aRangeEqualsItsPartOfTheWhole(layout: String, maximumTiles: Int) throws {
    let recordings = try SceneRecordings()
    var request = try SceneRecordings.request(recordings.all, layout: layout)
    request.rendition.maximumTiles = maximumTiles
    var random = SplitMix64(seed: Self.seed)
    let ranges = (0..<6).map { _ in
      let first = Int.random(in: 0..<90, using: &random)
      return first..<min(90, first + Int.random(in: 1...12, using: &random))
    }
    try Self.compare(
      SceneRecordings.plan(request), ranges + [29..<31, 40..<41, 60..<61, 66..<69, 74..<76])
  }

  @Test func aLeavingPersonKeepsTheLastPicture() throws {
    let folder = try TemporaryFolder()
    let (black, white) = (folder.path("black.mkv"), folder.path("white.mkv"))
    try Tool.ffmpeg(["-f", "lavfi", "-i", "color=black:s=64x64:r=30:d=2", "-c:v", "ffv1", black])
    try Tool.ffmpeg(["-f", "lavfi", "-i", "color=white:s=64x64:r=30:d=1", "-c:v", "ffv1", white])
    let plan = try SceneRecordings.plan(try SceneRecordings.request([black, white]))
    let leaver = try #require(plan.attributes(in: 32).first { $0.id == 1 })
    for frames in [0..<33, 32..<33] {
      var luma: UInt8?
      var renderer = FrameRenderer(
        plan, frames: FrameSelection(frames), kernels: PixelKernels(), cancellation: Cancellation())
      renderer.run { frame, canvas in
        guard frame == 32 else { return }
        luma = canvas.withPlanes { luma, _, _ in luma[Int(leaver.frame.maxX) - 8, 54] }
      }
      #expect(try #require(luma) > 200, "rendered from \(frames.lowerBound) on")
    }
  }
}
