/// The times from ``start`` up to, not including, ``end``.
public struct TimeRange: Hashable, Sendable, Codable {
  /// The first time inside.
  public var start: MediaTime
  /// The first time after it; never before ``start``.
  public var end: MediaTime

  /// The interval from `start` up to, not including, `end`; empty where `end` lies before `start`.
  public init(start: MediaTime, end: MediaTime) {
    self.start = start
    self.end = max(start, end)
  }

  /// The interval so much later.
  public func moved(by time: MediaTime) -> TimeRange {
    TimeRange(start: start + time, end: end + time)
  }

  /// How long it is.
  public var duration: MediaTime { end - start }

  /// The time halfway between ``start`` and ``end``.
  package var middle: MediaTime {
    MediaTime(nanoseconds: start.nanoseconds / 2 +| end.nanoseconds / 2)
  }
}
