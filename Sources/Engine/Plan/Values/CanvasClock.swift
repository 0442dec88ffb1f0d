import TesseraLettering
package import TesseraTimeline

/// The times that a clock on the canvas shows: the time since the call began, or the time of day.
package struct CanvasClock: Hashable, Sendable, Codable {
  /// The displayed time at the start of the call: zero, or the time since midnight.
  package var start: MediaTime
  /// True if the clock shows the time of day.
  package var isTimeOfDay: Bool

  /// Creates a clock that shows `start` at the start of the call.
  package init(start: MediaTime = .zero, isTimeOfDay: Bool = false) {
    (self.start, self.isTimeOfDay) = (start, isTimeOfDay)
  }

  /// Returns the whole second that the clock shows at `time` of the call.
  package func second(at time: MediaTime) -> Int64 {
    let nanoseconds = (start + time).nanoseconds
    return nanoseconds / 1_000_000_000 -| (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
  }

  /// Returns the text that the clock shows for `second`.
  package func text(ofSecond second: Int64) -> String {
    isTimeOfDay
      ? ClockDigits.text(secondsOfDay: second)
      : ClockDigits.text(elapsed: MediaTime(nanoseconds: second *| 1_000_000_000))
  }
}
