import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

@Suite(.timed) struct ScreenMotionDetectorTests {
  /// Returns a packet every 40 ms for 10 s, with sizes by second.
  private func packets(_ bytes: (Int) -> Int) -> [ScreenMotionDetector.Packet] {
    (0..<250).map { number in
      ScreenMotionDetector.Packet(
        time: MediaTime(nanoseconds: Int64(number) * 40_000_000), bytes: bytes(number / 25))
    }
  }

  @Test("A still screen does not move, even with many tiny pictures")
  func still() {
    #expect(ScreenMotionDetector.moving(packets { _ in 60 }).isEmpty)
    var packets = packets { _ in 60 }
    // A keyframe is large even without a change.
    packets[100].bytes = 200_000
    packets[100].isKeyframe = true
    #expect(ScreenMotionDetector.moving(packets).isEmpty)
  }

  @Test("Seconds with many bytes count as moving")
  func moving() {
    let found = ScreenMotionDetector.moving(packets { [3, 4, 8].contains($0) ? 1500 : 60 })
    #expect(found.map { [$0.start.seconds, $0.end.seconds] } == [[3, 5], [8, 9]])
  }
}
