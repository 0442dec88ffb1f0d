package import TesseraTimeline

/// Finds the stretches of a call without participants, so that they can be cut.
///
/// A participant is present while a track has media or while the recorder reports presence.
/// Absences shorter than ``shortest`` do not count, as in the picture.
package struct IdleRangeFinder: Hashable, Sendable {
  /// The stretches to cut, in ascending order; no two touch.
  package private(set) var stretches: [TimeRange] = []

  /// The shortest stretch that is cut: 5 s between two participants, 0.5 s before the first.
  package static let shortest = MediaTime(seconds: 5)
  private static let shortestBefore = MediaTime(nanoseconds: 500_000_000)

  /// Finds the stretches to cut of a placed `recording`.
  ///
  /// A track without facts counts up to its ``Track/stop``. A still image without a stop does not
  /// count.
  package init(_ recording: Recording, _ facts: [Track.ID: TrackPlacementFacts]) {
    var busy = recording.tracks.compactMap { Self.interval($0, facts[$0.id]) }
    let end = busy.map(\.end).max() ?? .zero
    busy += recording.participants.flatMap { Self.presence(of: $0.id, recording, end: end) }
    var last = MediaTime.zero
    for interval in busy.sorted(by: { $0.start < $1.start }) where interval.end > interval.start {
      let least = last == .zero ? Self.shortestBefore : Self.shortest
      if interval.start - last >= least {
        stretches.append(TimeRange(start: last, end: interval.start))
      }
      last = max(last, interval.end)
    }
  }

  private static func interval(_ track: Track, _ known: TrackPlacementFacts?) -> TimeRange? {
    guard track.kind != .still, let known else {
      return track.stop.map { TimeRange(start: track.start, end: $0) }
    }
    return track.interval(known)
  }

  /// Returns the ranges in which the recorder reports the participant as present; `end` closes an
  /// open one.
  private static func presence(
    of id: Participant.ID, _ recording: Recording, end: MediaTime
  ) -> [TimeRange] {
    var (intervals, since, isKnown) = ([TimeRange](), MediaTime?.none, false)
    for event in recording.events.sorted(by: { $0.time < $1.time }) {
      switch event.change {
      case .joined(id): (since, isKnown) = (since ?? event.time, true)
      case .left(id):
        let start = since ?? (isKnown ? event.time : .zero)
        intervals.append(TimeRange(start: start, end: event.time))
        (since, isKnown) = (nil, true)
      default: break
      }
    }
    if let since { intervals.append(TimeRange(start: since, end: max(since, end))) }
    return intervals
  }

  /// The total duration of the stretches.
  package var duration: MediaTime { stretches.reduce(.zero) { $0 + $1.duration } }

  /// The remaining parts of the timeline.
  package var cut: KeptRanges { KeptRanges(cutting: stretches) }
}
