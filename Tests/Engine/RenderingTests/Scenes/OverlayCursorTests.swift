import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraCompositor
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

@Suite(.timed) struct OverlayCursorTests {
  private static func time(_ milliseconds: Int) -> MediaTime {
    MediaTime(nanoseconds: Int64(milliseconds) * 1_000_000)
  }

  /// Returns thousands of rows in random order, most of them short, some long.
  private static func rows(_ count: Int, seed: UInt64) -> [Range<Int>] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { index in
      let from = Int.random(in: -500..<100_000, using: &random)
      let longest = index % 97 == 0 ? 50_000 : 200
      return from..<(from + Int.random(in: 0...longest, using: &random))
    }
  }

  @Test func activeRowsAreFound() {
    let rows = Self.rows(3000, seed: 7)
    var cursor = OverlayCursor(rows)
    var random = SplitMix64(seed: 8)
    let forward = stride(from: -600, to: 152_000, by: 333).map { $0 }
    let anyhow = (0..<100).map { _ in Int.random(in: -600..<152_000, using: &random) }
    for frame in forward + anyhow {
      let before = cursor.current
      let isOther = cursor.move(to: frame)
      let there = rows.indices.filter { rows[$0].contains(frame) }
      #expect(cursor.current == there)
      if !isOther { #expect(before == there) }
    }
  }

  @Test func movesReportChanges() {
    var cursor = OverlayCursor([100..<200, 150..<300])
    let changes = [0, 50, 100, 101, 149, 150, 199, 200, 250, 299, 300, 400, 120].map {
      cursor.move(to: $0)
    }
    #expect(
      changes == [
        false, false, true, false, false, true, false, true, false, false, true, false, true,
      ])
    #expect(cursor.current == [0])
    var empty = OverlayCursor([])
    let isOther = empty.move(to: 0)
    #expect(!isOther && empty.current.isEmpty)
  }

  /// Only visible captions have sprites, out of many.
  @Test func spritesAreReleased() throws {
    let lettering = LetteringRenderer()
    let canvas = PixelSize(width: 320, height: 180)
    let cues = (0..<20).map { index in
      CaptionCue(
        from: Self.time(1000 * index), to: Self.time(1000 * index + 1000), lines: ["no. \(index)"])
    }
    let recordings = try SceneRecordings()
    var plan = try SceneRecordings.plan(SceneRecordings.request([recordings.stays]))
    plan.output.video.size = canvas
    plan.look.overlays = lettering.captions(cues, on: canvas)
    plan.look.store = lettering.store
    var overlays = CanvasOverlays(plan.input(for: FrameSelection(0..<610)))
    weak var last: Sprite?
    for index in 0..<20 {
      let first = overlays.sprites(in: 30 * index)
      #expect(first.count == 1)
      #expect(overlays.sprites(in: 30 * index + 29) == first)
      #expect(last == nil)
      last = first.first?.sprite
    }
    #expect(last != nil)
    #expect(overlays.sprites(in: 600).isEmpty)
    #expect(last == nil)
  }
}
