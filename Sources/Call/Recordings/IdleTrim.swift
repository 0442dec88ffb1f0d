package import TesseraTimeline

/// Leaves out of a timeline the stretches in which nobody is there.
///
/// Somebody is there while a track has something, and while the recorder says so. Somebody who is away for
/// less than ``shortest`` is taken for present, as in the picture.
package struct IdleTrim: Hashable, Sendable {
  /// What is left out, in ascending order; no two touch.
  package private(set) var stretches: [TimeRange] = []

  /// Nothing shorter is left out between two people; before the first one, half a second.
  package static let shortest = MediaTime(seconds: 5)
  private static let shortestBefore = MediaTime(nanoseconds: 500_000_000)

  /// What can be left out of `recording`, which is placed, and of whose tracks that much is known.
  ///
  /// A track of which nothing is known counts as far as its ``Track/stop``; an image without one
  /// keeps nobody there.
  package init(_ recording: Recording, _ facts: [Track.ID: TrackFacts]) {
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

  private static func interval(_ track: Track, _ known: TrackFacts?) -> TimeRange? {
    guard track.kind != .still, let known else {
      return track.stop.map { TimeRange(start: track.start, end: $0) }
    }
    return track.interval(known)
  }

  /// When the participant is there as the recorder says, on a timeline that ends at `end`.
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

  /// How much is left out.
  package var duration: MediaTime { stretches.reduce(.zero) { $0 + $1.duration } }

  /// What is kept.
  package var cut: CutList { CutList(cutting: stretches) }
}
