import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct MosaicLayoutTests {
  /// The frames of Apple's sample in a view of width 375; each row of the table continues the
  /// previous one.
  static let sample = rects(
    """
    (0,1,375,200) (0,202,188,200) (189,202,186,200) (0,403,250,200) (251,403,124,100)
    (251,504,124,99) (0,604,125,100) (0,705,125,99) (126,604,249,200) (0,805,188,200)
    (189,805,186,200) (0,1006,375,200)
    """)

  @Test(arguments: [1, 3, 6, 9, 12]) func placementMatchesTheSample(count: Int) {
    let actual = frames(
      MosaicLayout(bandHeight: 200), Size(width: 375, height: 667), people(count))
    #expect(actual == Array(Self.sample.prefix(count)))
  }

  @Test(arguments: [
    (2, "(0,1,375,200) (0,202,375,200)"),
    (4, "(0,1,375,200) (0,202,188,200) (189,202,186,200) (0,403,375,200)"),
    (5, "(0,1,375,200) (0,202,188,200) (189,202,186,200) (0,403,188,200) (189,403,186,200)"),
    (
      7,
      """
      (0,1,375,200) (0,202,188,200) (189,202,186,200) (0,403,250,200) (251,403,124,100)
      (251,504,124,99) (0,604,375,200)
      """
    ),
  ])
  func endsWithOneOrTwo(count: Int, expected: String) {
    let actual = frames(
      MosaicLayout(bandHeight: 200), Size(width: 375, height: 667), people(count))
    #expect(actual == rects(expected))
  }

  @Test func theContentIncludesTheLastFrame() {
    let arrangement = MosaicLayout(bandHeight: 200).prepare(
      LayoutContext(canvas: Size(width: 375, height: 667), items: people(12)))
    #expect(arrangement.contentSize == Size(width: 375, height: 1206))
  }

  @Test(arguments: [
    (
      Size(width: 600, height: 900), 6,
      """
      (0,0,600,300) (0,300,300,300) (300,300,300,300) (0,600,400,300) (400,600,200,150)
      (400,750,200,150)
      """
    ),
    (
      Size(width: 1200, height: 900), 6,
      """
      (0,0,1200,450) (0,450,300,450) (300,450,300,450) (600,450,400,450) (1000,450,200,225)
      (1000,675,200,225)
      """
    ),
    (Size(width: 1200, height: 900), 2, "(0,0,1200,450) (0,450,1200,450)"),
  ])
  func bandsAreFittedToTheCanvas(canvas: Size, count: Int, expected: String) {
    let actual = frames(MosaicLayout(), canvas, people(count))
    #expect(agree(actual, rects(expected), within: 1e-9), "\(actual)")
  }

  @Test(arguments: [landscape, portrait], 1...40)
  func bandsAreSimilarToTheSamples(canvas: Size, count: Int) {
    let frames = frames(MosaicLayout(), canvas, people(count))
    #expect(frames.allSatisfy { (0.3...4).contains($0.size.aspectRatio) })
  }

  @Test func theContentScrollsToTheSpeaker() throws {
    var engine = try LayoutEngine(
      policy: MosaicLayout(bandHeight: 200), canvas: Size(width: 375, height: 402))
    var items = people(12)
    engine.place(items)
    #expect(engine.contentOffset == .zero)
    items[11].isSpeaking = true
    #expect(engine.place(items).map(\.id).contains(11))
    #expect(engine.contentOffset == Point(x: 0, y: 804))
    items[11].isSpeaking = false
    items[0].isSpeaking = true
    engine.place(items)
    #expect(engine.contentOffset == Point(x: 0, y: 1))
  }
}
