import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Builds a recording from a recorder's facts, with times by the recorder's own clock.
struct RecordingBuilder {
  /// The recording so far.
  var recording = Recording()
  private var indices: [String: Int] = [:]
  private var trackIDs = UniqueNameSet()
  private var personIDs = UniqueNameSet()
  private var events: [CallEvent] = []
  /// The identifier of the last added track.
  private(set) var lastTrackID: Track.ID?

  /// Returns the identifier of the participant that the recorder calls `key`; adds the participant
  /// if it is new.
  ///
  /// A `name` that comes later counts if none was known.
  mutating func person(_ key: String, name: String? = nil) -> Participant.ID {
    if let index = indices[key] {
      let person = recording.participants[index]
      if let name, person.name == person.id { recording.participants[index].name = name }
      return person.id
    }
    indices[key] = recording.participants.count
    return newPerson(key, name: name)
  }

  /// Adds a participant and returns its identifier: `wanted`, made unique.
  ///
  /// `source` describes where the name comes from, if not from the recorder.
  mutating func newPerson(
    _ wanted: String, name: String? = nil, source: String? = nil
  ) -> Participant.ID {
    let isUsable = !wanted.isEmpty && wanted != Self.nobody
    let id = personIDs.unique(isUsable ? String(wanted.prefix(200)) : "participant")
    recording.participants.append(Participant(id: id, name: name ?? (isUsable ? wanted : nil)))
    recording.participants[recording.participants.count - 1].nameSource = source
    return id
  }

  /// The reserved word for no participant, which cannot be an identifier.
  static let nobody = "none"

  /// Adds a track to a participant and makes its identifier unique.
  ///
  /// - Throws: if the track stops before it starts; `place` names the file and the key at fault.
  mutating func add(
    _ track: Track, to id: Participant.ID, at place: DocumentError
  ) throws(DocumentError) {
    if let stop = track.stop, stop <= track.start {
      var error = place
      error.reason = "must be later than the start"
      throw error
    }
    guard trackIDs.count < Recording.maximumTracks else {
      throw DocumentError(
        file: place.file, reason: "it names more than \(Recording.maximumTracks) tracks")
    }
    guard let index = recording.participants.firstIndex(where: { $0.id == id }) else { return }
    var track = track
    track.id = trackIDs.unique(String(track.id.prefix(300)))
    recording.participants[index].tracks.append(track)
    lastTrackID = track.id
  }

  /// Hides a participant's tile: the participant is heard but not seen.
  mutating func hideTile(of id: Participant.ID) {
    for index in recording.participants.indices where recording.participants[index].id == id {
      recording.participants[index].hasTile = false
    }
  }

  /// Adds an event with a time of the recorder's clock.
  mutating func add(_ event: CallEvent) { events.append(event) }

  /// Adds a note for the user. Duplicates are ignored; at most 100 notes are kept.
  mutating func note(_ sentence: UserMessage) {
    guard recording.messages.count < 100, !recording.messages.contains(sentence) else { return }
    recording.messages.append(sentence)
  }

  /// Leaves the file at `path` out on purpose, with a note if a reason is given.
  mutating func leaveOut(_ path: String, _ why: UserMessage? = nil) {
    recording.leftOut.insert(path)
    if let why { note("\(file: path) is left out: \(why)") }
  }

  /// Adds a note that the first of several layout files is used.
  mutating func noteChoice(of layouts: [ImporterInput.Manifest]) {
    guard let first = layouts.first, layouts.count > 1 else { return }
    let others = layouts.dropFirst().map { "\(file: $0.path)" as UserMessage }.joined(
      separator: " or ")
    note(
      "the layout is \(file: first.path)'s, not \(others)'s; \(option: "layout") FILE names "
        + "another one.")
  }

  /// Finishes the recording, with all times moved to a timeline that starts at zero.
  ///
  /// - Parameters:
  ///   - zero: the recorder's time at zero of the timeline; `nil` for the start of the first track.
  ///     A track that starts earlier always moves zero to its start.
  ///   - isWallClock: true if the recorder's clock counts from 1970.
  ///   - folder: the folder, for messages.
  /// - Returns: the recording, without participants that have neither tracks nor events.
  /// - Throws: if the recording is empty, exceeds a limit, or spans more than
  ///   ``Recording/maximumTime``.
  func finish(
    zero: MediaTime? = nil, isWallClock: Bool, folder: ImporterInput
  ) throws(DocumentError) -> Recording {
    var recording = recording
    recording.participants.removeAll { person in
      person.tracks.isEmpty && !events.contains { $0.change.participant == person.id }
    }
    guard recording.participants.count <= Recording.maximumParticipants else {
      throw folder.error("it names more than \(Recording.maximumParticipants) people")
    }
    guard !recording.participants.isEmpty else {
      throw folder.error(
        "it names no recording; give the folder with the recordings, or take its "
          + "media files as they are with \(option: "format") files")
    }
    guard events.count <= Recording.maximumEvents else {
      throw folder.error("it names more than \(Recording.maximumEvents) events")
    }
    let first = recording.tracks.filter { $0.follows == nil }.map(\.start).min()
    let zero = [zero, first].compactMap { $0 }.min() ?? .zero
    for index in recording.participants.indices {
      for track in recording.participants[index].tracks.indices {
        Self.move(&recording.participants[index].tracks[track], by: zero)
      }
      Self.sort(&recording.participants[index].tracks)
    }
    if isWallClock { recording.startedAt = zero }
    for index in recording.transcripts.indices {
      guard let start = recording.transcripts[index].start else { continue }
      recording.transcripts[index].start = start - zero
    }
    recording.events = known(events, recording).map {
      CallEvent(max(.zero, $0.time - zero), $0.change)
    }
    recording.events.stableSort { $0.time < $1.time }
    let latest = recording.tracks.flatMap { [$0.start, $0.stop ?? $0.start] }.max() ?? .zero
    guard max(latest, recording.events.last?.time ?? .zero) <= Recording.maximumTime else {
      throw folder.error(
        "its times are more than \(Recording.maximumTime.nanoseconds / 86_400_000_000_000) days "
          + "apart")
    }
    return recording
  }

  /// Returns the events about existing participants and tracks.
  private func known(_ events: [CallEvent], _ recording: Recording) -> [CallEvent] {
    let people = Set(recording.participants.map(\.id))
    let tracks = Set(recording.tracks.map(\.id))
    return events.filter { event in
      if case .classes(let track, _) = event.change { return tracks.contains(track) }
      return event.change.participant.map(people.contains) ?? true
    }
  }

  /// Sorts tracks by start. A track that follows another stays after it.
  static func sort(_ tracks: inout [Track]) {
    var starts: [Track.ID: MediaTime] = [:]
    for track in tracks { starts[track.id] = track.follows.flatMap { starts[$0] } ?? track.start }
    tracks.stableSort { (starts[$0.id] ?? .zero) < (starts[$1.id] ?? .zero) }
  }

  private static func move(_ track: inout Track, by zero: MediaTime) {
    guard track.follows == nil else { return }
    if track.place != nil { track.start = track.start - zero }
    track.stop = track.stop.map { $0 - zero }
  }
}

/// A set of unique names.
struct UniqueNameSet {
  /// The number of requests for each name.
  private var taken: [String: Int] = [:]

  var count: Int { taken.count }

  /// Returns `wanted`, or `wanted` with the first number that makes it new, and inserts it.
  mutating func unique(_ wanted: String) -> String {
    var name = wanted
    while let number = taken[name] {
      taken[wanted, default: 1] += 1
      name = "\(wanted)-\(max(number, taken[wanted] ?? 1))"
    }
    taken[name] = 1
    return name
  }
}

extension Array {
  /// Sorts the array and keeps equal elements in order.
  mutating func stableSort(by isBefore: (Element, Element) -> Bool) {
    self = enumerated().sorted {
      isBefore($0.element, $1.element)
        || !isBefore($1.element, $0.element) && $0.offset < $1.offset
    }.map(\.element)
  }
}
