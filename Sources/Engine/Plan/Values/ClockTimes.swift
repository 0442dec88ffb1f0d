import TesseraLettering
package import TesseraTimeline

/// What a clock on the canvas shows when: the time since the call began, or of the day.
package struct ClockTimes: Hashable, Sendable, Codable {
  /// What it shows at the beginning of the call: zero, or since midnight.
  package var start: MediaTime
  /// Whether it shows the time of the day.
  package var isTimeOfDay: Bool

  /// Times that begin with `start`.
  package init(start: MediaTime = .zero, isTimeOfDay: Bool = false) {
    (self.start, self.isTimeOfDay) = (start, isTimeOfDay)
  }

  /// The second that it shows at `time` of the call.
  package func second(at time: MediaTime) -> Int64 {
    let nanoseconds = (start + time).nanoseconds
    return nanoseconds / 1_000_000_000 -| (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
  }

  /// How it shows that second.
  package func text(ofSecond second: Int64) -> String {
    isTimeOfDay
      ? ClockArt.text(secondsOfDay: second)
      : ClockArt.text(elapsed: MediaTime(nanoseconds: second *| 1_000_000_000))
  }
}
