import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct ExactTimeTests {
  @Test func sumsOfDifferentTimeBasesAreExact() throws {
    let third = try #require(ExactTime(ticks: 1, timeBase: Ratio(1, 3)))
    let sum = third + third + third
    #expect(sum == ExactTime(MediaTime(seconds: 1)))
    #expect((sum - third).description == "2/3")
    #expect(ExactTime("2/3") == sum - third)
    #expect(ExactTime("2/0") == nil && ExactTime("x") == nil)
  }

  /// If a picture of a 60 fps source is exactly in the middle of a 30 fps frame, it belongs to the
  /// next frame, so every second picture is shown.
  @Test(arguments: [(60, 30, 1), (60_000, 30_000, 1001)])
  func halvingARateShowsEverySecondPicture(source: Int, output: Int, denominator: Int) throws {
    let rate = try #require(FrameRate(output, denominator))
    let clock = TrackTimeMapping(start: .zero, firstTicks: 0, timeBase: Ratio(denominator, source))
    var shown: [Int: Int] = [:]
    for picture in 0..<200 {
      shown[clock.firstFrame(showing: Int64(picture), at: rate)] = picture
    }
    for frame in 0..<99 { #expect(shown[frame] == 2 * frame) }
  }

  @Test func millisecondsOfAStandardRateAreRecognized() throws {
    let rate = try #require(FrameRate(30_000, 1001))
    let clock = TrackTimeMapping(
      start: .zero, firstTicks: 7, timeBase: Ratio(1, 1000), nominalRate: Ratio(24_000, 1001))
    for picture in 0..<5000 {
      let exact = ExactTime(Int128(picture) * 1001, over: 24_000)
      let ticks = 7 + exact.ticks(timeBase: Ratio(1, 1000))
      #expect(clock.time(ticks: ticks) == exact)
      #expect(clock.firstFrame(showing: ticks, at: rate) == rate.firstFrame(showing: exact))
    }
  }

  @Test func hugeDenominatorsRoundToNanoseconds() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<200 {
      let a = ExactTime(
        Int128(random.next() >> 30), over: Int128((random.next() >> 2) | 1))
      let b = ExactTime(Int128(random.next() >> 30), over: Int128((random.next() >> 2) | 1))
      let sum = a + b
      #expect(abs(sum.seconds - (a.seconds + b.seconds)) < 2e-9)
    }
  }
}
