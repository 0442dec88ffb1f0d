import TesseraCodecs
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

extension Recording {
  /// Returns the person of `people` whose recordings end last.
  func last(of people: [PlannedParticipant]) -> PlannedParticipant? {
    people.max { end(of: [$0], withStills: false) < end(of: [$1], withStills: false) }
  }

  /// Returns the end of the last picture and sound of `people`, and of the last still image if
  /// `withStills` is true.
  func end(of people: [PlannedParticipant], withStills: Bool = true) -> MediaTime {
    let voices = people.flatMap { $0.voices.map(\.source.interval.end) }
    let pictures = people.flatMap { person in
      person.lanes.flatMap { lane in
        lane.takes.map { take in
          min(
            (take.track.clock.start
              + (take.track.source.track.end - take.track.source.track.clock.start)
                * take.track.clock.rate)
              .rounded,
            end(ofTracksOf: person.participant.id))
        }
      }
    }
    let stills = withStills ? tracks.filter { $0.kind == .still }.compactMap(\.stop) : []
    return (voices + pictures + stills).max() ?? .zero
  }

  /// Returns the latest time at which a track of the participant can be seen.
  private func end(ofTracksOf id: Participant.ID) -> MediaTime {
    let tracks = participant(id)?.tracks ?? []
    let stops = tracks.map { $0.stop ?? Self.maximumTime }
    return stops.max() ?? Self.maximumTime
  }
}
