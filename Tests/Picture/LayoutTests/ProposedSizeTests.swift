import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct ProposedSizeTests {
  @Test(arguments: ["1280x720", "1280xauto", "autox720"]) func validSizesAreRead(text: String) {
    #expect(ProposedSize(text)?.description == text)
  }

  @Test(arguments: ["", "1280", "autoxauto", "0x720", "-2x3", "1280x720x1", "1e3x2", "xauto"])
  func invalidSizesAreRefused(text: String) {
    #expect(ProposedSize(text) == nil)
  }

  @Test(arguments: [
    ("grid", "1280xauto", 2, 1280.0, 360.0), ("grid", "autox720", 3, 1280, 720),
    ("grid", "1000x500", 7, 1000, 500), ("spotlight", "640xauto", 4, 640, 360),
    ("mosaic:band=200", "375xauto", 12, 375, 1206),
    ("prominent:height=200,width=200", "375xauto", 6, 375, 1250),
    ("flow:width=200,height=200", "375xauto", 3, 375, 620),
    ("flow:inset=10", "650xauto", 4, 650, 380),
  ])
  func takesTheMissingSideFromTheContent(
    layout: String, size: String, count: Int, width: Double, height: Double
  ) throws {
    let policy = try LayoutCatalog.policy(layout)
    let proposal = try #require(ProposedSize(size))
    let canvas = policy.canvas(proposal, items: people(count))
    #expect(canvas == Size(width: width, height: height))
  }

  @Test(arguments: [
    ("1280x720", nil, 1280.0, 720.0, 4.0), ("1280x720", 9, 1280, 720, 9),
    ("1280xauto", nil, 1280, 364, 2), ("1280xauto", 0, 1280, 360, 0),
  ])
  func theGapIsMeasuredOnTheResultingCanvas(
    size: String, wanted: Double?, width: Double, height: Double, gap: Double
  ) throws {
    let proposal = try #require(ProposedSize(size))
    let measured = GridLayout().measure(proposal, items: people(2), gap: wanted)
    #expect(measured.canvas == Size(width: width, height: height) && measured.gap == gap)
  }
}
