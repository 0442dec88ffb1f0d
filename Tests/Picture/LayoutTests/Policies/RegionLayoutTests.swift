import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraLayout

@Suite(.timed) struct RegionLayoutTests {
  private func items(_ spans: [(String, Int, Int)]) -> [LayoutItem] {
    spans.enumerated().map { index, span in
      LayoutItem(
        id: index, sources: [span.0],
        presence: TimeRange(
          start: MediaTime(seconds: span.1), end: MediaTime(seconds: span.2)))
    }
  }

  /// Returns the people visible at each of `seconds`, in the order of the cells.
  private func seen(_ policy: any LayoutPolicy, _ allItems: [LayoutItem], at seconds: [Int]) throws
    -> [[String]]
  {
    try seconds.map { second in
      var engine = try LayoutEngine(policy: policy, canvas: landscape, allItems: allItems)
      let time = MediaTime(seconds: second)
      let present = allItems.filter { item in
        item.presence.map { $0.start <= time && time < $0.end } ?? true
      }
      return engine.place(present).sorted { $0.frame.x < $1.frame.x }.map {
        allItems[$0.id].sources[0]
      }
    }
  }

  private func everyone(_ count: Int, rows: String = "") throws -> RegionLayout {
    try RegionLayout(json: #"{"all": {"video_sources": ["*"]\#(rows)}}"#)
  }

  /// Count, rows, columns, and the first cell's frame: hisui at 1280x720, border 2.
  @Test(arguments: [
    (1, 1, 1, "(0,0,1280,720)"), (2, 1, 2, "(0,0,638,720)"), (3, 2, 2, "(0,0,638,358)"),
    (4, 2, 2, "(0,0,638,358)"), (5, 2, 3, "(2,0,424,358)"), (6, 2, 3, "(2,0,424,358)"),
    (7, 3, 3, "(2,0,424,238)"), (8, 3, 3, "(2,0,424,238)"), (9, 3, 3, "(2,0,424,238)"),
  ])
  func gridsAreAsSquareAsPossible(count: Int, rows: Int, columns: Int, first: String) throws {
    let tiles = frames(try everyone(count), landscape, people(count))
    #expect(tiles[0] == rects(first)[0])
    #expect(Set(tiles.map(\.x)).count == columns && Set(tiles.map(\.y)).count == rows)
  }

  @Test func columnsExceedRowsByOneAtMost() throws {
    let shapes = try (1...16).map { count in
      let tiles = frames(try everyone(count), landscape, people(count))
      return "\(Set(tiles.map(\.y)).count)x\(Set(tiles.map(\.x)).count)"
    }
    #expect(
      shapes == [
        "1x1", "1x2", "2x2", "2x2", "2x3", "2x3", "3x3", "3x3", "3x3", "3x4", "3x4", "3x4", "4x4",
        "4x4", "4x4", "4x4",
      ])
  }

  @Test func aRegionSmallerThanTheCanvasHasABorder() throws {
    let policy = try RegionLayout(
      json: """
        {"a": {"video_sources": ["*"], "width": 640, "height": 480, "border_pixels": 4}}
        """)
    #expect(
      frames(policy, Size(width: 1920, height: 1080), people(4))
        == rects("(4,4,314,234) (322,4,314,234) (4,242,314,234) (322,242,314,234)"))
  }

  @Test func cellsCanHaveTheirOwnSize() throws {
    let policy = try everyone(
      3, rows: #", "x_pos": 100, "cell_width": 320, "cell_height": 180, "max_rows": 1"#)
    #expect(
      frames(policy, landscape, people(3))
        == rects("(102,2,320,180) (424,2,320,180) (746,2,320,180)"))
    let narrow = Size(width: 640, height: 360)
    #expect(frames(policy, narrow, people(3)).allSatisfy { $0.maxX <= 640 && $0.width > 100 })
  }

  @Test(arguments: [
    (#", "max_columns": 3, "max_rows": 3"#, 5, 3, 2), (#", "max_columns": 2"#, 5, 2, 3),
    (#", "max_rows": 1"#, 5, 5, 1), (#", "max_columns": 5, "max_rows": 2"#, 3, 2, 2),
    (#", "max_columns": 1, "max_rows": 2"#, 4, 1, 2),
  ])
  func rowsAndColumnsCanBeLimited(keys: String, count: Int, columns: Int, rows: Int) throws {
    let tiles = frames(try everyone(count, rows: keys), landscape, people(count))
    #expect(Set(tiles.map(\.x)).count == columns && Set(tiles.map(\.y)).count == rows)
  }

  @Test func excludedCellsStayEmpty() throws {
    let policy = try everyone(5, rows: #", "cells_excluded": [1, 3, 5, 7]"#)
    let tiles = frames(policy, landscape, people(5))
    #expect(tiles.map(\.x) == [2, 854, 428, 2, 854])
    #expect(Set(tiles.map(\.y)).count == 3)
  }

  @Test(arguments: [
    ("none", [["C"], ["C", "A"], ["C", "A"], ["C"]]),
    ("show_oldest", [["C"], ["C", "A"], ["C", "A"], ["C", "B"]]),
    ("show_newest", [["C"], ["C", "A"], ["C", "B"], ["C", "B"]]),
  ])
  func cellsAreReused(reuse: String, expected: [[String]]) throws {
    let policy = try everyone(3, rows: #", "max_columns": 2, "max_rows": 1, "reuse": "\#(reuse)""#)
    let allItems = items([("A", 2, 12), ("B", 5, 15), ("C", 0, 20)])
    #expect(try seen(policy, allItems, at: [1, 3, 6, 13]) == expected)
  }

  @Test func aCellIsFreeWhenItsSourceHasLeft() throws {
    let allItems = items([("A", 0, 5), ("B", 0, 20), ("C", 6, 20)])
    let policy = try everyone(3)
    #expect(try seen(policy, allItems, at: [1, 5, 7]) == [["A", "B"], ["B"], ["C", "B"]])
  }

  @Test func regionsCanOverlapAndShareSources() throws {
    let policy = try RegionLayout(
      json: """
        {"main": {"z_pos": 1, "video_sources": ["screen-*"]},
         "row": {"z_pos": 2, "x_pos": 10, "y_pos": 530, "width": 1260, "height": 160,
                 "max_rows": 1, "reuse": "show_newest",
                 "video_sources": ["*"], "video_sources_excluded": ["screen-*"]},
         "chess": {"z_pos": 0, "width": 1280, "height": 720, "max_columns": 3, "max_rows": 3,
                   "cells_excluded": [1, 3, 5, 7], "video_sources": ["cam-*"]}}
        """)
    let allItems = items([("cam-ada", 0, 9), ("screen-ada", 0, 9), ("cam-bob", 0, 9)])
    var engine = try LayoutEngine(policy: policy, canvas: landscape, allItems: allItems)
    let tiles = engine.place(allItems)
    #expect(tiles.map(\.zIndex) == [0, 0, 1, 2, 2])
    #expect(tiles.map(\.id) == [0, 2, 1, 0, 2])
    #expect(tiles.map(\.fit) == Array(repeating: .contain, count: 5))
  }

  @Test func regionsDetermineTheCanvasSize() throws {
    func resolution(_ regions: String) throws -> Size? {
      try LayoutFileParser.policy("{\(regions)}").resolution
    }
    let main = #""a": {"video_sources": ["*"], "width": 640, "height": 480}"#
    let side =
      #""b": {"video_sources": ["b"], "x_pos": 640, "y_pos": 100, "width": 321, "height": 90}"#
    #expect(try resolution(main) == Size(width: 640, height: 480))
    #expect(try resolution("\(main), \(side)") == Size(width: 962, height: 480))
    // A region that reaches the edge of any canvas leaves the size open.
    #expect(try resolution(#"\#(main), "c": {"video_sources": ["c"], "x_pos": 640}"#) == nil)
  }

  @Test func hisuiFilesAreRead() throws {
    let policy = try #require(
      try LayoutFileParser.policy(
        """
        {"audio_sources": ["archive-*.json"], "resolution": "1280x720", "frame_rate": 30,
         "video_codec": "VP9", "trim": false,
         "video_layout": {"pip": {"video_sources": ["archive-SCREEN*.json"], "x_pos": 960,
           "y_pos": 20, "width": 300, "height": 170, "z_pos": 10}}}
        """) as? RegionLayout)
    #expect(policy.resolution == landscape && policy.background == 0)
    #expect(policy.regions.map(\.z) == [10])
    #expect(policy.ignoredKeys == ["audio_sources", "frame_rate", "video_codec", "trim"])
  }

  @Test(arguments: [
    (
      #"{"#,
      "the layout file cannot be read: it is not JSON: in column 2, it ends too early."
    ),
    (#"{}"#, "the layout file cannot be read: it names no region."),
    (
      #"{"a": {}}"#,
      #"the layout file's "a.video_sources" is missing: add "video_sources: …" there."#
    ),
    (#"{"a": 1}"#, #"the layout file's "a" must be an object."#),
    (
      #"{"a": {"video_sources": "*"}}"#,
      #"the layout file's "a.video_sources" must be a list of texts."#
    ),
    (
      #"{"a": {"video_sources": ["*"], "x_pos": 1.5}}"#,
      #"the layout file's "a.x_pos" must be a whole number from 0 to 16384."#
    ),
    (
      #"{"a": {"video_sources": ["*"], "z_pos": 100}}"#,
      #"the layout file's "a.z_pos" must be a whole number from -99 to 99."#
    ),
    (
      #"{"a": {"video_sources": ["*"], "with": 640}}"#,
      #"the layout file's "a.with" is not a key of a layout file: did you mean "width"?"#
    ),
    (
      #"{"a": {"video_sources": ["*"], "reuse": "newest"}}"#,
      #"the layout file's "a.reuse" must be one of none, show_oldest, show_newest."#
    ),
    (
      #"{"a": {"video_sources": ["*"], "width": 640, "cell_width": 320}}"#,
      #"the layout file's "a.cell_width" cannot be combined with "width": remove one of them."#
    ),
    (
      #"{"a": {"video_sources": ["*"], "x_pos": 900, "width": 640}}"#,
      """
      the layout file's "a.width" reaches to pixel 1540 of a canvas of 1280: \
      move or shrink the region.
      """
    ),
    (
      #"{"a": {"video_sources": ["*"], "y_pos": 720}}"#,
      """
      the layout file's "a.y_pos" reaches to pixel 722 of a canvas of 720: \
      move or shrink the region.
      """
    ),
    (
      #"{"a": {"video_sources": ["*"], "cell_height": 800}}"#,
      """
      the layout file's "a.cell_height" reaches to pixel 800 of a canvas of 720: \
      move or shrink the region.
      """
    ),
    (
      #"{"a": {"video_sources": ["q*", "p1", "p4"]}}"#,
      #"the layout file's "a.video_sources" names "p4", which matches no participant: did you mean "p0"?"#
    ),
    (
      #"{"a": {"video_sources": ["somebody"]}}"#,
      #"the layout file's "a.video_sources" names "somebody", which matches no participant: there are p0, p1."#
    ),
    ("[1]", "the layout file cannot be read: it is not an object with keys."),
  ])
  func invalidLayoutFilesAreRefused(json: String, sentence: String) {
    let message = message {
      _ = try LayoutEngine(
        policy: try LayoutFileParser.policy(json), canvas: landscape, allItems: people(2))
    }
    #expect(message == sentence)
  }

  @Test(arguments: [
    ("*", "anything", true), ("student*", "student", true), ("student*", "studentTeam", true),
    ("student*", "a student", false), ("*-cam", "ada-cam", true), ("a*b*c", "a1b2c", true),
    ("a*b*c", "a1c2b", false), ("", "", true), ("", "a", false), ("*a*a*a*b", "aaaaaaaa", false),
  ])
  func patternsMatchAnyText(pattern: String, source: String, isShown: Bool) throws {
    let policy = RegionLayout(regions: [LayoutRegion(name: "a", sources: [pattern])])
    let item = LayoutItem(id: 0, sources: [source])
    #expect(frames(policy, landscape, [item]).isEmpty != isShown)
  }
}
