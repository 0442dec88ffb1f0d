import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Reads the participants, tracks and transcripts of a session file.
struct SessionParticipantReader {
  let paths: SessionPathValidator
  /// The identifiers of all participants and of all tracks, in order.
  private(set) var ids: [String] = []
  private(set) var trackIDs: [String] = []
  private var takenIDs: Set<String> = []
  private var takenTrackIDs: Set<String> = []

  init(paths: SessionPathValidator) { self.paths = paths }

  mutating func participants(
    _ cursor: inout DocumentMemberReader
  ) throws(DocumentError) -> [Participant] {
    let listed = try cursor.objects("participants")
    let items = try cursor.required(listed, "participants")
    guard !items.isEmpty else { throw cursor.invalid("participants", "at least one") }
    guard items.count <= Recording.maximumParticipants else {
      throw cursor.invalid("participants", "at most \(Recording.maximumParticipants)")
    }
    var participants: [Participant] = []
    for item in items { participants.append(try participant(item)) }
    try checkFollowed(participants, cursor)
    return participants
  }

  private mutating func participant(
    _ item: DocumentMemberReader
  ) throws(DocumentError) -> Participant {
    var item = item
    let written = try item.identifier("id")
    let id = try item.required(written, "id")
    guard !id.isEmpty, id != RecordingBuilder.nobody else {
      throw item.invalid("id", "text other than \"none\"")
    }
    guard takenIDs.insert(id).inserted else {
      throw item.wrong("id", "is \(id), as another participant's is")
    }
    ids.append(id)
    var person = Participant(
      id: id, name: try item.identifier("name"), isLocal: try item.bool("local") ?? false,
      avatar: try paths.path("avatar", of: &item))
    person.nameSource = try item.text("name-source")
    person.hasTile = try item.bool("tile") ?? true
    for track in try item.objects("tracks") ?? [] {
      guard trackIDs.count < Recording.maximumTracks else {
        throw item.wrong("tracks", "are more than \(Recording.maximumTracks) in the whole session")
      }
      let number = person.tracks.count + 1
      person.tracks.append(try self.track(track, defaultID: "\(id)-\(number)"))
    }
    try item.finish()
    return person
  }

  private mutating func track(
    _ item: DocumentMemberReader, defaultID: String
  ) throws(DocumentError) -> Track {
    var item = item
    let id = try item.identifier("id") ?? defaultID
    guard !id.isEmpty else { throw item.invalid("id", "text") }
    guard takenTrackIDs.insert(id).inserted else {
      throw item.wrong("id", "is \(id), as another track's is")
    }
    trackIDs.append(id)
    let file = try paths.path("file", of: &item, isRecording: true)
    var track = Track(id: id, file: try item.required(file, "file"))
    track.stream = try item.integer("stream", in: 0...999)
    track.kind = try item.choice("kind", of: TrackKind.self) ?? .media
    track.channel = try item.integer("channel", in: 1...64).map { $0 - 1 }
    track.hasVoicePerChannel = try item.choice("channels", of: ChannelAssignment.self) == .each
    track.anchors = try anchors(&item)
    track.stop = try item.timelineTime("stop")
    if let stop = track.stop, stop <= track.start {
      throw item.wrong("stop", "must be later than \"start\"")
    }
    track.inPoint = try item.timelineTime("in")
    track.outPoint = try item.timelineTime("out")
    if let end = track.outPoint, end <= track.inPoint ?? .zero {
      throw item.wrong("out", "must be later than \"in\"")
    }
    if let rate = try item.number("rate", in: Track.rates) { track.rate = Track.rate(rate) }
    track.gain = try item.number("gain", in: Track.gains) ?? 0
    track.isHeard = try item.bool("sound") ?? true
    track.source = try item.identifier("source")
    track.names = try item.texts("names") ?? []
    track.classes = try item.texts("classes") ?? []
    try item.finish()
    return track
  }

  /// Takes the anchors of a track: its position from `start`, `container-start` and `follows`, and
  /// the dates from `anchors`, or from `clock` in older files.
  private func anchors(_ item: inout DocumentMemberReader) throws(DocumentError) -> [TimeAnchor] {
    let start = try item.timelineTime("start")
    let isZero = try item.bool("container-start") ?? false
    var anchors: [TimeAnchor] = []
    if let id = try item.identifier("follows") {
      anchors = [TimeAnchor(isZero ? .zero : .start, .after(id), start ?? .zero)]
    } else if start != nil || isZero {
      anchors = [TimeAnchor(isZero ? .zero : .start, .session, start ?? .zero)]
    }
    if let time = try item.wallTime("clock") {
      // The form that earlier versions wrote.
      let source = try item.text("clock-source") ?? "manifest"
      anchors.append(
        TimeAnchor(
          .start, .wall(source), time,
          within: source == "container" ? TimeAnchor.second : TimeAnchor.millisecond,
          source: "the date of its \(source)"))
    }
    for var value in try item.objects("anchors") ?? [] {
      guard anchors.count < 100 else { throw item.wrong("anchors", "are more than 100") }
      anchors.append(try anchor(&value))
    }
    return anchors
  }

  private func anchor(_ item: inout DocumentMemberReader) throws(DocumentError) -> TimeAnchor {
    let event = try item.choice("event", of: TimeAnchor.Event.self) ?? .start
    let name = try item.text("clock")
    guard let clock = try TimeAnchor.Clock(text: item.required(name, "clock")) else {
      throw item.invalid(
        "clock", "session, after ID, wall NAME, device NAME, time-code or container")
    }
    var anchor = TimeAnchor(event, clock, .zero, within: .zero, source: TimeAnchor.recorder)
    let time =
      try anchor.isUTC
      ? item.wallTime("at") : anchor.isPosition ? item.timelineTime("at") : item.time("at")
    anchor.time = try item.required(time, "at")
    anchor.resolution = max(.zero, try item.time("within") ?? .zero)
    anchor.source = try item.text("source") ?? TimeAnchor.recorder
    try item.finish()
    return anchor
  }

  /// Takes the list of transcripts.
  func transcripts(
    _ cursor: inout DocumentMemberReader
  ) throws(DocumentError) -> [TranscriptReference] {
    var transcripts: [TranscriptReference] = []
    for var item in try cursor.objects("transcripts") ?? [] {
      guard transcripts.count < Recording.maximumTranscripts else {
        throw item.wrong(
          "file", "is beyond the limit of \(Recording.maximumTranscripts) transcripts")
      }
      let file = try paths.path("file", of: &item, isRecording: true)
      var transcript = TranscriptReference(file: try item.required(file, "file"))
      if let id = try item.identifier("participant") {
        transcript.participant = try checked(id, "participant", item)
      }
      if let start = try item.time("start") {
        guard max(start, .zero - start) <= Recording.maximumTime else {
          throw item.wrong("start", "is more than a week, which is the longest recording")
        }
        transcript.start = start
      }
      try item.finish()
      transcripts.append(transcript)
    }
    return transcripts
  }

  /// Throws if a track follows an unknown track, or tracks follow each other in a circle.
  private func checkFollowed(
    _ participants: [Participant], _ cursor: DocumentMemberReader
  ) throws(DocumentError) {
    var previous: [String: String] = [:]
    for track in participants.flatMap(\.tracks) { previous[track.id] = track.follows }
    for (index, person) in participants.enumerated() {
      for (number, track) in person.tracks.enumerated() {
        guard let followed = track.follows else { continue }
        let key = "participants[\(index)].tracks[\(number)].follows"
        var (step, count) = (Optional(try checkedTrack(followed, key, cursor)), 0)
        while let id = step, count <= previous.count { (step, count) = (previous[id], count + 1) }
        guard step == nil else { throw cursor.wrong(key, "goes in a circle") }
      }
    }
  }

  /// Returns the participant's identifier `id`, or throws if it is unknown.
  func checked(
    _ id: String, _ key: String, _ cursor: DocumentMemberReader
  ) throws(DocumentError) -> String {
    guard !takenIDs.contains(id) else { return id }
    throw cursor.wrong(key, "matches no participant\(Self.hint(id, ids))")
  }

  /// Returns the track's identifier `id`, or throws if it is unknown.
  func checkedTrack(
    _ id: String, _ key: String, _ cursor: DocumentMemberReader
  ) throws(DocumentError) -> String {
    guard !takenTrackIDs.contains(id) else { return id }
    throw cursor.wrong(key, "names no track\(Self.hint(id, trackIDs))")
  }

  private static func hint(_ id: String, _ known: [String]) -> String {
    if let nearest = id.nearest(among: known) { return ": did you mean \"\(nearest)\"?" }
    return known.count <= 10 ? ": there are \(known.joined(separator: ", "))" : ""
  }
}
