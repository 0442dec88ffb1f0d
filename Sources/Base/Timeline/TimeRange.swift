/// A half-open interval of time from ``start`` up to, but not including, ``end``.
public struct TimeRange: Hashable, Sendable, Codable {
  /// The beginning of the interval.
  public var start: MediaTime
  /// The end of the interval, exclusive; never before ``start``.
  public var end: MediaTime

  /// Creates the interval from `start` up to, but not including, `end`; empty if `end` is before
  /// `start`.
  public init(start: MediaTime, end: MediaTime) {
    self.start = start
    self.end = max(start, end)
  }

  /// Returns the interval shifted by `time`.
  public func moved(by time: MediaTime) -> TimeRange {
    TimeRange(start: start + time, end: end + time)
  }

  public var duration: MediaTime { end - start }

  /// The time halfway between ``start`` and ``end``.
  package var middle: MediaTime {
    MediaTime(nanoseconds: start.nanoseconds / 2 +| end.nanoseconds / 2)
  }
}
