import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct GridLayoutTests {
  @Test(arguments: zip(1...9, [1, 2, 2, 2, 3, 3, 3, 3, 3]))
  func columnsForLandscape(count: Int, columns: Int) {
    #expect(columnsUsed(landscape, people(count)) == columns)
  }

  @Test(arguments: zip(1...9, [1, 1, 1, 2, 2, 2, 2, 2, 3]))
  func columnsForPortrait(count: Int, columns: Int) {
    #expect(columnsUsed(portrait, people(count)) == columns)
  }

  /// Of two grids of wide cameras, the grid with more visible picture area is chosen.
  @Test(arguments: [landscape, portrait, Size(width: 1000, height: 1000)])
  func noOtherNumberOfColumnsShowsMore(size: Size) {
    for count in 1...30 {
      func area(_ columns: Int?) -> Double {
        frames(GridLayout(columns: columns), size, people(count)).reduce(0) { $0 + $1.size.area }
      }
      // A crop makes faces larger, so it may cost a part of the area.
      let most = (1...count).map(area).max() ?? 0
      #expect(area(nil) >= most * 0.65, "\(count)")
    }
  }

  @Test func theLastRowIsCentered() {
    #expect(
      frames(GridLayout(), Size(width: 1200, height: 600), people(5))
        == rects(
          """
          (0,0,400,300) (400,0,400,300) (800,0,400,300) (200,300,400,300) (600,300,400,300)
          """))
  }

  @Test func portraitPicturesAreSideBySide() {
    #expect(columnsUsed(landscape, people(3, aspectRatio: 9.0 / 16.0)) == 3)
  }

  @Test func theGapIsBetweenNeighborsAndAtTheEdge() {
    let tiles = frames(GridLayout(), Size(width: 1290, height: 730), people(4), gap: 10)
    #expect(
      tiles == rects("(10,10,630,350) (650,10,630,350) (10,370,630,350) (650,370,630,350)"))
  }

  @Test func columnsCanBeGiven() throws {
    let policy = try LayoutCatalog.policy("grid:columns=5")
    #expect(Set(frames(policy, landscape, people(7)).prefix(5).map(\.y)).count == 1)
  }

  private func columnsUsed(_ size: Size, _ items: [LayoutItem]) -> Int {
    let tiles = frames(GridLayout(), size, items)
    return tiles.count { $0.y == tiles[0].y }
  }
}
