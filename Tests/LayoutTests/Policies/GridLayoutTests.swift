import TesseraLayout
import Testing

@Suite struct GridLayoutTests {
  @Test(arguments: zip(1...9, [1, 2, 2, 2, 3, 3, 3, 3, 3]))
  func choosesColumnsForLandscape(count: Int, columns: Int) {
    #expect(columnsUsed(landscape, people(count)) == columns)
  }

  @Test(arguments: zip(1...9, [1, 1, 1, 1, 1, 1, 2, 2, 2]))
  func choosesColumnsForPortrait(count: Int, columns: Int) {
    #expect(columnsUsed(portrait, people(count)) == columns)
  }

  /// With widescreen pictures only, the rule is: the largest 16:9 picture in a cell, then fewer empty
  /// cells, then more columns.
  @Test(arguments: [landscape, portrait, Size(width: 1000, height: 1000)])
  func followsTheWidescreenRule(size: Size) {
    for count in 1...60 {
      let best = (1...count).max { a, b in rank(a, count, size) < rank(b, count, size) }
      #expect(columnsUsed(size, people(count)) == best)
    }
  }

  /// What a number of columns is worth: whole hundredths of a pixel, so that equal areas are equal.
  private func rank(_ columns: Int, _ count: Int, _ size: Size) -> (Int, Int, Int) {
    let rows = (count + columns - 1) / columns
    let (width, height) = (size.width / Double(columns), size.height / Double(rows))
    let picture = min(width, height * 16 / 9)
    return (Int((picture * 100).rounded()), -(columns * rows - count), columns)
  }

  @Test func centresTheLastRow() {
    #expect(
      frames(GridLayout(), Size(width: 1200, height: 600), people(5))
        == rects(
          """
          (0,0,400,300) (400,0,400,300) (800,0,400,300) (200,300,400,300) (600,300,400,300)
          """))
  }

  @Test func portraitPicturesStandSideBySide() {
    #expect(columnsUsed(landscape, people(3, aspectRatio: 9.0 / 16.0)) == 3)
  }

  @Test func keepsTheGapBetweenNeighboursAndToTheEdge() {
    let tiles = frames(GridLayout(), Size(width: 1290, height: 730), people(4), gap: 10)
    #expect(
      tiles == rects("(10,10,630,350) (650,10,630,350) (10,370,630,350) (650,370,630,350)"))
  }

  @Test func columnsCanBeGiven() throws {
    let policy = try LayoutCatalog.policy("grid:columns=5")
    #expect(Set(frames(policy, landscape, people(7)).prefix(5).map(\.y)) == [0])
  }

  private func columnsUsed(_ size: Size, _ items: [LayoutItem]) -> Int {
    let tiles = frames(GridLayout(), size, items)
    return tiles.count { $0.y == tiles[0].y }
  }
}
