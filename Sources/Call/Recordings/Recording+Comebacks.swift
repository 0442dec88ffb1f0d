package import TesseraMessages
import TesseraTimeline

extension Recording {
  /// Suggests joining participants of one name who are never present together, with one note per
  /// name.
  ///
  /// Recorders assign a new identifier to a person who returns. The recording has to be placed.
  package func rejoins(_ facts: [Track.ID: TrackPlacementFacts]) -> [UserMessage] {
    let named = participants.filter { $0.name != $0.id && !$0.tracks.isEmpty }
    return named.map(\.name).unique.compactMap {
      name -> UserMessage? in
      let people = named.filter { $0.name == name }
      guard people.count > 1 else { return nil }
      let stays = people.map { (id: $0.id, interval: Self.presence($0, facts)) }
        .sorted { $0.interval.start < $1.interval.start }
      guard
        zip(stays, stays.dropFirst()).allSatisfy({ $0.interval.end <= $1.interval.start })
      else { return nil }
      let lines = ["id,same-as"] + stays.dropFirst().map { "\($0.id),\(stays[0].id)" }
      return
        "\(name) has \(people.count) identifiers, \(stays.map(\.id).joined(separator: ", ")), which "
        + "are never present together: if they are one person, give \(option: "people") a CSV file with the lines "
        + "\(lines.map { "\"\($0)\"" }.joined(separator: ", "))."
    }
  }

  /// Returns the range from the start of a participant's first track to the end of the last.
  private static func presence(
    _ person: Participant, _ facts: [Track.ID: TrackPlacementFacts]
  ) -> TimeRange {
    let intervals = person.tracks.map { track in
      facts[track.id].map(track.interval)
        ?? TimeRange(start: track.start, end: track.stop ?? track.start)
    }
    return TimeRange(
      start: intervals.map(\.start).min() ?? .zero, end: intervals.map(\.end).max() ?? .zero)
  }

  /// Moves all tracks, events and transcripts of participant `id` to `other` and removes `id`.
  ///
  /// - Returns: false if one of them does not exist, or if they are equal.
  mutating func join(_ id: Participant.ID, to other: Participant.ID) -> Bool {
    guard id != other, let index = participants.firstIndex(where: { $0.id == id }),
      let target = participants.firstIndex(where: { $0.id == other })
    else { return false }
    let person = participants[index]
    participants[target].tracks += person.tracks
    RecordingBuilder.sort(&participants[target].tracks)
    participants[target].isLocal = participants[target].isLocal || person.isLocal
    participants[target].hasTile = participants[target].hasTile || person.hasTile
    participants[target].avatar = participants[target].avatar ?? person.avatar
    for event in events.indices where events[event].change.participant == id {
      events[event].change = events[event].change.about(other)
    }
    for transcript in transcripts.indices where transcripts[transcript].participant == id {
      transcripts[transcript].participant = other
    }
    participants.remove(at: index)
    return true
  }
}
