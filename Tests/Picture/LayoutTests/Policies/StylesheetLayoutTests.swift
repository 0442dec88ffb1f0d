import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct StylesheetLayoutTests {
  private func attributes(_ css: String, _ items: [LayoutItem], _ canvas: Size = landscape) throws
    -> [LayoutAttributes]
  {
    try StylesheetLayout(css).prepare(LayoutContext(canvas: canvas, items: items)).attributes
  }

  private func placed(_ css: String, _ count: Int) throws -> [Rect] {
    try attributes(css, people(count)).map(\.frame)
  }

  @Test func floatsFillLinesFromTheLeft() throws {
    #expect(
      try placed("stream { float: left; width: 50%; height: 50%; }", 3)
        == rects("(0,0,640,360) (640,0,640,360) (0,360,640,360)"))
  }

  @Test(arguments: [":", "a:b", ";:;", "width", "width:"]) func wrongDeclarations(text: String) {
    #expect(throws: LayoutError.self) { try StylesheetLayout("stream { \(text) }") }
  }

  @Test func thePresetCountsItsStreams() throws {
    let css = """
      /* one, two, and up to four */
      stream { float: left; width: 100%; height: 100%; object-fit: cover }
      stream:first-child:nth-last-child(2), stream:first-child:nth-last-child(2) ~ stream {
        width: 50%;
      }
      stream:first-child:nth-last-child(3), stream:first-child:nth-last-child(3) ~ stream {
        width: 50%; height: 50%;
      }
      """
    #expect(try placed(css, 1) == rects("(0,0,1280,720)"))
    #expect(try placed(css, 2) == rects("(0,0,640,720) (640,0,640,720)"))
    #expect(try placed(css, 3) == rects("(0,0,640,360) (640,0,640,360) (0,360,640,360)"))
    #expect(try attributes(css, people(1)).map(\.fit) == [.cover])
  }

  /// The best-fit preset of barc.
  @Test(arguments: [
    (1, "(0,0,1280,720)"), (2, "(0,0,640,720) (640,0,640,720)"),
    (3, "(0,0,640,360) (640,0,640,360) (0,360,640,360)"),
    (4, "(0,0,640,360) (640,0,640,360) (0,360,640,360) (640,360,640,360)"),
    (
      5,
      """
      (0,0,424.96,239.04) (424.96,0,424.96,239.04) (849.92,0,424.96,239.04)
      (0,239.04,424.96,239.04) (424.96,239.04,424.96,239.04)
      """
    ),
  ])
  func barcsBestFit(count: Int, expected: String) throws {
    let counts = { (count: Int) in
      "stream:first-child:nth-last-child(\(count)), stream:first-child:nth-last-child(\(count)) ~ stream"
    }
    let css = """
      stream { float: left; width: 100%; height: 100%; object-fit: cover }
      \(counts(2)) { width: 50% }
      \(counts(3)), \(counts(4)) { width: 50%; height: 50% }
      \((5...9).map(counts).joined(separator: ", ")) { width: 33.2%; height: 33.2% }
      """
    let actual = try placed(css, count)
    #expect(agree(actual, rects(expected), within: 0.005), "\(actual)")
  }

  /// barc's preset of discs along the top; padding and border are part of the box.
  @Test func discsAreAlongTheTop() throws {
    var items = people(3)
    items[0].classes = ["focus"]
    let css = """
      stream { float: left; width: 120px; height: 120px; border-radius: 120px; padding: 5px;
               border: 8px solid #CCCCCC; z-index: 1; object-fit: cover }
      stream.focus { position: absolute; top: 0; left: 0; width: 100%; height: 100%; padding: 0;
                     border: none; border-radius: 0; z-index: 0; object-fit: contain }
      """
    let tiles = try attributes(css, items)
    #expect(tiles.map(\.frame) == rects("(0,0,1280,720) (0,0,146,146) (146,0,146,146)"))
    #expect(tiles.map(\.cornerRadius) == [nil, 73, 73])
    #expect(tiles[0].zIndex < tiles[1].zIndex)
  }

  @Test func aPictureInPictureIsInFront() throws {
    var items = people(2)
    items[0].isFocused = true
    let css = """
      stream { position: absolute; width: 15%; height: 15%; right: 5%; top: 5%; z-index: 200;
               object-fit: cover; border: 2px solid #CcC; border-radius: 50% }
      stream.focus { width: 100%; height: 100%; top: 0; right: 0; z-index: 100;
                     object-fit: contain; border: none; border-radius: 0 }
      """
    let tiles = try attributes(css, items)
    let expected = rects("(0,0,1280,720) (1020,36,196,112)")
    #expect(agree(tiles.map(\.frame), expected, within: 1e-9), "\(tiles.map(\.frame))")
    #expect(tiles[0].zIndex < tiles[1].zIndex)
    #expect(tiles.map(\.fit) == [.contain, .cover])
    #expect(tiles[1].border == LayoutAttributes.Border(width: 2, color: 0xCCCCCC))
    #expect(tiles.map(\.cornerRadius) == [nil, 56])
  }

  @Test func smallTilesAreBelowTheFocus() throws {
    var items = people(3)
    items[1].classes = ["focus"]
    let css = """
      stream { float: left; width: 20%; height: 20%; margin-top: 80% }
      .focus { position: absolute; top: 0; left: 0; width: 100%; height: 80%; margin: 0 }
      """
    // The margin is a share of the height, so each float is as high as the canvas.
    #expect(
      try attributes(css, items).map(\.frame)
        == rects("(0,576,256,144) (0,0,1280,576) (256,576,256,144)"))
  }

  @Test func floatsTakeTheHighestFreePlace() throws {
    var items = people(4)
    items[0].classes = ["big"]
    let css =
      "stream { float: left; width: 320px; height: 240px } .big { width: 960px; height: 480px }"
    #expect(
      try attributes(css, items).map(\.frame)
        == rects("(0,0,960,480) (960,0,320,240) (960,240,320,240) (0,480,320,240)"))
  }

  @Test func blocksAreStackedAndCanBeMoved() throws {
    let css = """
      stream { height: 25%; width: 50%; margin: 10px 20px; padding: 4px }
      stream:nth-child(2) { position: relative; left: 5px; top: -3px }
      stream:last-child { display: none }
      """
    #expect(try placed(css, 3) == rects("(24,14,640,180) (29,219,640,180)"))
  }

  @Test func clearedFloatsStartBelowTheOthers() throws {
    let css = "stream { float: left; width: 25%; height: 25% } #p1 { clear: left }"
    #expect(
      try placed(css, 3) == rects("(0,0,320,180) (0,180,320,180) (320,180,320,180)"))
  }

  @Test func moreSpecificRulesWinThenLaterOnes() throws {
    var items = people(2)
    items[0].classes = ["a"]
    let css = """
      #p1 { height: 50px }
      stream.a { height: 30px }
      .a { height: 20px }
      stream { height: 10px }
      stream { width: 100px; float: left }
      """
    #expect(
      try attributes(css, items).map(\.frame) == rects("(0,0,100,30) (100,0,100,50)"))
  }

  @Test(arguments: [
    ("stream { transform: none }", #"the property "transform" in line 1"#),
    (
      "stream {\n  float: left;\n  width: calc(50%) }",
      #"the value "calc(50%)" of "width" in line 3"#
    ),
    ("stream { width: -3px }", #"the value "-3px" of "width" in line 1"#),
    ("stream { object-fit: fill }", #"the value "fill" of "object-fit" in line 1"#),
    ("\n\narchive > stream { }", #"the selector "archive > stream" in line 3"#),
    ("@media print { stream { } }", "a brace in the wrong place in line 1"),
    ("stream:hover { }", #"the selector "stream:hover" in line 1"#),
    ("stream { float: left", "a rule without an end in line 1"),
    ("/* a\n b */ stream, { }", #"the selector "" in line 2"#),
    ("stream", "a rule without an end in line 1"),
  ])
  func invalidStylesheetsAreRefused(css: String, what: String) {
    let message = message { _ = try LayoutFileParser.policy(css) }
    #expect(message == "the stylesheet uses \(what), which is not supported: remove it.")
  }
}
