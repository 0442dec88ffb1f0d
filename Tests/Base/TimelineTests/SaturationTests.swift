import TesseraTimeline
import TestSupport
import Testing

/// Arithmetic on times saturates for any values.
@Suite(.timed) struct SaturationTests {
  private static let extremes: [Int64] = [
    .min, .min + 1, -1, 0, 1, 90_000, .max - 1, .max,
  ]

  @Test func operatorsSaturate() {
    let sums: [Int64] = [.max +| 1, .min +| -1, 2 +| 3]
    #expect(sums == [.max, .min, 5])
    let differences: [Int64] = [.min -| 1, 0 -| .min, 2 -| 3]
    #expect(differences == [.min, .max, -1])
    let products: [Int64] = [.max *| 2, .max *| -2, .min *| -1]
    #expect(products == [.max, .min, .max])
    let bytes: [UInt8] = [3 -| 4, 200 +| 100, 20 *| 20]
    #expect(bytes == [0, 255, 255])
    #expect(Int64(saturating: 1e300) == .max && Int64(saturating: -.infinity) == .min)
    #expect(Int64(saturating: .nan) == 0 && Int64(saturating: -1.5) == -1)
    #expect(Int64(saturating: Double(Int64.max)) == .max)
  }

  @Test func timesSaturate() {
    for a in Self.extremes.map(MediaTime.init(nanoseconds:)) {
      for b in Self.extremes.map(MediaTime.init(nanoseconds:)) {
        let interval = TimeRange(start: a, end: b)
        #expect(interval.duration >= .zero)
        #expect(a < .zero || b < .zero || a + b >= a)
        #expect(ExactTime(a) + ExactTime(b) >= ExactTime(a) || b < .zero)
      }
      _ = (a.sample(atRate: .max), MediaTime(sample: a.nanoseconds, rate: 0))
    }
    #expect(MediaTime(seconds: .max).nanoseconds == .max)
  }

  @Test func clocksSaturate() {
    let bases = [Ratio(1, 1), Ratio(Int(Int32.max), 1), Ratio(1, Int(Int32.max))]
    for ticks in Self.extremes {
      for first in Self.extremes {
        for base in bases {
          for rate in [Ratio?.none, Ratio(30000, 1001), Ratio(Int(Int32.max), 1)] {
            let clock = TrackTimeMapping(
              start: ExactTime(.zero), firstTicks: first, timeBase: base, rate: Ratio(1001, 1000),
              nominalRate: rate)
            let time = clock.time(ticks: ticks)
            #expect(ticks < first || time.rounded >= .zero)
          }
        }
      }
    }
  }
}
