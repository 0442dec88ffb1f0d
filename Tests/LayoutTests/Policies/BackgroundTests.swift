import TesseraLayout
import TestSupport
import Testing

/// The share of the canvas that no picture covers, by layout, canvas, shapes and number of people.
@Suite("Background", .timed) struct BackgroundTests {
  static let canvases = [
    Size(width: 1920, height: 1080), Size(width: 1080, height: 1920),
    Size(width: 1080, height: 1080),
  ]
  private static let (wide, four, phone) = (16.0 / 9, 4.0 / 3, 9.0 / 16)
  static let casts: [(name: String, ratios: [Double], others: [Double])] = [
    ("wide", [], [wide]), ("4:3", [], [four]), ("square", [], [1]), ("phones", [], [phone]),
    ("one phone", [wide, phone], [wide]), ("two phones", [phone, wide, phone], [wide]),
    ("mixed", [], [wide, four, phone, 1]),
    ("more phones", [], [wide, wide, four, phone, phone, 1]),
  ]

  private typealias Cast = (name: String, ratios: [Double], others: [Double])

  private static func items(_ cast: Cast, _ count: Int)
    -> [LayoutItem]
  {
    (0..<count).map { index in
      let ratio =
        index < cast.ratios.count
        ? cast.ratios[index] : cast.others[(index - cast.ratios.count) % cast.others.count]
      return LayoutItem(id: index, aspectRatio: ratio)
    }
  }

  /// The share of `canvas` that stays background, and the most that is cropped of a picture.
  static func look(_ layout: String, _ items: [LayoutItem], _ canvas: Size, gap: Double = 0) throws
    -> (background: Double, crop: Double, frames: [Rect])
  {
    var engine = try LayoutEngine(
      policy: try LayoutCatalog.policy(layout), canvas: canvas, gap: gap, maximumTiles: 49)
    let tiles = engine.place(items).sorted { $0.id < $1.id }
    var (covered, crop) = (0.0, 0.0)
    for tile in tiles {
      guard let ratio = tile.aspectRatio else { continue }
      let place = Fit.Placement(
        aspectRatio: ratio, in: tile.displayFrame, coverage: tile.coverage ?? 0)
      covered += place.destination.size.area
      crop = max(crop, 1 - place.crop.width * place.crop.height)
    }
    return (1 - covered / canvas.area, crop, tiles.map(\.displayFrame))
  }

  @Test func print() throws {
    for layout in ["auto", "best-fit", "grid", "flow", "prominent"] {
      for canvas in Self.canvases {
        for cast in Self.casts {
          var row = "\(layout) \(Int(canvas.width))x\(Int(canvas.height)) \(cast.name):"
          for count in Array(1...9) + [12, 16, 25, 36, 49] {
            let found = try Self.look(layout, Self.items(cast, count), canvas)
            row += " \(count)=\(Int((found.background * 100).rounded()))"
            if found.crop > 0.34 { row += "/\(Int((found.crop * 100).rounded()))" }
          }
          Swift.print(row)
        }
      }
    }
  }
}
