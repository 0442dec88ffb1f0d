import TesseraLayout
import TestSupport
import Testing

/// The arrangement between two cuts.
@Suite("Shots", .timed) struct ShotLayoutTests {
  private static let canvas = Size(width: 1280, height: 720)

  private static func tiles(_ shot: DirectorShot, speaking: Int, on canvas: Size = canvas) throws
    -> [LayoutAttributes]
  {
    var items = [
      LayoutItem(id: 0, aspectRatio: 16.0 / 9), LayoutItem(id: 1),
      LayoutItem(id: 2, aspectRatio: 9.0 / 16),
      LayoutItem(id: 9, kind: .screen, aspectRatio: 16.0 / 9),
    ]
    items[speaking].isSpeaking = true
    var engine = try LayoutEngine(policy: ShotLayout(shot: shot), canvas: canvas)
    return engine.place(items)
  }

  @Test("One person fills the canvas, two share it, and portrait pictures are stacked")
  func people() throws {
    let one = try Self.tiles(.one(0), speaking: 1)
    #expect(one.map(\.id) == [0] && one[0].frame == Self.canvas.bounds)
    let two = try Self.tiles(.two(0, 2), speaking: 1)
    #expect(two.map(\.id) == [0, 2] && two.allSatisfy { $0.frame.width == 640 })
    let upright = try Self.tiles(.two(0, 2), speaking: 1, on: Size(width: 720, height: 1280))
    #expect(upright.allSatisfy { $0.frame.width == 720 && $0.frame.height == 640 })
  }

  @Test(
    "The corner of a screen shows the active speaker, with a picture or without", arguments: 0...2)
  func corner(speaker: Int) throws {
    let tiles = try Self.tiles(.screenWithSpeaker(9), speaking: speaker)
    #expect(tiles.map(\.id) == [9, speaker])
    #expect(tiles[0].frame == Self.canvas.bounds && tiles[1].frame.maxX < 1280)
    #expect(tiles[1].frame.height < 0.25 * 720 && tiles[1].frame.maxY < 720)
  }
}
