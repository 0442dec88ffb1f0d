package import TesseraTimeline

/// The facts about a track's file that placing it depends on.
package struct TrackFacts: Hashable, Sendable {
  /// The length of the file, from its first picture or sound to its last one's end.
  package var duration: MediaTime
  /// The container's time of the first picture or sound.
  package var containerStart: MediaTime
  /// The first picture and the first sound, from the file's beginning; `nil` if it has none.
  package var picture, sound: MediaTime?
  /// The writer of the file, and the dates that it left in the container.
  package var writer: WriterTags

  /// The facts about a file.
  package init(
    duration: MediaTime, containerStart: MediaTime = .zero, writer: WriterTags = WriterTags(),
    picture: MediaTime? = nil, sound: MediaTime? = nil
  ) {
    (self.duration, self.containerStart, self.writer) = (duration, containerStart, writer)
    (self.picture, self.sound) = (picture, sound)
  }

  /// The position of `event` in the file, from its beginning. Files with a container's time zero
  /// of their own were created at that zero; a later zero is another program's clock.
  func position(of event: Anchor.Event, isOwnZero: Bool = true) -> MediaTime {
    switch event {
    case .start: .zero
    case .picture: picture ?? .zero
    case .sound: sound ?? .zero
    case .zero: .zero - containerStart
    case .created:
      isOwnZero && (MediaTime.zero..<Self.longestLead).contains(containerStart)
        ? .zero - containerStart : .zero
    case .ended: duration
    }
  }

  /// Recorders wait less for their first packet.
  private static let longestLead = MediaTime(seconds: 10)
}

/// A track's place that was found by its sound.
package struct TrackMove: Hashable, Sendable {
  /// The time by which the track is later, once `rate` has stretched it.
  package var offset: MediaTime
  /// Timeline seconds in a second of the track's times.
  package var rate: Ratio
  /// The moments at which the recording lacks samples, in order.
  package var gaps: [Gap]
  /// True if its own sound says so, false if it goes where others of its participant are.
  package var isFound = true

  /// A moment at which a recording lacks samples: what follows is played later by `length`.
  package struct Gap: Hashable, Sendable {
    /// The time since the track's start, without the gaps before.
    package var time: MediaTime
    /// The length in the track's time.
    package var length: MediaTime

    /// A gap of `length` at `time`.
    package init(time: MediaTime, length: MediaTime) { (self.time, self.length) = (time, length) }
  }

  /// The track's time t is played at `offset` + t · `rate`, and later by the gaps before it.
  package init(offset: MediaTime, rate: Ratio, gaps: [Gap] = []) {
    (self.offset, self.rate, self.gaps) = (offset, rate, gaps)
  }

  /// The length of the gaps up to `time` since the track's start.
  func missing(at time: MediaTime = Recording.maximumTime) -> MediaTime {
    gaps.reduce(.zero) { $1.time <= time ? $0 + $1.length : $0 }
  }
}

extension Track {
  /// The track's length on the timeline, unless ``stop`` ends it before.
  package func length(_ known: TrackFacts) -> MediaTime {
    let end = outPoint.map { min($0, known.duration) } ?? known.duration
    return max(.zero, end - (inPoint ?? .zero)) * rate
  }

  /// The range of a placed track on the timeline.
  package func interval(_ known: TrackFacts) -> TimeRange {
    let end = start + length(known)
    return TimeRange(start: start, end: stop.map { min($0, end) } ?? end)
  }
}
