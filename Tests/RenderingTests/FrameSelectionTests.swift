import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import Testing

@Suite struct FrameSelectionTests {
  @Test func aRangeIsAllOfItsFrames() {
    let frames = FrameSelection(3..<6)
    #expect(Array(frames) == [3, 4, 5] && !frames.hasGaps)
    #expect([0, 3, 5, 9].map(frames.first(from:)) == [3, 3, 5, 6])
    #expect(Array(frames.clamped(to: 4..<9)) == [4, 5])
    #expect(frames.clamped(to: 7..<9).isEmpty)
  }

  @Test func singleFramesAreInOrderAndOnce() {
    let frames = FrameSelection([9, 4, 4, 7])
    #expect(Array(frames) == [4, 7, 9] && frames.hasGaps)
    #expect((frames.lowerBound, frames.upperBound) == (4, 10))
    #expect([0, 4, 5, 8, 10].map(frames.first(from:)) == [4, 4, 7, 9, 10])
    #expect(Array(frames.clamped(to: 5..<9)) == [7])
    #expect(frames.clamped(to: 5..<6).isEmpty && FrameSelection([Int]()).isEmpty)
  }
}
