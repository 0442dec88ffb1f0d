package import TesseraTimeline

/// How tracks of which nobody knows better are laid against each other.
public enum Alignment: String, Sendable, Codable, CaseIterable {
  /// All begin together, each with its first picture or sound.
  case start
  /// As the containers' own times say.
  case container
  /// As wall clocks say, where every file has one.
  case clock
  /// By what is heard in several of them, which whoever listens has to find out.
  case sound
}

/// What is known of a track once its file has been read.
package struct TrackFacts: Hashable, Sendable {
  /// How long the track is in the file, from its beginning to its end.
  package var duration: MediaTime
  /// The time that the container gives its first packet.
  package var containerStart: MediaTime
  /// When the container says that it was recorded.
  package var clock: MediaTime?

  /// The facts of a track.
  package init(
    duration: MediaTime, containerStart: MediaTime = .zero, clock: MediaTime? = nil
  ) {
    self.duration = duration
    self.containerStart = containerStart
    self.clock = clock
  }
}

/// Where a track lies that was found by itself.
package struct TrackMove: Hashable, Sendable {
  /// By how much its times are later, once `rate` has stretched them.
  package var offset: MediaTime
  /// Timeline seconds in a second of its times.
  package var rate: Ratio

  /// The track's time t lies at `offset` + t · `rate`.
  package init(offset: MediaTime, rate: Ratio) { (self.offset, self.rate) = (offset, rate) }
}

extension Recording {
  /// The recording with every track at its place: container starts added, parts after the parts
  /// that they follow, wall clocks honored where `alignment` says so. No track follows another
  /// then.
  ///
  /// A track of which nothing is known stays where it is; parts that follow it begin with it.
  /// `moves` place tracks, `offsets` the others of people, by their identifiers. What would begin
  /// before zero makes all others later by as much.
  package func placed(
    _ facts: [Track.ID: TrackFacts], alignment: Alignment = .start,
    offsets: [Participant.ID: MediaTime] = [:], moves: [Track.ID: TrackMove] = [:]
  ) -> Recording {
    var recording = self
    recording.adoptClocks(facts)
    let clocks = alignment == .clock ? recording.sharedClock : nil
    var ends: [Track.ID: MediaTime] = [:]
    for person in recording.participants.indices {
      let offset = offsets[recording.participants[person].id] ?? .zero
      for index in recording.participants[person].inOrderOfParts {
        var track = recording.participants[person].tracks[index]
        let known = facts[track.id]
        let move = moves[track.id]
        let rate = move?.rate ?? .one
        var shift = move?.offset ?? offset
        if let clocks, let clock = track.clockStart?.time {
          shift = shift + (clock - clocks) - track.start
        } else if let end = track.follows.flatMap({ ends[$0] }) {
          shift = end
        } else if track.addsContainerStart || alignment == .container {
          shift = shift + (known?.containerStart ?? .zero)
        }
        if rate != .one { track.rate = Track.rate(track.rate.value * rate.value) }
        track.start = track.start * rate + shift
        track.stop = track.stop.map { $0 * rate + shift }
        track.follows = nil
        track.addsContainerStart = false
        let end = track.start + (known.map(track.length) ?? .zero)
        ends[track.id] = track.stop.map { min($0, end) } ?? end
        recording.participants[person].tracks[index] = track
      }
    }
    recording.shiftToZero()
    return recording
  }

  /// Whether ``Alignment/clock`` would lay the tracks otherwise than `placed` has them, by more
  /// than a frame.
  package func clockDiffers(_ facts: [Track.ID: TrackFacts]) -> Bool {
    let frame = MediaTime(nanoseconds: 40_000_000)
    let (plain, clock) = (placed(facts).tracks, placed(facts, alignment: .clock).tracks)
    return zip(plain, clock).contains { first, second in
      max(first.start, second.start) - min(first.start, second.start) > frame
    }
  }

  /// Takes the containers' clocks where nothing nearer says when a track was recorded.
  private mutating func adoptClocks(_ facts: [Track.ID: TrackFacts]) {
    for person in participants.indices {
      for index in participants[person].tracks.indices
      where participants[person].tracks[index].clockStart == nil {
        let clock = facts[participants[person].tracks[index].id]?.clock
        participants[person].tracks[index].clockStart = clock.map { ClockStart($0, .container) }
      }
    }
  }

  /// The wall clock of the first track; nil unless every track has one.
  private var sharedClock: MediaTime? {
    let clocks = tracks.map { $0.clockStart?.time }
    guard !clocks.contains(nil) else { return nil }
    return clocks.compactMap { $0 }.min()
  }

  /// Makes everything later where a track begins before zero.
  private mutating func shiftToZero() {
    guard let first = tracks.map(\.start).min(), first < .zero else { return }
    for person in participants.indices {
      for index in participants[person].tracks.indices {
        participants[person].tracks[index].start = participants[person].tracks[index].start - first
        let stop = participants[person].tracks[index].stop
        participants[person].tracks[index].stop = stop.map { $0 - first }
      }
    }
    for index in events.indices { events[index].time = events[index].time - first }
    for index in transcripts.indices {
      guard let start = transcripts[index].start else { continue }
      transcripts[index].start = start - first
    }
    startedAt = startedAt.map { $0 + first }
  }
}

extension Track {
  /// How long a track of which `known` is known is on the timeline, if nothing stops it before.
  package func length(_ known: TrackFacts) -> MediaTime {
    let end = outPoint.map { min($0, known.duration) } ?? known.duration
    return max(.zero, end - (inPoint ?? .zero)) * rate
  }

  /// Where such a track lies on the timeline, if it is placed.
  package func interval(_ known: TrackFacts) -> TimeRange {
    let end = start + length(known)
    return TimeRange(start: start, end: stop.map { min($0, end) } ?? end)
  }
}

extension Participant {
  /// The indices of the tracks, each after the one that it follows.
  fileprivate var inOrderOfParts: [Int] {
    let positions = Dictionary(
      tracks.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var (order, seen): ([Int], Set<Int>) = ([], [])
    for index in tracks.indices {
      var chain: [Int] = []
      var next: Int? = index
      while let step = next, seen.insert(step).inserted {
        chain.append(step)
        next = tracks[step].follows.flatMap { positions[$0] }
      }
      order += chain.reversed()
    }
    return order
  }
}
