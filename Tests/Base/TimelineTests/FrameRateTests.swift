import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct FrameRateTests {
  @Test(arguments: [
    ("30", 30, 1), ("30000/1001", 30000, 1001), ("60/2", 30, 1),
    ("12.5", 25, 2), ("240", 240, 1), ("29.97", 30000, 1001), ("29.970", 30000, 1001),
    ("29.97003", 30000, 1001), ("23.976", 24000, 1001), ("23.98", 24000, 1001),
    ("59.94", 60000, 1001), ("119.88", 120_000, 1001), ("2997/100", 2997, 100),
    ("29.96", 749, 25), ("30.0", 30, 1), ("24.00", 24, 1),
  ])
  func validRatesAreRead(text: String, numerator: Int, denominator: Int) throws {
    let rate = try #require(FrameRate(text))
    #expect(rate.numerator == numerator && rate.denominator == denominator)
    #expect(FrameRate(rate.description) == rate)
  }

  @Test(arguments: ["", "0", "-5", "241", "30/0", "1e3", "30.", ".5", "30/1/1", "30 ", "NaN"])
  func invalidRatesAreRefused(text: String) {
    #expect(FrameRate(text) == nil)
  }

  @Test func millisecondTimesAtThirtyFramesShowEveryPictureOnce() {
    let shown = (0..<100_000).map { picture in
      let milliseconds = (Int64(picture) * 1000 + 15) / 30
      return FrameRate.thirty.firstFrame(showing: MediaTime(nanoseconds: milliseconds * 1_000_000))
    }
    #expect(shown == Array(0..<100_000))
  }

  @Test func aPictureExactlyHalfAFrameInBelongsToTheNextFrame() {
    let half = MediaTime(nanoseconds: 500_000_000)
    let rate = FrameRate(1)
    #expect(rate?.firstFrame(showing: half) == 1)
    #expect(rate?.firstFrame(showing: half - MediaTime(nanoseconds: 1)) == 0)
  }

  @Test(arguments: ["30", "25", "30000/1001", "12.5", "240"])
  func timeAndFrameAreInverse(text: String) throws {
    let rate = try #require(FrameRate(text))
    for frame in stride(from: 0, through: 10_000_000, by: 99_991) {
      #expect(rate.firstFrame(showing: rate.time(ofFrame: frame)) == frame)
    }
  }
}
