package import TesseraTimeline

/// The facts about a track's file that its placement depends on.
package struct TrackPlacementFacts: Hashable, Sendable {
  /// The length of the file, from its first picture or sound to the end of its last.
  package var duration: MediaTime
  /// The container's time of the first picture or sound.
  package var containerStart: MediaTime
  /// The positions of the first picture and the first sound, from the file's beginning; `nil`
  /// without any.
  package var picture, sound: MediaTime?
  /// The signature and the dates that the file's writer left in the container.
  package var writer: ContainerTags

  package init(
    duration: MediaTime, containerStart: MediaTime = .zero, writer: ContainerTags = ContainerTags(),
    picture: MediaTime? = nil, sound: MediaTime? = nil
  ) {
    (self.duration, self.containerStart, self.writer) = (duration, containerStart, writer)
    (self.picture, self.sound) = (picture, sound)
  }

  /// Returns the position of `event` in the file, from its beginning.
  ///
  /// Recorders create files at the container's time zero, if that zero is the file's own
  /// (`isOwnZero`) and less than 10 s before the first packet. Other zeros belong to another clock.
  func position(of event: TimeAnchor.Event, isOwnZero: Bool = true) -> MediaTime {
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

  /// An upper bound for the time that recorders wait for their first packet: 10 s.
  private static let longestLead = MediaTime(seconds: 10)
}

/// The position of a track as audio alignment found it: an offset, a clock rate and gaps.
package struct TrackAlignment: Hashable, Sendable {
  /// The shift of the track to a later time, applied after `rate` has stretched it.
  package var offset: MediaTime
  /// Timeline seconds per second of the track's times.
  package var rate: Ratio
  /// The moments at which the recording lacks samples, in order of time.
  package var gaps: [SampleGap]
  /// True if the track's own sound was matched; false if the track follows its participant's
  /// others.
  package var isFound = true

  /// A moment at which a recording lacks samples. Everything after it plays later by `length`.
  package struct SampleGap: Hashable, Sendable {
    /// The time since the track's start, with earlier gaps not counted.
    package var time: MediaTime
    /// The length of the gap, in the track's time.
    package var length: MediaTime

    package init(time: MediaTime, length: MediaTime) { (self.time, self.length) = (time, length) }
  }

  /// Maps time t of the track to `offset` + t · `rate`, plus the lengths of earlier gaps.
  package init(offset: MediaTime, rate: Ratio, gaps: [SampleGap] = []) {
    (self.offset, self.rate, self.gaps) = (offset, rate, gaps)
  }

  /// Returns the total length of the gaps up to `time` since the track's start.
  func missing(at time: MediaTime = Recording.maximumTime) -> MediaTime {
    gaps.reduce(.zero) { $1.time <= time ? $0 + $1.length : $0 }
  }
}

extension Track {
  /// Returns the track's length on the timeline; ``stop`` is ignored.
  package func length(_ known: TrackPlacementFacts) -> MediaTime {
    let end = outPoint.map { min($0, known.duration) } ?? known.duration
    return max(.zero, end - (inPoint ?? .zero)) * rate
  }

  /// Returns the range of a placed track on the timeline.
  package func interval(_ known: TrackPlacementFacts) -> TimeRange {
    let end = start + length(known)
    return TimeRange(start: start, end: stop.map { min($0, end) } ?? end)
  }
}
