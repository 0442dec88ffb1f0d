import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct BestFitLayoutTests {
  /// Canvas, options, and the boxes that opentok-layout-js 5 computes; with `big-first` the first
  /// item is big.
  static let table = """
    1280x720 - (0,0,1280,720)
    1280x720 - (0,0,640,720) (640,0,640,720)
    1280x720 - (0,40,426,640) (426,40,426,640) (852,40,426,640)
    1280x720 - (0,0,640,360) (640,0,640,360) (0,360,640,360) (640,360,640,360)
    1280x720 - (1,0,426,360) (427,0,426,360) (853,0,426,360) (214,360,426,360) \
      (640,360,426,360)
    1280x720 - (1,0,426,360) (427,0,426,360) (853,0,426,360) (1,360,426,360) (427,360,426,360) \
      (853,360,426,360)
    1280x720 - (0,0,320,360) (320,0,320,360) (640,0,320,360) (960,0,320,360) (160,360,320,360) \
      (480,360,320,360) (800,360,320,360)
    1280x720 - (0,0,320,360) (320,0,320,360) (640,0,320,360) (960,0,320,360) (0,360,320,360) \
      (320,360,320,360) (640,360,320,360) (960,360,320,360)
    1280x720 - (1,0,426,240) (427,0,426,240) (853,0,426,240) (1,240,426,240) (427,240,426,240) \
      (853,240,426,240) (1,480,426,240) (427,480,426,240) (853,480,426,240)
    720x1280 - (0,100,720,1080)
    720x1280 - (0,0,720,640) (0,640,720,640)
    720x1280 - (0,1,720,426) (0,427,720,426) (0,853,720,426)
    720x1280 - (0,100,360,540) (360,100,360,540) (0,640,360,540) (360,640,360,540)
    720x1280 - (0,0,360,426) (360,0,360,426) (0,426,360,426) (360,426,360,426) \
      (179.5,852,361,428)
    720x1280 - (0,1,360,426) (360,1,360,426) (0,427,360,426) (360,427,360,426) (0,853,360,426) \
      (360,853,360,426)
    720x1280 - (0,0,360,320) (360,0,360,320) (0,320,360,320) (360,320,360,320) (0,640,360,320) \
      (360,640,360,320) (180,960,360,320)
    720x1280 - (0,0,360,320) (360,0,360,320) (0,320,360,320) (360,320,360,320) (0,640,360,320) \
      (360,640,360,320) (0,960,360,320) (360,960,360,320)
    720x1280 - (0,0,360,256) (360,0,360,256) (0,256,360,256) (360,256,360,256) (0,512,360,256) \
      (360,512,360,256) (0,768,360,256) (360,768,360,256) (180,1024,360,256)
    640x480 - (0,0,640,480)
    640x480 - (0,0,320,480) (320,0,320,480)
    640x480 - (0,0,320,240) (320,0,320,240) (160,240,320,240)
    640x480 - (0,0,320,240) (320,0,320,240) (0,240,320,240) (320,240,320,240)
    640x480 - (0.5,0,213,240) (213.5,0,213,240) (426.5,0,213,240) (107,240,213,240) \
      (320,240,213,240)
    640x480 - (0.5,0,213,240) (213.5,0,213,240) (426.5,0,213,240) (0.5,240,213,240) \
      (213.5,240,213,240) (426.5,240,213,240)
    640x480 - (0,0,160,240) (160,0,160,240) (320,0,160,240) (480,0,160,240) (80,240,160,240) \
      (240,240,160,240) (400,240,160,240)
    640x480 - (0,0,160,240) (160,0,160,240) (320,0,160,240) (480,0,160,240) (0,240,160,240) \
      (160,240,160,240) (320,240,160,240) (480,240,160,240)
    640x480 - (0.5,0,213,160) (213.5,0,213,160) (426.5,0,213,160) (0.5,160,213,160) \
      (213.5,160,213,160) (426.5,160,213,160) (0.5,320,213,160) (213.5,320,213,160) \
      (426.5,320,213,160)
    1280x720 fixed=on (0,180,640,360) (640,180,640,360)
    1280x720 fixed=on (0,0,640,360) (640,0,640,360) (320,360,640,360)
    1280x720 fixed=on (213.33,0,426,240) (639.33,0,426,240) (213.33,240,426,240) \
      (639.33,240,426,240) (426.67,480,426,240)
    1280x720 fixed=on (0,0,426,240) (426,0,426,240) (852,0,426,240) (0,240,426,240) \
      (426,240,426,240) (852,240,426,240) (427,480,426,240)
    720x1280 fixed=on (0,235,720,405) (0,640,720,405)
    720x1280 fixed=on (0,32.5,720,405) (0,437.5,720,405) (0,842.5,720,405)
    720x1280 fixed=on (132.44,0,455,256) (132.44,256,455,256) (132.44,512,455,256) \
      (132.44,768,455,256) (132.44,1024,455,256)
    720x1280 fixed=on (0,134,360,202.5) (360,134,360,202.5) (0,336.5,360,202.5) \
      (360,336.5,360,202.5) (0,539,360,202.5) (360,539,360,202.5) (0.5,741.5,719,404.5)
    1280x720 big-first=on (0,0,1024,720) (1024,168,256,384)
    1280x720 big-first=off (256,0,1024,720) (0,168,256,384)
    1280x720 big-first=on (0,0,1024,720) (1024,0,256,360) (1024,360,256,360)
    1280x720 big-first=off (256,0,1024,720) (0,0,256,360) (0,360,256,360)
    1280x720 big-first=on (0,0,1024,720) (1024,0,256,180) (1024,180,256,180) \
      (1024,360,256,180) (1024,540,256,180)
    1280x720 big-first=off (256,0,1024,720) (0,0,256,180) (0,180,256,180) (0,360,256,180) \
      (0,540,256,180)
    720x1280 big-first=on (0,0,720,1024) (132.44,1024,455.11,256)
    720x1280 big-first=off (0,256,720,1024) (132.44,0,455.11,256)
    720x1280 big-first=on (0,0,720,1024) (0,1024,360,256) (360,1024,360,256)
    720x1280 big-first=off (0,256,720,1024) (0,0,360,256) (360,0,360,256)
    720x1280 big-first=on (0,0,720,1024) (0,1024,180,256) (180,1024,180,256) \
      (360,1024,180,256) (540,1024,180,256)
    720x1280 big-first=off (0,256,720,1024) (0,0,180,256) (180,0,180,256) (360,0,180,256) \
      (540,0,180,256)
    1280x720 align=start (0,0,426,360) (426,0,426,360) (852,0,426,360) (0,360,426,360) \
      (426,360,426,360)
    1280x720 align=center (1,0,426,360) (427,0,426,360) (853,0,426,360) (214,360,426,360) \
      (640,360,426,360)
    1280x720 align=end (2,0,426,360) (428,0,426,360) (854,0,426,360) (428,360,426,360) \
      (854,360,426,360)
    1280x720 scale-last-row=off (1,0,426,360) (427,0,426,360) (853,0,426,360) \
      (214,360,426,360) (640,360,426,360)
    1280x720 even-rows=off (1,0,426,360) (427,0,426,360) (853,0,426,360) (214,360,426,360) \
      (640,360,426,360)
    """.split(separator: "\n")

  /// Returns the layout with `options`, which packs like opentok-layout-js, also without options.
  private static func original(_ options: String = "") throws -> BestFitLayout {
    let policy = try LayoutCatalog.policy("best-fit\(options)")
    var layout = try #require(policy as? BestFitLayout)
    #expect(layout.fills == (layout == BestFitLayout()))
    layout.fills = false
    return layout
  }

  @Test(arguments: table) func packingMatchesTheOriginal(row: Substring) throws {
    let fields = row.split(separator: " ", maxSplits: 2)
    let sides = fields[0].split(separator: "x").compactMap { Double($0) }
    let options = fields[1] == "-" ? "" : ":\(fields[1])"
    let expected = rects(String(fields[2]))
    let isUnknown = !options.hasPrefix(":fixed") && !options.hasPrefix(":big")
    var items = people(expected.count, aspectRatio: isUnknown ? nil : 16.0 / 9.0)
    items[0].isFocused = options.hasPrefix(":big")
    let actual = frames(
      try Self.original(options), Size(width: sides[0], height: sides[1]), items)
    #expect(isLikeTheOriginal(actual, expected), "\(actual)")
  }

  /// Canvas, options, the number of big items, and the boxes that opentok-layout-js 5.5 computes
  /// for items of 16:9.
  static let bigTable = """
    1280x720 min-big=0.3 1 (0,0,1024,720) (1024,0,256,360) (1024,360,256,360)
    1280x720 min-big=0.6 2 (0,0,512,720) (512,0,512,720) (1024,0,256,240) (1024,240,256,240) \
      (1024,480,256,240)
    720x1280 min-big=0.3 1 (0,0,720,1024) (0,1024,360,256) (360,1024,360,256)
    720x1280 min-big=0.5,big-fixed=on 1 (0,117.5,720,405) (0,640,360,320) (360,640,360,320) \
      (180,960,360,320)
    1280x720 min-big=0.5,fixed=on,big-fixed=on 1 (0,72,1024,576) (1024,144,256,144) \
      (1024,288,256,144) (1024,432,256,144)
    1280x720 big-fixed=on 2 (192,0,640,360) (192,360,640,360) (1024,168,256,384)
    1280x720 big-min-ratio=1,big-max-ratio=1 1 (152,0,720,720) (1024,0,256,360) \
      (1024,360,256,360)
    1280x720 big-align=start,big-fixed=on 1 (0,0,1024,576) (1024,168,256,384)
    1280x720 big-first=off,small-align=end 1 (256,0,1024,720) (0,336,256,384)
    1280x720 big-first=column 1 (0,0,1024,720) (1024,0,256,360) (1024,360,256,360)
    1280x720 big-first=row 1 (256,0,1024,720) (0,0,256,360) (0,360,256,360)
    720x1280 big-first=column 1 (0,256,720,1024) (0,0,360,256) (360,0,360,256)
    720x1280 big-first=row 1 (0,0,720,1024) (0,1024,360,256) (360,1024,360,256)
    1280x720 big=0.6,big-scale-last-row=off 3 (0,0,384,360) (384,0,384,360) (192,360,384,360) \
      (768,0,512,360) (768,360,512,360)
    1280x720 big=0.6 3 (0,0,384,360) (384,0,384,360) (192,360,384,360) (768,0,512,360) \
      (768,360,512,360)
    1280x720 big-max-width=500,big-max-height=400 1 (262,160,500,400) (1024,0,256,360) \
      (1024,360,256,360)
    1280x720 small-max-width=200,small-max-height=150 1 (0,0,1024,720) (1052,210,200,150) \
      (1052,360,200,150)
    1280x720 max-width=300,max-height=200 0 (190,160,300,200) (490,160,300,200) \
      (790,160,300,200) (340,360,300,200) (640,360,300,200)
    1280x720 min-big=0.4,small-max-width=200,small-max-height=150 1 (0,0,1080,720) \
      (1080,210,200,150) (1080,360,200,150)
    1280x720 big-align=end 2 (0,0,640,720) (640,0,640,720)
    """.split(separator: "\n")

  @Test(arguments: bigTable) func bigItemsArePackedLikeTheOriginal(row: Substring) throws {
    let fields = row.split(separator: " ", maxSplits: 3)
    let sides = fields[0].split(separator: "x").compactMap { Double($0) }
    let big = try #require(Int(fields[2]))
    let expected = rects(String(fields[3]))
    var items = people(expected.count)
    for index in 0..<big { items[index].isFocused = true }
    let actual = frames(
      try LayoutCatalog.policy("best-fit:\(fields[1])"), Size(width: sides[0], height: sides[1]),
      items)
    #expect(agree(actual, expected, within: 0.005), "\(actual)")
  }

  @Test(arguments: [1, 2, 3, 5, 7, 8, 13]) func noTileExceedsTheMaximumSize(count: Int) throws {
    for options in ["max-width=150", "max-height=90", "max-width=200,max-height=300,fixed=on"] {
      let policy = try LayoutCatalog.policy("best-fit:\(options)")
      let limit = try #require((policy as? BestFitLayout)?.packing.maximum)
      for frame in frames(policy, landscape, people(count)) {
        #expect(frame.width <= limit.width + 1e-9 && frame.height <= limit.height + 1e-9)
      }
    }
  }

  @Test func fixedAspectRatiosAreKept() throws {
    let ratios = [640.0 / 480.0, 720.0 / 1280.0, 1280.0 / 720.0]
    let items = ratios.enumerated().map { LayoutItem(id: $0, aspectRatio: $1) }
    let actual = frames(try LayoutCatalog.policy("best-fit:fixed=on"), landscape, items)
    let expected = rects("(298.75,0,480,360) (778.75,0,202,360) (320,360,640,360)")
    #expect(isLikeTheOriginal(actual, expected), "\(actual)")
  }

  @Test(arguments: [13, 16, 17, 19, 23], [(1280, 720), (1920, 1080), (640, 480), (1080, 1920)])
  func rowsAreCentered(count: Int, size: (Int, Int)) throws {
    let canvas = Size(width: Double(size.0), height: Double(size.1))
    let tiles = frames(try Self.original(), canvas, people(count), gap: 4)
    for y in Set(tiles.map(\.y)) {
      let row = tiles.filter { $0.y == y }
      let (start, end) = (row.map(\.x).min() ?? 0, row.map(\.maxX).max() ?? 0)
      #expect(abs(start - (canvas.width - end)) < 1e-6)
    }
  }
}

/// True if the tiles have the original's sizes and rows, and its columns except for a rounding
/// pixel, which is on both sides of a row here.
private func isLikeTheOriginal(_ actual: [Rect], _ expected: [Rect]) -> Bool {
  func atTheEdge(_ frames: [Rect]) -> [Rect] {
    frames.map { Rect(x: 0, y: $0.y, width: $0.width, height: $0.height) }
  }
  return agree(actual, expected, within: 1)
    && agree(atTheEdge(actual), atTheEdge(expected), within: 0.005)
}
