import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct KeptRangesTests {
  private func range(_ start: Int, _ end: Int) -> TimeRange {
    TimeRange(start: MediaTime(seconds: start), end: MediaTime(seconds: end))
  }

  @Test func listsAreSortedAndDisjoint() {
    let list = KeptRanges(keeping: [
      range(5, 7), range(-3, 2), range(2, 3), range(6, 9), range(4, 4),
    ])
    #expect(list.kept == [range(0, 3), range(5, 9)])
    #expect(list.holes(before: MediaTime(seconds: 12)) == [range(3, 5), range(9, 12)])
    #expect(list.contains(MediaTime(seconds: 5)) && !list.contains(MediaTime(seconds: 9)))
  }

  @Test func theIdentityKeepsEverything() {
    let list = KeptRanges(keeping: [range(1, 2), range(3, 4)])
    #expect(KeptRanges.whole.intersection(list) == list && list.intersection(.whole) == list)
    #expect(KeptRanges(cutting: []) == .whole)
    #expect(KeptRanges.whole.holes(before: MediaTime(seconds: 4)).isEmpty)
  }

  @Test func partsPastTheEndAreFound() {
    let end = MediaTime(seconds: 10)
    #expect(KeptRanges(cutting: [range(8, 10)]).place(beyond: end) == nil)
    #expect(KeptRanges(cutting: [range(8, 30)]).place(beyond: end) == nil)
    #expect(KeptRanges(cutting: [range(12, 30)]).place(beyond: end) == MediaTime(seconds: 12))
    #expect(KeptRanges(keeping: [range(2, 3), range(11, 12)]).place(beyond: end)?.seconds == 11)
    #expect(KeptRanges.whole.place(beyond: end) == nil)
  }

  @Test func intersectionsKeepCommonTimes() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let lists = (0..<2).map { _ in
        let ranges = (0..<6).map { _ in
          let start = Int.random(in: 0..<40, using: &random)
          return range(start, start + Int.random(in: 0..<9, using: &random))
        }
        return Bool.random(using: &random)
          ? KeptRanges(keeping: ranges) : KeptRanges(cutting: ranges)
      }
      let both = lists[0].intersection(lists[1])
      for second in 0..<60 {
        let time = MediaTime(seconds: second)
        #expect(both.contains(time) == (lists[0].contains(time) && lists[1].contains(time)))
      }
    }
  }

  @Test(arguments: ["24", "25", "30000/1001", "30", "60"])
  func adjacentPartsShareNoFrameAndSkipNone(rate: String) throws {
    let rate = try #require(FrameRate(rate))
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let times = (0..<9).map { _ in
        MediaTime(nanoseconds: Int64.random(in: 0..<20_000_000_000, using: &random))
      }.sorted()
      let ranges = zip(times, times.dropFirst()).map { TimeRange(start: $0, end: $1) }
      let count = rate.frameCount(of: MediaTime(seconds: 20))
      let kept = FrameSelection(KeptRanges(keeping: ranges), at: rate, frameCount: count)
      let cut = FrameSelection(KeptRanges(cutting: ranges), at: rate, frameCount: count)
      #expect(kept.count + cut.count == count)
      #expect(
        (0..<count).allSatisfy { (kept.output(of: $0) == nil) != (cut.output(of: $0) == nil) })
    }
  }

  @Test func framesAreMappedInBothDirections() {
    let cut = FrameSelection([20..<25, 3..<5, 10..<11, 25..<26])
    #expect(cut.ranges == [3..<5, 10..<11, 20..<26] && cut.count == 9)
    #expect((0..<cut.count).map { cut[$0] } == [3, 4, 10, 20, 21, 22, 23, 24, 25])
    #expect((0..<cut.count).allSatisfy { cut.output(of: cut[$0]) == $0 })
    #expect(cut.output(of: 5) == nil && cut.output(from: 5) == 2 && cut.output(from: 99) == 9)
    #expect(cut.call(1..<4) == [4..<5, 10..<11, 20..<21] && cut.call(9..<12).isEmpty)
    #expect(cut.output(of: 4..<21) == 1..<4 && cut.output(of: 5..<9).isEmpty)
    #expect(cut.bounds == 3..<26 && !cut.isContinuous)
    #expect(FrameSelection([]).count == 0 && FrameSelection([]).bounds.isEmpty)
  }
}
