import TesseraLayout
import TestSupport
import Testing

@testable import TesseraCompositor
@testable import TesseraPixels

@Suite(.timed) struct TilePlanTests {
  /// Returns the plans of tiles with round corners and borders in `frames`.
  private static func plans(_ frames: [Rect]) -> [TilePlan] {
    let picture = Pictures.plain(PixelSize(width: 1280, height: 720), luma: 80)
    var cache = TilePlanCache(filter: .bicubic, kernels: PixelKernels())
    return frames.enumerated().map { index, frame in
      var tile = TilePlacement(item: index, frame: frame, fit: .cover)
      tile.cornerRadius = 12
      tile.border = TilePlacement.Border(width: 3, color: .white)
      let canvas = PixelSize(width: 1920, height: 1080)
      return cache.plan(TilePlan.Key(tile, canvas: canvas, picture: TilePlan.PictureShape(picture)))
    }
  }

  private static func count(_ objects: [AnyObject?]) -> Int {
    Set(objects.compactMap { $0 }.map(ObjectIdentifier.init)).count
  }

  @Test func tilesOfAGridShareTheirAxes() {
    let items = (0..<25).map { LayoutItem(id: $0, sources: [], aspectRatio: 16.0 / 9.0) }
    let context = LayoutContext(canvas: Size(width: 1920, height: 1080), gap: 6, items: items)
    let plans = Self.plans(GridLayout().prepare(context).attributes.map(\.frame))
    for plane in 0..<2 {
      #expect(Self.count(plans.map { $0.planes[plane].resample?.columns }) == 5)
      #expect(Self.count(plans.map { $0.planes[plane].resample?.rows }) == 5)
    }
  }

  @Test func tilesOfOneShapeShareTheirCoverage() {
    func count(_ frames: Rect...) -> Int {
      let plans = Self.plans(frames)
      return max(
        Self.count(plans.map { $0.planes.chroma.coverage }),
        Self.count(plans.map { $0.planes.chroma.border }))
    }
    let frame = Rect(x: 10, y: 20, width: 300, height: 200)
    #expect(count(frame, Rect(x: 710, y: 240, width: 300, height: 200)) == 1)
    // Half a chroma sample to the right, wider, and partly outside the canvas.
    #expect(count(frame, Rect(x: 711, y: 240, width: 300, height: 200)) == 2)
    #expect(count(frame, Rect(x: 710, y: 240, width: 302, height: 200)) == 2)
    #expect(count(frame, Rect(x: 1710, y: 240, width: 300, height: 200)) == 2)
  }
}
