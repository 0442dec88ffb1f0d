import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraSoundtrack

@Suite(.timed) struct PauseCutsTests {
  private static func range(_ start: Double, _ end: Double) -> TimeRange {
    TimeRange(
      start: MediaTime(nanoseconds: Int64(start * 1e9)),
      end: MediaTime(nanoseconds: Int64(end * 1e9))
    )
  }

  private static func cuts(
    _ said: [[TimeRange]], heard: [TimeRange] = [range(0, 100)], keeping: [TimeRange] = []
  ) -> [PauseCuts.Cut] {
    PauseCuts(said: said, heard: heard, keeping: keeping, TightenSettings()).cuts
  }

  @Test("Each kind of pause is shortened to its length, and cut in its middle")
  func kinds() {
    let (ada, ben) = (
      [Self.range(0, 10), Self.range(12, 20)], [Self.range(23, 30), Self.range(40, 100)]
    )
    let cuts = Self.cuts([ada, ben])
    #expect(cuts.map(\.kind) == [.within, .between, .long])
    let left = [(10.0, 12.0), (20, 23), (30, 40)].enumerated().map { index, pause in
      pause.1 - pause.0 - cuts[index].interval.duration.seconds
    }
    #expect(zip(left, [0.35, 0.6, 1]).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(cuts[0].interval == Self.range(10.175, 11.825))
  }

  @Test("Short pauses, pauses with any sound, and unrecorded parts are kept")
  func stays() {
    #expect(Self.cuts([[Self.range(0, 10), Self.range(11, 100)]]).isEmpty)
    #expect(Self.cuts([[Self.range(0, 10), Self.range(20, 100)], [Self.range(9, 21)]]).isEmpty)
    // Without a microphone, silence is unknown.
    let heard = [Self.range(0, 12), Self.range(18, 100)]
    let cuts = Self.cuts([[Self.range(0, 10), Self.range(20, 100)]], heard: heard)
    #expect(cuts.allSatisfy { $0.interval.end.seconds <= 12 || $0.interval.start.seconds >= 18 })
    // Playback in a shared screen is not a pause.
    let screen = [Self.range(10, 20)]
    #expect(Self.cuts([[Self.range(0, 10), Self.range(20, 100)]], keeping: screen).isEmpty)
  }

  @Test("No cut touches speech")
  func nothingIsLost() {
    var random = SplitMix64(seed: 41)
    for _ in 0..<200 {
      let said = (0..<3).map { _ in
        (0..<12).map { _ in
          let start = Double.random(in: 0..<95, using: &random)
          return Self.range(start, start + Double.random(in: 0.1..<4, using: &random))
        }
      }
      for cut in Self.cuts(said) {
        #expect(
          said.joined().allSatisfy {
            $0.end <= cut.interval.start || $0.start >= cut.interval.end
          })
      }
    }
  }

  @Test("More of a pause remains after a sentence than within one")
  func sentences() {
    let said = [[Self.range(0, 10), Self.range(12, 20), Self.range(22, 30)]]
    let ends = [9.8, 22.5].map { MediaTime(nanoseconds: Int64($0 * 1e9)) }
    let cuts = PauseCuts(
      said: said, heard: [Self.range(0, 30)], keeping: [], ends: ends, TightenSettings()
    ).cuts
    #expect(cuts.map(\.kind) == [.sentence, .within])
    #expect(cuts.map(\.interval.duration.seconds) == [1.4, 1.65])
  }
}
