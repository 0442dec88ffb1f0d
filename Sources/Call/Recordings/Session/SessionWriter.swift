package import TesseraDocuments
import TesseraTimeline

extension SessionFile {
  /// Encodes a recording as the text of a session file.
  ///
  /// YAML that exceeds the size limit for reading is written as JSON, which is also valid YAML.
  package static func text(_ recording: Recording, _ syntax: DocumentValue.Syntax) -> String {
    let document = document(recording)
    guard syntax == .yaml else { return document.json(isIndented: true) + "\n" }
    let yaml = document.yaml
    return yaml.utf8.count <= DocumentValue.maximumYAMLSize
      ? yaml : document.json(isIndented: true) + "\n"
  }

  /// Encodes a recording as a session document. Default values are omitted.
  package static func document(_ recording: Recording) -> DocumentValue {
    var members = DocumentValue.Members()
    members.append("version", .number(DecimalLiteral(version)))
    members.add("title", recording.title)
    members.add("started-at", recording.startedAt.map(WallClockFormat.text))
    members.add("layout", recording.layout.map(document))
    var canvas = DocumentValue.Members()
    canvas.add("size", recording.canvas.size)
    canvas.add("fps", recording.canvas.frameRate.map { DocumentValue($0.description) })
    canvas.add("background", recording.canvas.background)
    canvas.append(recording.canvas.options)
    members.add("canvas", canvas)
    if !recording.edits.isEmpty { members.append("edits", recording.edits.document) }
    members.add(
      "chapters",
      recording.chapters.map {
        .object([("at", DocumentValue($0.time)), ("title", .text($0.title))])
      })
    members.add("trim-idle", recording.trimsIdle.map(DocumentValue.bool))
    members.add("align", recording.alignment?.rawValue)
    members.append("participants", .list(recording.participants.map(document)))
    members.add("events", recording.events.map(document))
    members.add("shots", recording.shots.map(SessionShotCoder.document))
    members.add("overlays", recording.overlays.map(document))
    members.add("transcripts", recording.transcripts.map(document))
    members.add("outputs", recording.outputs.map(\.document))
    members.add("notes", recording.notes.map(DocumentValue.text))
    members.add("left-out", recording.leftOut.sorted().map(DocumentValue.text))
    return .object(members)
  }

  private static func document(_ layout: RequestedLayout) -> DocumentValue {
    switch layout {
    case .named(let name): return .text(name)
    case .regions(let json):
      // Invalid JSON, which no importer or reader produces, is written as text. Reading refuses it.
      let regions = try? DocumentValue(json, .jsonc, file: "")
      return .object([("regions", regions ?? .text(json))])
    case .stylesheet(let text): return .object([("stylesheet", .text(text))])
    }
  }

  private static func document(_ person: Participant) -> DocumentValue {
    var members = DocumentValue.Members()
    members.append("id", .text(person.id))
    if person.name != person.id { members.append("name", .text(person.name)) }
    members.add("name-source", person.nameSource)
    if person.isLocal { members.append("local", .bool(true)) }
    members.add("avatar", person.avatar)
    if !person.hasTile { members.append("tile", .bool(false)) }
    members.add(
      "tracks",
      person.tracks.enumerated().map { document($1, defaultID: "\(person.id)-\($0 + 1)") })
    return .object(members)
  }

  private static func document(_ track: Track, defaultID: String) -> DocumentValue {
    var members = DocumentValue.Members()
    if track.id != defaultID { members.append("id", .text(track.id)) }
    members.append("file", .text(track.file))
    members.add("stream", track.stream.map { .number(DecimalLiteral($0)) })
    if track.kind != .media { members.append("kind", .text(track.kind.rawValue)) }
    members.add("channel", track.channel.map { .number(DecimalLiteral($0 + 1)) })
    let place = track.place
    let isPlain =
      place?.resolution == .zero && place?.source == TimeAnchor.recorder
      && [.start, .zero].contains(place?.event)
    if isPlain { members.append("start", DocumentValue(track.start)) }
    members.add("stop", track.stop.map { DocumentValue($0) })
    members.add("in", track.inPoint.map { DocumentValue($0) })
    members.add("out", track.outPoint.map { DocumentValue($0) })
    if track.rate != .one {
      members.add("rate", DecimalLiteral("\(track.rate.value)").map(DocumentValue.number))
    }
    if track.gain != 0 {
      members.add("gain", DecimalLiteral("\(track.gain)").map(DocumentValue.number))
    }
    if !track.isHeard { members.append("sound", .bool(false)) }
    if isPlain, place?.event == .zero { members.append("container-start", .bool(true)) }
    if isPlain { members.add("follows", track.follows) }
    members.add(
      "anchors", track.anchors.filter { !isPlain || $0 != place }.map(document))
    members.add("source", track.source)
    members.add("names", track.names.map(DocumentValue.text))
    members.add("classes", track.classes.map(DocumentValue.text))
    return .object(members)
  }

  private static func document(_ anchor: TimeAnchor) -> DocumentValue {
    var members = DocumentValue.Members()
    members.append("event", .text(anchor.event.rawValue))
    members.append("clock", .text(anchor.clock.text))
    members.append(
      "at", anchor.isUTC ? .text(WallClockFormat.text(anchor.time)) : DocumentValue(anchor.time))
    if anchor.resolution != .zero { members.append("within", DocumentValue(anchor.resolution)) }
    if anchor.source != TimeAnchor.recorder { members.append("source", .text(anchor.source)) }
    return .object(members)
  }

  private static func document(_ event: CallEvent) -> DocumentValue {
    var members = DocumentValue.Members()
    members.append("at", DocumentValue(event.time))
    let nobody = RecordingBuilder.nobody
    switch event.change {
    case .joined(let id), .left(let id), .enabled(let id, _), .disabled(let id, _),
      .renamed(let id, _):
      members.append("participant", .text(id))
    default: break
    }
    switch event.change {
    case .joined: members.append("present", .bool(true))
    case .left: members.append("present", .bool(false))
    case .enabled(_, let kind): members.append(kind.rawValue, .text("on"))
    case .disabled(_, let kind): members.append(kind.rawValue, .text("off"))
    case .renamed(_, let name): members.append("name", .text(name))
    case .pinned(let id): members.append("pin", .text(id ?? nobody))
    case .focused(let id): members.append("focus", .text(id ?? nobody))
    case .speaking(let id): members.append("speaking", .text(id ?? nobody))
    case .layout(let layout): members.append("layout", document(layout))
    case .classes(let track, let classes):
      members.append("track", .text(track))
      members.append("classes", .list(classes.map(DocumentValue.text)))
    }
    return .object(members)
  }

  private static func document(_ overlay: Overlay) -> DocumentValue {
    var members = DocumentValue.Members()
    members.append("from", DocumentValue(overlay.start))
    members.add("to", overlay.end.map { DocumentValue($0) })
    switch overlay.content {
    case .text(let text): members.append("text", .text(text))
    case .image(let path): members.append("image", .text(path))
    }
    members.append("place", .text(overlay.place.rawValue))
    return .object(members)
  }
}

extension SessionFile {
  private static func document(_ transcript: TranscriptReference) -> DocumentValue {
    var members = DocumentValue.Members()
    members.append("file", .text(transcript.file))
    members.add("participant", transcript.participant)
    members.add("start", transcript.start.map { DocumentValue($0) })
    return .object(members)
  }
}

extension DocumentValue {
  /// Creates a number: the time in seconds, exactly.
  init(_ time: MediaTime) {
    self = DecimalLiteral(time.description).map(DocumentValue.number) ?? .null
  }

  /// Creates a number if `text` is numeric, otherwise text.
  fileprivate init(_ text: String) {
    self = DecimalLiteral(text).map(DocumentValue.number) ?? .text(text)
  }

  fileprivate static func object(_ pairs: [(String, DocumentValue)]) -> DocumentValue {
    var members = Members()
    for (key, value) in pairs { members.append(key, value) }
    return .object(members)
  }
}

extension DocumentValue.Members {
  fileprivate mutating func add(_ key: String, _ value: DocumentValue?) {
    if let value { append(key, value) }
  }

  fileprivate mutating func add(_ key: String, _ text: String?) {
    add(key, text.map(DocumentValue.text))
  }

  fileprivate mutating func add(_ key: String, _ values: [DocumentValue]) {
    if !values.isEmpty { append(key, .list(values)) }
  }

  fileprivate mutating func add(_ key: String, _ members: DocumentValue.Members) {
    if !members.all.isEmpty { append(key, .object(members)) }
  }
}
