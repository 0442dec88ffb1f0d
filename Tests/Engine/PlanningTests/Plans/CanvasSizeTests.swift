import PlanningSupport
import TesseraCodecs
import TesseraLayout
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraSystem
import TestSupport
import Testing

/// A canvas side derived from the layout.
@Suite(.timed) struct CanvasSizeTests {
  private let recordings: SceneRecordings

  init() throws { recordings = try SceneRecordings() }

  private func canvas(_ layout: String, _ size: String, people: Int = 3) throws -> PixelSize {
    let inputs = Array(recordings.all.prefix(people))
    var request = try SceneRecordings.request(inputs, layout: layout)
    request.rendition.size = ProposedSize(size)
    return try SceneRecordings.plan(request).output.video.size
  }

  @Test(arguments: [
    ("grid", "320x240", 320, 240),
    ("grid:columns=1", "320xauto", 320, 540),
    ("grid:columns=3", "autox90", 480, 90),
    ("grid:columns=3", "322xauto", 322, 62),
  ])
  func theFreeSideFollowsTheLayout(layout: String, size: String, width: Int, height: Int) throws {
    #expect(try canvas(layout, size) == PixelSize(width: width, height: height))
  }

  @Test func onlySimultaneousPeopleCount() throws {
    // Without the third person, the second one appears alone with the first.
    #expect(
      try canvas("grid:columns=1", "320xauto", people: 2) == PixelSize(width: 320, height: 360))
  }

  @Test func everyTileIsInsideTheCanvas() throws {
    var request = try SceneRecordings.request(recordings.all, layout: "flow")
    request.rendition.size = ProposedSize("320xauto")
    let plan = try SceneRecordings.plan(request)
    let size = plan.output.video.size
    let ends = plan.attributes(in: 50).map { $0.frame.maxY }
    #expect(plan.attributes(in: 50).count == 3)
    #expect(ends.allSatisfy { $0 <= Double(size.height) })
    #expect(try #require(ends.max()) > Double(size.height) - 2)
  }

  @Test func sizesThatNoVideoCanHaveAreRefused() throws {
    let error = #expect(throws: RenderError.self) { try canvas("grid:columns=1", "8192xauto") }
    #expect(error?.kind == .usage)
    #expect(error?.commandLine.contains("--size 8192xauto") == true)
  }
}
