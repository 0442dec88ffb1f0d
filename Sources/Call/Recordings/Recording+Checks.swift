package import TesseraMessages
import TesseraTimeline

extension Recording {
  /// The largest difference that rounding by recorders explains: 0.5 s.
  private static let tolerance = MediaTime(nanoseconds: 500_000_000)

  /// Finds contradictions in this placed recording and returns one sentence each.
  ///
  /// Tracks without facts are skipped, because their reader reports the problem.
  package func contradictions(_ facts: [Track.ID: TrackPlacementFacts]) -> [UserMessage] {
    var sentences: [UserMessage] = []
    for person in participants {
      for track in person.tracks {
        if let known = facts[track.id] { sentences += Self.ends(track, known, of: person) }
      }
      sentences += Self.overlaps(person, facts)
      if person.tracks.isEmpty { sentences.append("nothing was recorded of \(person.name).") }
    }
    let end = tracks.compactMap { facts[$0.id].map($0.interval)?.end }.max() ?? .zero
    let late = events.filter { $0.time > end + Self.tolerance }
    if let first = late.first {
      sentences.append(
        "\(late.count) event\(late.count == 1 ? " comes" : "s come") after the last recording's end "
          + "at \(end.clockWithTenths), the first at \(first.time.clockWithTenths).")
    }
    return sentences
  }

  /// Reports a track that uses more than its file has.
  private static func ends(
    _ track: Track, _ known: TrackPlacementFacts, of person: Participant
  ) -> [UserMessage] {
    guard track.kind != .still else { return [] }
    let name: UserMessage = "\(person.name)'s \(file: track.file)"
    let length = "the file is \(known.duration.roundedToTenths.clockWithTenths) long"
    let first = track.inPoint ?? .zero
    guard first < known.duration || known.duration == .zero else {
      return ["\(name) begins at \(first.clockWithTenths) of its file, but \(length)."]
    }
    if let last = track.outPoint, last - known.duration > tolerance {
      return ["\(name) ends at \(last.clockWithTenths) of its file, but \(length)."]
    }
    guard let stop = track.stop else { return [] }
    let missing = stop - track.start - (known.duration - first)
    guard missing > tolerance else { return [] }
    return [
      "\(name) is to stop at \(stop.clockWithTenths), but its file ends "
        + "\(Self.seconds(missing)) sooner."
    ]
  }

  /// Reports tracks of one kind that overlap; the later one counts.
  private static func overlaps(
    _ person: Participant, _ facts: [Track.ID: TrackPlacementFacts]
  ) -> [UserMessage] {
    var sentences: [UserMessage] = []
    let tracks = person.tracks.filter { $0.kind != .still }.sorted { $0.start < $1.start }
    for group in Dictionary(grouping: tracks, by: { "\($0.kind) \($0.source ?? "")" }).values {
      var longest: (track: Track, end: MediaTime)?
      for track in group {
        guard let interval = facts[track.id].map(track.interval) else { continue }
        if let longest, min(longest.end, interval.end) - interval.start > tolerance {
          let common = min(longest.end, interval.end) - interval.start
          sentences.append(
            "\(person.name)'s \(file: longest.track.file) and \(file: track.file) overlap by "
              + "\(seconds(common)) from \(interval.start.clockWithTenths) on.")
        }
        if interval.end > longest?.end ?? .zero { longest = (track, interval.end) }
      }
    }
    return sentences.sorted { $0.commandLine < $1.commandLine }
  }

  private static func seconds(_ time: MediaTime) -> String {
    let tenths = (time.nanoseconds +| 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
