import TesseraLettering
package import TesseraTimeline

/// What a clock on the canvas shows when: the time since the call began, or of the day.
package struct ClockTimes: Hashable, Sendable, Codable {
  /// A place of the timeline at which something of the call is left out.
  package struct Jump: Hashable, Sendable, Codable {
    /// The place.
    package var time: MediaTime
    /// How much is left out up to there, in all.
    package var ahead: MediaTime

    /// At `time`, `ahead` is left out in all.
    package init(time: MediaTime, ahead: MediaTime) { (self.time, self.ahead) = (time, ahead) }
  }

  /// What it shows at the beginning, but for what is left out there: zero, or since midnight.
  package var start: MediaTime
  /// Whether it shows the time of the day.
  package var isTimeOfDay: Bool
  /// Where the clock jumps, in ascending order.
  package var jumps: [Jump]

  /// Times that begin with `start`.
  package init(start: MediaTime = .zero, isTimeOfDay: Bool = false, jumps: [Jump] = []) {
    (self.start, self.isTimeOfDay, self.jumps) = (start, isTimeOfDay, jumps)
  }

  /// The second that it shows at `time` of the timeline.
  ///
  /// - Complexity: O(log n) in the number of jumps.
  package func second(at time: MediaTime) -> Int64 {
    let next = jumps.partitioningIndex { $0.time > time }
    let ahead = next > 0 ? jumps[next - 1].ahead : .zero
    let nanoseconds = (start + time + ahead).nanoseconds
    return nanoseconds / 1_000_000_000 -| (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
  }

  /// How it shows that second.
  package func text(ofSecond second: Int64) -> String {
    isTimeOfDay
      ? ClockArt.text(secondsOfDay: second)
      : ClockArt.text(elapsed: MediaTime(nanoseconds: second *| 1_000_000_000))
  }
}
