import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct CoverageTests {
  private static let size = PixelSize(width: 32, height: 24)
  private static let black = Color.black.canvasSample
  private static let blue = Color(rgb: 0x0000ff)

  private static func compose(_ tiles: [TilePlacement], _ contents: [TileContent]) -> Snapshot {
    var compositor = Compositor()
    return compositor.snapshot(
      Scene(size: size, background: .black, tiles: tiles), contents)
  }

  @Test func lumaCoversTheRoundedRectangle() {
    let tile = TilePlacement(item: 0, frame: Rect(x: 2.5, y: 3.4, width: 10, height: 5.2))
    let canvas = Self.compose([tile], [.fill(.white)])
    for y in 0..<24 {
      for x in 0..<32 {
        let isInside = (3..<13).contains(x) && (3..<9).contains(y)
        #expect(canvas.luma(x, y) == (isInside ? 235 : 16), "at (\(x), \(y))")
      }
    }
  }

  @Test func adjacentTilesHaveNoGapAndNoOverlap() {
    let tiles = (0..<3).map { item in
      TilePlacement(
        item: item, frame: Rect(x: 32 / 3 * Double(item), y: 0, width: 32 / 3, height: 24))
    }
    let colors = [Color.white, Self.blue, Color(rgb: 0xff0000)]
    let canvas = Self.compose(tiles, colors.map { .fill($0) })
    let columns = (0..<32).map { canvas.luma($0, 12) }
    let lumas = colors.map(\.canvasSample.luma)
    #expect(
      columns
        == [11, 10, 11].indices.flatMap { index in
          Array(repeating: lumas[index], count: [11, 10, 11][index])
        })
  }

  @Test(arguments: [(1, 1), (1, 2), (2, 1), (2, 2)])
  func chromaIsCoveredByQuarters(width: Int, height: Int) {
    // The first chroma sample shares `width` by `height` luma samples with the tile.
    let tile = TilePlacement(
      item: 0,
      frame: Rect(x: Double(2 - width), y: Double(2 - height), width: 20, height: 20))
    let canvas = Self.compose([tile], [.fill(Self.blue)])
    let sample = Self.blue.canvasSample
    let quarters = width * height
    func mixed(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8((Int(from) * (4 - quarters) + Int(to) * quarters + 2) / 4)
    }
    #expect(canvas.blue(0, 0) == mixed(Self.black.blue, sample.blue))
    #expect(canvas.red(0, 0) == mixed(Self.black.red, sample.red))
    #expect(canvas.blue(3, 3) == sample.blue)
  }

  @Test func alphaMixesTheWholeTile() {
    var tile = TilePlacement(item: 0, frame: Rect(x: 4, y: 4, width: 8, height: 8))
    tile.alpha = 0.5
    let canvas = Self.compose([tile], [.fill(.white)])
    #expect(canvas.luma(6, 6) == 126)
    #expect(canvas.luma(3, 6) == 16)
  }

  /// Over the bare background, a tile is faded in place; over another tile, the tiles are mixed.
  @Test(arguments: [(0.1, 0.0), (0.5, 7), (0.9, 3.5), (1, 30)])
  func theBackgroundActsLikeATileOfItsColor(alpha: Double, radius: Double) {
    var tile = TilePlacement(item: 0, frame: Rect(x: 3, y: 4, width: 21, height: 15))
    tile.alpha = alpha
    tile.cornerRadius = radius
    tile.border = TilePlacement.Border(width: 1.5, color: .white)
    let below = TilePlacement(item: 1, frame: Rect(x: 0, y: 0, width: 32, height: 24))
    let alone = Self.compose([tile], [.fill(Self.blue)])
    let over = Self.compose([below, tile], [.fill(Self.blue), .fill(.black)])
    #expect(alone == over)
  }

  @Test func transparentTileIsNotDrawn() {
    var tile = TilePlacement(item: 0, frame: Rect(x: 4, y: 4, width: 8, height: 8))
    tile.alpha = 0
    #expect(Self.compose([tile], [.fill(.white)]) == Self.compose([], []))
  }

  @Test func cornersAreRoundAndSymmetric() {
    var tile = TilePlacement(item: 0, frame: Rect(x: 4, y: 2, width: 20, height: 18))
    tile.cornerRadius = 6
    let canvas = Self.compose([tile], [.fill(.white)])
    #expect(canvas.luma(4, 2) == 16)
    #expect(canvas.luma(10, 2) == 235)
    #expect(canvas.luma(4, 8) == 235)
    for y in 0..<18 {
      for x in 0..<20 {
        #expect(canvas.luma(4 + x, 2 + y) == canvas.luma(23 - x, 2 + y))
        #expect(canvas.luma(4 + x, 2 + y) == canvas.luma(4 + x, 19 - y))
      }
    }
    // A circle's corner leaves (1 - pi/4) r² of its square uncovered.
    var uncovered = 0.0
    for y in 2..<20 { for x in 4..<24 { uncovered += Double(235 - canvas.luma(x, y)) / 219 } }
    #expect(abs(uncovered - 4 * (1 - .pi / 4) * 36) < 1)
  }

  @Test func theBorderIsInsideTheEdge() {
    var tile = TilePlacement(item: 0, frame: Rect(x: 4, y: 4, width: 12, height: 10))
    tile.border = TilePlacement.Border(width: 2, color: .white)
    let canvas = Self.compose([tile], [.fill(Self.blue)])
    for y in 0..<24 {
      for x in 0..<32 {
        let isTile = (4..<16).contains(x) && (4..<14).contains(y)
        let isInner = (6..<14).contains(x) && (6..<12).contains(y)
        let luma = isInner ? Self.blue.canvasSample.luma : isTile ? 235 : 16
        #expect(canvas.luma(x, y) == luma, "at (\(x), \(y))")
      }
    }
  }

  @Test func spritesAreClippedToTheTile() {
    let image = Image(.gray8, size: PixelSize(width: 6, height: 4))
    for y in 0..<4 { for x in 0..<6 { image[plane: 0][x, y] = 255 } }
    var tile = TilePlacement(item: 0, frame: Rect(x: 4, y: 4, width: 12, height: 10))
    tile.sprites = [SpritePlacement(image, in: .white, x: 9, y: -2)]
    let canvas = Self.compose([tile], [.fill(Self.blue)])
    for y in 0..<24 {
      for x in 0..<32 {
        let isTile = (4..<16).contains(x) && (4..<14).contains(y)
        let isLabel = isTile && (13..<19).contains(x) && (2..<6).contains(y)
        let luma = isLabel ? 235 : isTile ? Self.blue.canvasSample.luma : 16
        #expect(canvas.luma(x, y) == luma, "at (\(x), \(y))")
      }
    }
  }

  @Test func spritesCoverAreasBesideThePicture() {
    let image = Image(.gray8, size: PixelSize(width: 4, height: 4))
    for y in 0..<4 { for x in 0..<4 { image[plane: 0][x, y] = 255 } }
    var tile = TilePlacement(
      item: 0, frame: Rect(x: 0, y: 0, width: 32, height: 8), fit: .contain)
    tile.sprites = [SpritePlacement(image, in: .white, x: 10, y: 2)]
    let square = Pictures.plain(PixelSize(width: 8, height: 8), luma: 100)
    let canvas = Self.compose([tile], [.picture(square)])
    // The picture covers columns 12..<20.
    let columns = (8..<22).map { canvas.luma($0, 4) }
    #expect(columns == [16, 16, 235, 235, 235, 235, 100, 100, 100, 100, 100, 100, 16, 16])
  }

  @Test func greaterIndexesAreInFront() {
    var tiles = (0..<2).map { item in
      TilePlacement(item: item, frame: Rect(x: 4 * Double(item), y: 0, width: 8, height: 8))
    }
    let contents = [TileContent.fill(.white), .fill(Self.blue)]
    #expect(Self.compose(tiles, contents).luma(5, 4) == Self.blue.canvasSample.luma)
    tiles[0].zIndex = 1
    #expect(Self.compose(tiles, contents).luma(5, 4) == 235)
  }

  @Test func scaleKeepsTheCenter() {
    var tile = TilePlacement(item: 0, frame: Rect(x: 4, y: 4, width: 16, height: 16))
    tile.scale = 0.5
    let canvas = Self.compose([tile], [.fill(.white)])
    #expect((0..<32).filter { canvas.luma($0, 12) == 235 } == Array(8..<16))
    #expect((0..<24).filter { canvas.luma(12, $0) == 235 } == Array(8..<16))
  }
}
