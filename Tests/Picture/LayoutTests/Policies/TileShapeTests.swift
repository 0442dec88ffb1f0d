import TesseraLayout
import TestSupport
import Testing

/// The aspect ratios of a grid's tiles.
@Suite(.timed) struct TileShapeTests {
  private static let wide = 16.0 / 9
  private static let phone = 9.0 / 16

  private func tiles(
    _ ratios: [Double?], _ canvas: Size, fit: PictureFit = .auto, gap: Double = 0
  ) throws -> [LayoutAttributes] {
    var engine = try LayoutEngine(policy: GridLayout(), canvas: canvas, gap: gap, fit: fit)
    return engine.place(
      ratios.enumerated().map { LayoutItem(id: $0, sources: [], aspectRatio: $1) }
    ).sorted { $0.id < $1.id }
  }

  /// True if the picture fills the tile.
  private func isFilled(_ tile: LayoutAttributes) -> Bool { tile.coverage == 1 }

  @Test(arguments: [landscape, portrait, Size(width: 1000, height: 1000)], [0.0, 8])
  func wideCamerasFillTheirTiles(canvas: Size, gap: Double) throws {
    let sets: [[Double?]] = [
      [Self.wide], [Self.wide, 4.0 / 3], [Self.wide, 1], [Self.wide, nil],
    ]
    for ratios in sets {
      for count in 1...16 {
        let tiles = try tiles(
          (0..<count).map { ratios[$0 % ratios.count] }, canvas, gap: gap)
        #expect(tiles.allSatisfy { $0.aspectRatio == nil || isFilled($0) }, "\(ratios) \(count)")
        // On whole pixels, a side may differ by one.
        let (widths, heights) = (tiles.map(\.frame.width), tiles.map(\.frame.height))
        #expect((widths.max() ?? 0) - (widths.min() ?? 0) <= 1, "\(ratios) \(count)")
        #expect((heights.max() ?? 0) - (heights.min() ?? 0) <= 1, "\(ratios) \(count)")
      }
    }
  }

  @Test func twoWideCamerasAreCroppedByAThirdAndCentered() throws {
    #expect(
      try tiles([Self.wide, Self.wide], landscape).map(\.frame)
        == rects("(0,90,640,540) (640,90,640,540)"))
  }

  @Test func aPhoneAmongWideCamerasHasBars() throws {
    let tiles = try tiles([Self.wide, Self.phone, Self.wide, Self.wide], landscape)
    #expect(tiles.map(\.frame.size).allSatisfy { $0 == Size(width: 640, height: 360) })
    #expect(tiles.map(isFilled) == [true, false, true, true])
  }

  @Test func phonesFillPortraitTiles() throws {
    for count in 2...3 {
      let tiles = try tiles(Array(repeating: Self.phone, count: count), landscape)
      #expect(tiles.allSatisfy(isFilled))
      #expect(tiles.allSatisfy { $0.frame.height == 720 })
    }
    let alone = try #require(try tiles([Self.phone], landscape).first)
    #expect(alone.frame == landscape.bounds && alone.coverage == 0)
  }

  @Test func aSingleSquareCameraIsNotCropped() throws {
    let alone = try #require(try tiles([1], landscape).first)
    #expect(alone.frame == Rect(x: 280, y: 0, width: 720, height: 720) && isFilled(alone))
  }

  @Test func aWideCameraAmongPhonesIsCroppedToTheirAspectRatio() throws {
    let tiles = try tiles([Self.phone, Self.wide, Self.phone], landscape)
    #expect(tiles.allSatisfy(isFilled))
    #expect(Set(tiles.map(\.frame.height)) == [568] && Set(tiles.map(\.frame.y)) == [76])
  }

  @Test func theMajorityDecides() throws {
    for count in 2...9 {
      let ratios = [Self.phone] + Array(repeating: Self.wide, count: count)
      let tiles = try tiles(ratios, landscape)
      #expect(tiles.map(isFilled) == [false] + Array(repeating: true, count: count))
      #expect(tiles.allSatisfy { $0.frame.size.aspectRatio > 1.1 })
    }
  }

  @Test func tilesAreNearlySquareOnAPortraitCanvas() throws {
    #expect(
      try tiles([Self.wide, Self.wide], portrait).map(\.frame)
        == rects("(0,0,720,640) (0,640,720,640)"))
    for count in 4...12 {
      let tiles = try tiles(Array(repeating: Self.wide, count: count), portrait)
      for tile in tiles {
        #expect((0.56...1.78).contains(tile.frame.size.aspectRatio), "\(count)")
        #expect(isFilled(tile), "\(count)")
      }
    }
  }

  /// Rows are adjacent; the remaining space is above and below.
  @Test func rowsAreAdjacent() throws {
    let tiles = try tiles(Array(repeating: Self.wide, count: 13), landscape)
    let rows = Set(tiles.map(\.frame.y)).sorted()
    let bottoms = Set(tiles.map(\.frame.maxY)).sorted()
    #expect(rows.count == 3 && rows.dropFirst().elementsEqual(bottoms.dropLast()))
    #expect(rows[0] == 720 - bottoms[2] && rows[0] > 0)
  }

  @Test func otherFitsLeaveTheCellsUnchanged() throws {
    for fit in [PictureFit.contain, .cover, .blur] {
      let tiles = try tiles([1.5, 1.5, nil, nil], landscape, fit: fit)
      #expect(tiles.allSatisfy { $0.frame.size == Size(width: 640, height: 360) })
    }
    let cells = try tiles([1, 1], landscape, fit: .contain).map(\.frame.size)
    #expect(cells.allSatisfy { $0 == Size(width: 640, height: 720) })
  }
}
