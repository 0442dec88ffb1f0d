import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct FrameCutCollectionTests {
  @Test func aRangeContainsAllOfItsFrames() {
    let frames = FrameSelection(3..<6)
    #expect(Array(frames) == [3, 4, 5] && frames.isContinuous)
    #expect(Array(frames.clamped(to: 4..<9)) == [4, 5])
    #expect(frames.clamped(to: 7..<9).isEmpty)
  }

  @Test func singleFramesAreSortedAndUnique() {
    let frames = FrameSelection([9, 4, 4, 7])
    #expect(Array(frames) == [4, 7, 9] && !frames.isContinuous)
    #expect((frames.lowerBound, frames.upperBound) == (4, 10))
    #expect(Array(frames.clamped(to: 5..<9)) == [7])
    #expect(frames.clamped(to: 5..<6).isEmpty && FrameSelection([Int]()).isEmpty)
    #expect(Array(frames.counted(from: 4)) == [0, 3, 5])
    #expect(Array(frames.intersection(FrameSelection(5..<20))) == [7, 9])
  }

  @Test func timesFollowTheirFrames() {
    let times = CutTimeMapping(FrameSelection([30..<60, 90..<120]), at: .thirty)
    let second = { MediaTime(nanoseconds: Int64($0 * 1e9)) }
    #expect(
      [0, 1, 1.5, 2, 2.5, 3, 3.5, 9].map { times.output(second($0)).seconds }
        == [0, 0, 0.5, 1, 1, 1, 1.5, 2])
    #expect(
      times.output(TimeRange(start: second(1.5), end: second(3.5)))
        == TimeRange(start: second(0.5), end: second(1.5)))
    #expect(times.output(TimeRange(start: second(2.1), end: second(2.9))) == nil)
    #expect([0, 0.5, 1, 1.25].map { times.call(second($0)).seconds } == [1, 1.5, 3, 3.25])
    #expect(
      times.holes(before: 150)
        == [(0, 1), (2, 3), (4, 5)].map { TimeRange(start: second($0.0), end: second($0.1)) })
  }
}
