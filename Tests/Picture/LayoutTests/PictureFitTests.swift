import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct PictureFitTests {
  private let tile = Rect(x: 10, y: 20, width: 400, height: 400)
  private let whole = Rect(x: 0, y: 0, width: 1, height: 1)

  @Test func containShowsTheWholePicture() {
    let placement = PictureFit.contain.place(aspectRatio: 2, in: tile)
    #expect(placement.destination == Rect(x: 10, y: 120, width: 400, height: 200))
    #expect(placement.crop == whole)
  }

  @Test func coverFillsTheWholeTile() {
    let placement = PictureFit.cover.place(aspectRatio: 0.5, in: tile)
    #expect(placement.destination == tile)
    #expect(placement.crop == Rect(x: 0, y: 0.5 / 3, width: 1, height: 0.5))
  }

  @Test func aCropFollowsTheFocusUpToThePicturesEdge() {
    func crop(_ x: Double, _ y: Double, aspectRatio: Double = 0.5) -> Rect {
      PictureFit.cover.place(aspectRatio: aspectRatio, in: tile, focus: Framing(Point(x: x, y: y)))
        .crop
    }
    #expect(crop(0.1, 0.5) == Rect(x: 0, y: 0.25, width: 1, height: 0.5))
    #expect(crop(0.5, 0.4).y == 0.15000000000000002)
    #expect(crop(0.5, 0.1).y == 0)
    #expect(crop(0.5, 2).y == 0.5)
    #expect(crop(1, 0.5, aspectRatio: 2) == Rect(x: 0.5, y: 0, width: 0.5, height: 1))
  }

  @Test func blurShowsTheWholePicture() {
    #expect(
      PictureFit.blur.place(aspectRatio: 2, in: tile)
        == PictureFit.contain.place(aspectRatio: 2, in: tile))
  }

  @Test(arguments: [1.0, 1.2, 1.5, 0.8, 1.0 / 1.5])
  func autoFillsTheTileByCroppingUpToAThird(aspectRatio: Double) {
    #expect(PictureFit.auto.coverage(aspectRatio: aspectRatio, in: tile.size) == 1)
  }

  @Test(arguments: [1.51, 16.0 / 9, 2.4, 10])
  func autoCropsASixthOnEachSide(aspectRatio: Double) {
    let placement = PictureFit.auto.place(aspectRatio: aspectRatio, in: tile)
    #expect(abs(placement.crop.x - 1.0 / 6) < 1e-9 && abs(placement.crop.width - 2.0 / 3) < 1e-9)
    #expect(placement.crop.y == 0 && placement.crop.height == 1)
    #expect(placement.destination.width == tile.width)
    #expect(placement.destination.height < tile.height)
  }

  @Test(arguments: [0.66, 9.0 / 16, 0.2])
  func autoShowsAllOfATallPicture(aspectRatio: Double) {
    let placement = PictureFit.auto.place(aspectRatio: aspectRatio, in: tile)
    #expect(placement.crop == whole)
    #expect(placement.destination.height == tile.height)
  }

  /// A narrowing tile never makes a wide picture jump.
  @Test func autoShrinksWidePicturesEvenly() {
    let heights = stride(from: 400.0, to: 100, by: -1).map {
      PictureFit.auto.place(aspectRatio: 16 / 9, in: Rect(x: 0, y: 0, width: $0, height: 300))
        .destination.height
    }
    #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 1 })
  }

  @Test(arguments: [0.3, 0.8, 1.0, 1.7, 4.0], [0, 0.25, 0.5, 1.0])
  func theAspectRatioIsKept(aspectRatio: Double, coverage: Double) {
    let placement = PictureFit.Placement(aspectRatio: aspectRatio, in: tile, coverage: coverage)
    let shown = aspectRatio * placement.crop.width / placement.crop.height
    #expect(abs(placement.destination.size.aspectRatio - shown) < 1e-9)
    #expect(tile.intersects(placement.destination))
    #expect(placement.destination.width <= 400.001 && placement.destination.height <= 400.001)
  }

  @Test func invalidAspectRatiosFillTheTile() {
    #expect(PictureFit.auto.place(aspectRatio: 0, in: tile).destination == tile)
  }
}
