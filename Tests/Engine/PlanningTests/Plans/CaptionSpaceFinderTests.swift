import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning

@Suite(.timed) struct CaptionSpaceFinderTests {
  private static let canvas = PixelSize(width: 1280, height: 720)
  /// Created once for all tests.
  private static let recordings = Result { try SceneRecordings() }

  private static func plan(
    _ inputs: [String], _ layout: String, names: Bool, text: String, seconds: Int = 1
  ) throws -> Plan {
    var request = try SceneRecordings.request(inputs, layout: layout, width: 1280, height: 720)
    request.rendition.output.style = TileStyle(.dark)
    request.rendition.output.style.showsNames = names
    request.rendition.overlays.captions = (0..<3 / seconds).map { index in
      CaptionCue(
        from: MediaTime(seconds: seconds * index), to: MediaTime(seconds: seconds * (index + 1)),
        lines: [text])
    }
    return try SceneRecordings.plan(request)
  }

  /// Returns the areas of name plates in a frame.
  private static func plates(_ plan: Plan, _ frame: Int) -> [PixelRect] {
    plan.attributes(in: frame).flatMap { attributes -> [PixelRect] in
      guard let slot = plan.slots.first(where: { $0.id == attributes.id }),
        let decorations = slot.decorations[frame]
      else { return [] }
      let text = PlanDrawings.PlateText(name: decorations.name, isScreen: decorations.isScreen)
      let tile = attributes.displayFrame
      let size = PixelSize(width: Int(tile.width.rounded()), height: Int(tile.height.rounded()))
      return (plan.look.plates[text]?.groups(for: size) ?? []).map { group in
        let origin = group.origin(in: size)
        return PixelRect(
          x: Int(tile.x.rounded()) + origin.x, y: Int(tile.y.rounded()) + origin.y,
          width: group.size.width, height: group.size.height)
      }
    }
  }

  private static func captions(_ plan: Plan, _ frame: Int) -> [PixelRect] {
    let time = plan.output.video.frameRate.time(ofFrame: frame)
    return plan.look.overlays.filter { $0.share(at: time) > 0 }.flatMap(\.groups).map { group in
      let origin = group.origin(in: canvas)
      return PixelRect(
        x: origin.x, y: origin.y, width: group.size.width, height: group.size.height)
    }
  }

  private static let long = String(repeating: "all that can be said of it, ", count: 8)

  @Test(arguments: zip(["grid", "grid", "grid", "speaker", "best-fit"], [1, 2, 9, 5, 5]))
  func captionsCoverNoPlate(layout: String, count: Int) throws {
    let recordings = try Self.recordings.get()
    let inputs = Array(
      (recordings.all + Array(repeating: recordings.stays, count: 6)).prefix(count))
    let text = count == 2 ? "Yes." : Self.long
    let plan = try Self.plan(inputs, layout, names: true, text: text)
    #expect(!plan.look.plates.isEmpty)
    // Frames without motion.
    for frame in [0, 29, 45, 59, 75, 89] {
      let captions = Self.captions(plan, frame)
      #expect(captions.count == 1)
      for caption in captions {
        #expect(caption.y >= 0 && caption.maxY <= Self.canvas.height * 95 / 100)
        for plate in Self.plates(plan, frame) {
          #expect(caption.intersection(plate).isEmpty, "\(caption) covers \(plate) in \(frame)")
        }
      }
    }
  }

  @Test func withoutPlatesCaptionsAreLow() throws {
    let recordings = try Self.recordings.get()
    let plan = try Self.plan([recordings.stays], "grid", names: false, text: "Yes.")
    #expect(Self.captions(plan, 10).map(\.maxY) == [684])
    let named = try Self.plan([recordings.stays], "grid", names: true, text: "Yes.")
    let top = try #require(Self.plates(named, 10).map(\.y).min())
    let bottom = try #require(Self.captions(named, 10).map(\.maxY).first)
    #expect(bottom < top && bottom > top - 20)
  }

  /// Captions have a constant height for any text, so that they do not jump.
  @Test func captionsDoNotMoveWithTheirText() throws {
    let recordings = try Self.recordings.get()
    let bottoms = try ["Yes.", Self.long].map { text in
      Self.captions(try Self.plan([recordings.stays], "grid", names: true, text: text), 10)
        .map(\.maxY)
    }
    #expect(bottoms[0] == bottoms[1] && bottoms[0].count == 1)
  }

  @Test func captionsOutsideTheOutputHaveNoSprites() throws {
    let recordings = try Self.recordings.get()
    var request = try SceneRecordings.request([recordings.stays])
    request.rendition.overlays.captions = (0..<3).map { index in
      CaptionCue(
        from: MediaTime(seconds: index), to: MediaTime(seconds: index + 1), lines: ["\(index)"])
    }
    #expect(try SceneRecordings.plan(request).look.overlays.count == 3)
    request.rendition.from = MediaTime(nanoseconds: 1_100_000_000)
    #expect(try SceneRecordings.plan(request).look.overlays.count == 2)
    request.rendition.overlays.interval = TimeRange(start: .zero, end: MediaTime(nanoseconds: 1))
    #expect(try SceneRecordings.plan(request).look.overlays.map(\.from) == [.zero])
  }

  @Test(
    "Captions do not cover a person who is always visible, and are beside that tile",
    arguments: ["right", "left", "bottom"])
  func kept(place: String) throws {
    let recordings = try Self.recordings.get()
    var request = try SceneRecordings.request(
      Array(repeating: recordings.stays, count: 3), layout: "grid", width: 1280, height: 720)
    request.rendition.keptVisible = ReservedPlaceOption(option: "1:size=0.3,place=\(place)")
    request.rendition.overlays.captions = [
      CaptionCue(from: .zero, to: MediaTime(seconds: 3), lines: [Self.long])
    ]
    let plan = try SceneRecordings.plan(request)
    let kept = try #require(plan.attributes(in: 45).first { $0.id == plan.kept })
    let frame = kept.displayFrame
    let caption = try #require(Self.captions(plan, 45).first)
    let isClear =
      Double(caption.maxX) <= frame.x || frame.maxX <= Double(caption.x)
      || Double(caption.maxY) <= frame.y
    #expect(isClear, "\(caption) \(frame)")
    #expect(caption.x >= 0 && caption.maxX <= 1280 && caption.y >= 360)
  }
}
