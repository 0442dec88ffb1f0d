import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct LayoutArrangementTests {
  @Test(arguments: 0..<30) func queriesMatchALinearSearch(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let content =
      seed.isMultiple(of: 2) ? Size(width: 300, height: 5000) : Size(width: 5000, height: 300)
    func number(_ limit: Double) -> Double { Double.random(in: 0...limit, using: &random) }
    let attributes = (0..<200).map { id in
      LayoutAttributes(
        id: id,
        frame: Rect(
          x: number(content.width), y: number(content.height), width: number(120),
          height: number(400)))
    }
    let arrangement = LayoutArrangement(contentSize: content, attributes: attributes)
    for _ in 0..<50 {
      let rect = Rect(
        x: number(content.width), y: number(content.height), width: number(900),
        height: number(900))
      #expect(
        arrangement.attributes(in: rect) == attributes.filter { $0.frame.intersects(rect) })
    }
  }

  @Test func singleItemsAreFound() {
    let arrangement = GridLayout().prepare(LayoutContext(canvas: landscape, items: people(4)))
    #expect(arrangement.attributes(of: 2)?.frame.y == 360)
    #expect(arrangement.attributes(of: 4) == nil)
  }
}
