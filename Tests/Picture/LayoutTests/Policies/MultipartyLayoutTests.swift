import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct MultipartyLayoutTests {
  /// Width, height and rectangles from the OpenTok sample.
  static let table: [(Size, String)] = [
    (landscape, "(0,0,1280,720)"),
    (landscape, "(0,0,1280,360) (0,360,1280,360)"),
    (landscape, "(0,0,1280,360) (0,360,640,360) (640,360,640,360)"),
    (landscape, "(0,0,640,360) (640,0,640,360) (0,360,640,360) (640,360,640,360)"),
    (
      landscape,
      "(0,0,1280,240) (0,240,640,240) (640,240,640,240) (0,480,640,240) (640,480,640,240)"
    ),
    (
      landscape,
      """
      (0,0,640,240) (640,0,640,240) (0,240,640,240) (640,240,640,240) (0,480,640,240)
      (640,480,640,240)
      """
    ),
    (
      landscape,
      """
      (0,0,1280,180) (0,180,640,180) (640,180,640,180) (0,360,640,180) (640,360,640,180)
      (0,540,640,180) (640,540,640,180)
      """
    ),
    (
      landscape,
      """
      (0,0,640,180) (640,0,640,180) (0,180,640,180) (640,180,640,180) (0,360,640,180)
      (640,360,640,180) (0,540,640,180) (640,540,640,180)
      """
    ),
    (
      landscape,
      """
      (0,0,1280,144) (0,144,640,144) (640,144,640,144) (0,288,640,144) (640,288,640,144)
      (0,432,640,144) (640,432,640,144) (0,576,640,144) (640,576,640,144)
      """
    ),
    (portrait, "(0,0,720,1280)"),
    (portrait, "(0,0,720,640) (0,640,720,640)"),
    (portrait, "(0,0,720,640) (0,640,360,640) (360,640,360,640)"),
    (portrait, "(0,0,360,640) (360,0,360,640) (0,640,360,640) (360,640,360,640)"),
    (
      portrait,
      """
      (0,0,720,426.67) (0,426.67,360,426.67) (360,426.67,360,426.67) (0,853.33,360,426.67)
      (360,853.33,360,426.67)
      """
    ),
    (
      portrait,
      """
      (0,0,360,426.67) (360,0,360,426.67) (0,426.67,360,426.67) (360,426.67,360,426.67)
      (0,853.33,360,426.67) (360,853.33,360,426.67)
      """
    ),
    (
      portrait,
      """
      (0,0,720,320) (0,320,360,320) (360,320,360,320) (0,640,360,320) (360,640,360,320)
      (0,960,360,320) (360,960,360,320)
      """
    ),
    (
      portrait,
      """
      (0,0,360,320) (360,0,360,320) (0,320,360,320) (360,320,360,320) (0,640,360,320)
      (360,640,360,320) (0,960,360,320) (360,960,360,320)
      """
    ),
    (
      portrait,
      """
      (0,0,720,256) (0,256,360,256) (360,256,360,256) (0,512,360,256) (360,512,360,256)
      (0,768,360,256) (360,768,360,256) (0,1024,360,256) (360,1024,360,256)
      """
    ),
  ]

  @Test(arguments: table.indices) func placementMatchesTheSample(row: Int) {
    let (size, text) = Self.table[row]
    let expected = rects(text)
    let actual = frames(MultipartyLayout(), size, people(expected.count))
    #expect(agree(actual, expected, within: 0.005), "\(actual)")
  }

  @Test func theLocalParticipantIsFirst() {
    var items = people(3)
    items[2].isLocal = true
    let arrangement = MultipartyLayout().prepare(LayoutContext(canvas: landscape, items: items))
    #expect(arrangement.attributes.map(\.id) == [2, 0, 1])
  }

  @Test func roundedEdgesLeaveNoGap() throws {
    var engine = try LayoutEngine(policy: MultipartyLayout(), canvas: portrait)
    let tiles = engine.place(people(5)).map(\.frame)
    #expect(
      tiles
        == rects(
          """
          (0,0,720,427) (0,427,360,426) (360,427,360,426) (0,853,360,427) (360,853,360,427)
          """))
  }
}
