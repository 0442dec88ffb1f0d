import PlanningSupport
import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

@Suite(.timed) struct FrameSceneBuilderTests {
  @Test func tilesMatchTheLayout() throws {
    let recordings = try SceneRecordings()
    var request = try SceneRecordings.request(recordings.all)
    request.rendition.output.fit = .contain
    let plan = try SceneRecordings.plan(request)
    let input = plan.input(for: FrameSelection(plan.frames))
    var stage = FrameSceneBuilder(input, sprites: DrawingSprites(input))
    for frame in [0, 37, 50, 66, 89, 3] {
      stage.update(for: frame)
      let attributes = plan.attributes(in: frame)
      let tiles = stage.scene.tiles
      #expect(tiles.map(\.item) == attributes.map(\.id))
      #expect(tiles.map(\.frame) == attributes.map(\.frame))
      #expect(tiles.map(\.alpha) == attributes.map(\.alpha))
      #expect(tiles.map(\.scale) == attributes.map(\.scale))
      #expect(tiles.map(\.coverage?.share) == attributes.map(\.coverage))
      #expect(tiles.allSatisfy { $0.fit == .contain })
    }
  }

  @Test func theOverflowTileShowsACard() throws {
    let recordings = try SceneRecordings()
    var request = try SceneRecordings.request(
      recordings.all + [recordings.stays, recordings.stays])
    request.rendition.maximumTiles = 4
    let plan = try SceneRecordings.plan(request)
    let input = plan.input(for: FrameSelection(plan.frames))
    let sprites = DrawingSprites(input)
    var (stage, contents) = (
      FrameSceneBuilder(input, sprites: sprites), SlotContents(input, sprites: sprites)
    )
    let tracks = input.tracks.map { _ in TrackContent.nothing }
    stage.update(for: 50)
    contents.update(for: 50, tracks)
    #expect(stage.scene.tiles.map(\.item).contains(5))
    guard case .card(let card) = contents.contents.contents[5] else {
      Issue.record("the tile for the rest shows no card")
      return
    }
    #expect(!card.steps.isEmpty)
    // The card is unchanged until another person loses their tile, so nothing is drawn for it.
    let tiles = stage.scene.tiles
    stage.update(for: 51)
    contents.update(for: 51, tracks)
    guard case .card(let next) = contents.contents.contents[5] else {
      Issue.record("the tile for the rest shows another thing")
      return
    }
    #expect(next == card && stage.scene.tiles == tiles)
  }

  @Test func aLayoutsOwnDecorationsReachTheTiles() throws {
    let recordings = try SceneRecordings()
    var request = try SceneRecordings.request([recordings.stays])
    request.rendition.layout = try StylesheetLayout(
      "stream { width: 50%; height: 50%; border: 2px solid #ff0000; border-radius: 8px; "
        + "object-fit: contain; z-index: 3; position: absolute }")
    let plan = try SceneRecordings.plan(request)
    let input = plan.input(for: FrameSelection(plan.frames))
    var stage = FrameSceneBuilder(input, sprites: DrawingSprites(input))
    stage.update(for: 0)
    let tile = try #require(stage.scene.tiles.first)
    #expect(tile.border == TilePlacement.Border(width: 2, color: Color(rgb: 0xff0000)))
    #expect(tile.cornerRadius == 8 && tile.fit == .contain && tile.zIndex == 7)
  }

  /// The last two people are present together from frame 30 to 60; the stylesheet has room for two
  /// people.
  @Test func aTileOutsideTheCanvasIsALoss() throws {
    let recordings = try SceneRecordings()
    var request = try SceneRecordings.request(recordings.all)
    request.rendition.layout = try StylesheetLayout(
      "stream { float: left; width: 50%; height: 100% }")
    let losses = try SceneRecordings.plan(request).losses.map(\.sentence)
    let reason = "\(recordings.comes): the layout has no place for it on the canvas, so it is"
    let mend = "make room for its tile."
    #expect(losses == ["\(reason) not seen from 0:01.0 to 0:02.0; \(mend)"])
    request.rendition.from = MediaTime(nanoseconds: 1_500_000_000)
    request.rendition.to = MediaTime(nanoseconds: 1_800_000_000)
    let some = try SceneRecordings.plan(request).losses.map(\.sentence)
    #expect(some == ["\(reason) not seen from 0:01.5 to 0:01.8; \(mend)"])
    request.rendition.to = nil
    request.rendition.from = MediaTime(seconds: 2)
    #expect(try SceneRecordings.plan(request).losses.isEmpty)
  }

  @Test func peopleWithoutRoomInTheLayoutAreNoted() throws {
    let recordings = try SceneRecordings()
    func notes(_ count: Int, _ layout: String) throws -> [String] {
      var request = try SceneRecordings.request(Array(repeating: recordings.stays, count: count))
      request.rendition.layout = try LayoutCatalog.policy(layout)
      let plan = try SceneRecordings.plan(request)
      #expect(plan.losses.isEmpty)
      return plan.notes.filter { $0.contains("never seen") }
    }
    let reason =
      "never seen, as this layout shows only some participants at once; a grid shows more."
    let path = recordings.stays
    #expect(try notes(9, "grid").isEmpty && notes(16, "speaker").isEmpty)
    #expect(try notes(3, "pip") == ["\(path) is \(reason)"])
    #expect(try notes(5, "pip") == ["\(path), \(path) and \(path) are \(reason)"])
    #expect(try notes(8, "pip") == ["\(path), \(path) and 4 more are \(reason)"])
  }
}
