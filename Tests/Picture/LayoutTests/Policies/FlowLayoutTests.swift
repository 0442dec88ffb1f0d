import TestSupport
import Testing

@testable import TesseraLayout

@Suite(.timed) struct FlowLayoutTests {
  private let view = Size(width: 375, height: 667)

  private func flow(_ size: Size, direction: LayoutAxis = .vertical) -> FlowLayout {
    FlowLayout(direction: direction, itemSize: .fixed(size))
  }

  @Test func oneItemPerLineIsCentered() {
    let actual = frames(flow(Size(width: 200, height: 200)), view, people(2))
    #expect(actual == rects("(87.5,0,200,200) (87.5,210,200,200)"))
  }

  @Test func fullLinesAreJustifiedAndTheLastKeepsTheirSpacing() {
    let actual = frames(flow(Size(width: 100, height: 50)), view, people(5))
    #expect(
      actual
        == rects(
          "(0,0,100,50) (137.5,0,100,50) (275,0,100,50) (0,60,100,50) (137.5,60,100,50)"))
  }

  @Test func anIncompleteLineIsAtTheLeft() {
    let actual = frames(flow(Size(width: 100, height: 50)), view, people(2))
    #expect(actual == rects("(0,0,100,50) (137.5,0,100,50)"))
  }

  @Test func horizontalFlowsRunToTheRight() {
    let actual = frames(
      flow(Size(width: 50, height: 100), direction: .horizontal), Size(width: 667, height: 375),
      people(4))
    #expect(
      actual == rects("(0,0,50,100) (0,137.5,50,100) (0,275,50,100) (60,0,50,100)"))
  }

  @Test func itemHeightsFollowTheirPictures() {
    let policy = FlowLayout(itemSize: .selfSizing(160), estimatedAspectRatio: 1)
    var items = people(2, aspectRatio: nil)
    #expect(frames(policy, Size(width: 330, height: 500), items).map(\.height) == [160, 160])
    items[1].aspectRatio = 2
    #expect(
      frames(policy, Size(width: 330, height: 500), items)
        == rects("(0,0,160,160) (170,40,160,80)"))
  }

  @Test func itemsFillTheCanvasWithoutAGivenSize() {
    let arrangement = FlowLayout().prepare(LayoutContext(canvas: landscape, items: people(6)))
    #expect(arrangement.contentSize.height <= 720)
    #expect(arrangement.attributes.allSatisfy { $0.frame.width > 400 })
    // Lines exceed the height of their pictures by at most the crop of `--fit auto`.
    #expect(
      agree(
        frames(FlowLayout(), landscape, people(2)),
        rects("(0,92.1,635,535.8) (645,92.1,635,535.8)"), within: 0.3))
  }

  @Test func fittedItemsAreCentered() {
    var items = people(2)
    items[1].aspectRatio = 9.0 / 16.0
    for direction in LayoutAxis.allCases {
      let frames = frames(FlowLayout(direction: direction), landscape, items)
      let (left, right) = (frames.map(\.x).min() ?? 0, frames.map(\.maxX).max() ?? 0)
      let (top, bottom) = (frames.map(\.y).min() ?? 0, frames.map(\.maxY).max() ?? 0)
      #expect(abs(left + right - 1280) < 1e-6 && abs(top + bottom - 720) < 1e-6)
    }
  }

  @Test(arguments: [0.3, 9.0 / 16, 0.9, 1.0, 1.7, 3.0], [0.0, 30])
  func aSinglePersonIsCentered(aspectRatio: Double, inset: Double) {
    let frame = frames(
      FlowLayout(inset: inset), landscape, people(1, aspectRatio: aspectRatio))[0]
    #expect(abs(frame.midX - 640) < 1e-6 && abs(frame.midY - 360) < 1e-6)
  }
}
