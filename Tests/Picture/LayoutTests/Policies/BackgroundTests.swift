import TesseraLayout
import TestSupport
import Testing

/// The share of the canvas without pictures, by layout, canvas, aspect ratios and number of people.
@Suite("Background", .timed) struct BackgroundTests {
  private static let lying = Size(width: 1920, height: 1080)
  private static let upright = Size(width: 1080, height: 1920)
  private static let square = Size(width: 1080, height: 1080)
  private static let (wide, four, phone) = (16.0 / 9, 4.0 / 3, 9.0 / 16)

  /// Aspect ratios of pictures: those of the first people, and the repeated ones of the others.
  private static let casts: [(name: String, first: [Double], others: [Double])] = [
    ("wide", [], [wide]), ("4:3", [], [four]), ("square", [], [1]), ("phones", [], [phone]),
    ("one phone", [wide, phone], [wide]), ("two phones", [phone, wide, phone], [wide]),
    ("mixed", [], [wide, four, phone, 1]),
    ("many phones", [], [wide, wide, four, phone, phone, 1]),
  ]
  private static let counts = Array(1...12) + [16, 25, 36, 49]

  private static func items(_ allItems: Int, _ count: Int) -> [LayoutItem] {
    let (_, first, others) = casts[allItems]
    return (0..<count).map { index in
      LayoutItem(
        id: index,
        aspectRatio: index < first.count
          ? first[index] : others[(index - first.count) % others.count])
    }
  }

  /// Returns the background's share of `canvas`, the maximum crop of a picture, and the tiles.
  private static func look(
    _ layout: String, _ items: [LayoutItem], _ canvas: Size
  ) throws -> (background: Double, crop: Double, frames: [Rect]) {
    var engine = try LayoutEngine(
      policy: try LayoutCatalog.policy(layout), canvas: canvas, maximumTiles: 49)
    let tiles = engine.place(items).sorted { $0.id < $1.id }
    var (covered, crop) = (0.0, 0.0)
    for tile in tiles {
      let ratio = try #require(tile.aspectRatio)
      let place = PictureFit.Placement(
        aspectRatio: ratio, in: tile.displayFrame, coverage: try #require(tile.coverage))
      covered += place.destination.size.area
      crop = max(crop, 1 - place.crop.width * place.crop.height)
    }
    return (1 - covered / canvas.area, crop, tiles.map(\.displayFrame))
  }

  /// Canvas, cast and number of people that leave more than 8 % background, with the percentage:
  /// less would crop a picture by more than a third, or beyond 3:4 on a portrait canvas.
  private static let exceptions = [
    "1920x1080 square 1": 44, "1920x1080 phones 1": 68, "1920x1080 two phones 1": 68,
    "1920x1080 wide 2": 25, "1920x1080 mixed 2": 14, "1920x1080 many phones 2": 25,
    "1920x1080 two phones 3": 8, "1080x1920 phones 2": 25, "1080x1080 square 2": 25,
    "1080x1080 one phone 2": 11, "1080x1080 two phones 2": 11,
  ]

  @Test("Rows and columns leave at most 8 %", arguments: ["auto", "best-fit"])
  func rowsAndColumns(layout: String) throws {
    var found: [String: Int] = [:]
    for canvas in [Self.lying, Self.upright, Self.square] {
      for allItems in Self.casts.indices {
        for count in Self.counts where layout == "auto" || count < 10 {
          let (background, crop, frames) = try Self.look(
            layout, Self.items(allItems, count), canvas)
          let name =
            "\(Int(canvas.width))x\(Int(canvas.height)) \(Self.casts[allItems].name) \(count)"
          if background > 0.08 { found[name] = Int((background * 100).rounded()) }
          #expect(crop <= (canvas == Self.lying ? 0.34 : count == 1 ? 0.69 : 0.585), "\(name)")
          let areas = frames.map(\.size.area)
          let ratio = try #require(areas.max()) / #require(areas.min())
          #expect(ratio < 9, "\(name): \(ratio)")
        }
      }
    }
    #expect(found == Self.exceptions, "\(found)")
  }

  @Test("A grid's tiles are equal on portrait canvases too, and leave the empty cells and 3 %")
  func grid() throws {
    for canvas in [Self.upright, Self.square] {
      for allItems in Self.casts.indices {
        for count in Self.counts {
          let look = try Self.look("grid", Self.items(allItems, count), canvas)
          let rows = Dictionary(grouping: look.frames, by: \.y).values.map(\.count)
          let cells = rows.count * (rows.max() ?? 1)
          let empty = Double(cells - count) / Double(cells)
          let name = "\(canvas) \(Self.casts[allItems].name) \(count): \(rows)"
          #expect(look.background <= empty + 0.03, "\(name)")
          #expect(cells - count < (rows.max() ?? 1), "\(name)")
          for side in [\Rect.width, \Rect.height] {
            let lengths = look.frames.map { $0[keyPath: side] }
            #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1, "\(name)")
          }
          guard canvas == Self.upright, allItems == 0, [4, 5].contains(count) else { continue }
          #expect(rows.sorted() == (count == 4 ? [2, 2] : [1, 2, 2]), "\(name)")
        }
      }
    }
  }

  /// The layout, the canvas, and the percentage of background with one to five wide cameras.
  private static let table: [(String, Size, [Int])] = [
    ("flow", lying, [0, 26, 26, 2, 18]), ("flow", upright, [0, 5, 1, 23, 39]),
    ("flow", square, [0, 13, 38, 17, 19]), ("prominent", lying, [0, 54, 45, 45, 45]),
    ("prominent", upright, [0, 38, 26, 26, 26]), ("prominent", square, [0, 39, 26, 26, 26]),
  ]

  @Test("Flows and carousels are scaled to the canvas", arguments: table.indices)
  func scaled(row: Int) throws {
    let (layout, canvas, expected) = Self.table[row]
    let found = try (1...expected.count).map { count in
      let look = try Self.look(layout, Self.items(0, count), canvas)
      return Int((look.background * 100).rounded())
    }
    #expect(found == expected, "\(layout) \(canvas): \(found)")
  }

  @Test("The small tile of `pip` is a quarter as wide as the canvas, with equal margins")
  func inset() throws {
    for canvas in [Self.lying, Self.upright, Self.square] {
      let small = try #require(try Self.look("pip", Self.items(0, 2), canvas).frames.last)
      #expect((0.24...0.28).contains(small.width / canvas.width))
      #expect(abs(canvas.width - small.maxX - small.y) <= 1)
    }
  }
}
