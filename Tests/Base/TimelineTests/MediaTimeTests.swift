import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct MediaTimeTests {
  @Test(arguments: [
    ("12", 12_000_000_000), ("12.345", 12_345_000_000), ("1:02", 62_000_000_000),
    ("1:02:03.5", 3_723_500_000_000), ("0.000000001", 1), ("90", 90_000_000_000),
    ("120:00", 7_200_000_000_000),
  ])
  func validTimesAreRead(text: String, nanoseconds: Int64) {
    #expect(MediaTime(text)?.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "-1", "1:60", "1:2:3:4", "1.", ".5", "1:61:00", "1e3", "99999999999", "9999999999",
    "9999999999.5",
    "0.1234567891", "a",
  ])
  func invalidTimesAreRefused(text: String) {
    #expect(MediaTime(text) == nil)
  }

  @Test func ticksRoundHalfUp() {
    let thirds = Ratio(1, 3)
    #expect(MediaTime(ticks: 1, timeBase: thirds)?.nanoseconds == 333_333_333)
    #expect(MediaTime(ticks: 2, timeBase: thirds)?.nanoseconds == 666_666_667)
    #expect(MediaTime(ticks: -1, timeBase: Ratio(1, 2_000_000_000))?.nanoseconds == 0)
    #expect(MediaTime(ticks: 1, timeBase: Ratio(1, 2_000_000_000))?.nanoseconds == 1)
  }

  @Test func ticksAndTimesAreInverse() {
    for ticks in stride(from: Int64(-90_000), through: 90_000 * 3600, by: 9_999_991) {
      let time = MediaTime(ticks: ticks, timeBase: Ratio(1, 90_000))
      #expect(time?.ticks(timeBase: Ratio(1, 90_000)) == ticks)
    }
  }

  @Test func ticksOutOfBoundsAreRefused() {
    #expect(MediaTime(ticks: .max, timeBase: Ratio(1, 1000)) == nil)
    #expect(MediaTime(ticks: .min, timeBase: Ratio(1, 1)) == nil)
    #expect(MediaTime(ticks: 1, timeBase: Ratio(1, 0)) == nil)
    #expect(MediaTime(ticks: 1, timeBase: Ratio(-1, 3)) == nil)
  }

  @Test func samplesAndTimesAreInverse() {
    for sample in stride(from: Int64(0), through: 48000 * 36000, by: 999_983) {
      #expect(MediaTime(sample: sample, rate: 48000).sample(atRate: 48000) == sample)
    }
  }

  @Test func timesArePrinted() {
    #expect(MediaTime(nanoseconds: -1_500_000_000).description == "-1.500")
    #expect(MediaTime(nanoseconds: 61_000_000_001).description == "61.000000001")
    #expect(MediaTime(seconds: 245).clock == "4:05")
    #expect(MediaTime(seconds: 3723).clock == "1:02:03")
    #expect(MediaTime(nanoseconds: 65_290_000_000).clockWithTenths == "1:05.2")
    #expect(MediaTime(nanoseconds: 65_290_000_000).exactClock == "1:05.29")
    #expect(MediaTime(seconds: 540).exactClock == "9:00" && MediaTime.zero.exactClock == "0:00")
    // Lengths are rounded: 14.8 s are not 0:14.
    let length = MediaTime(nanoseconds: 14_792_000_000)
    #expect(length.clock == "0:14" && length.roundedToSeconds.clock == "0:15")
    #expect(length.roundedToTenths.clockWithTenths == "0:14.8")
    #expect(MediaTime(nanoseconds: -1_500_000_000).roundedToSeconds == MediaTime(seconds: -2))
    #expect(MediaTime(nanoseconds: 59_960_000_000).roundedToTenths.clockWithTenths == "1:00.0")
  }
}
