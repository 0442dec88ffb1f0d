import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Reads the events of a session file: each has a time, a participant and a change.
struct SessionEventReader {
  private let people: SessionParticipantReader

  init(_ people: SessionParticipantReader) { self.people = people }

  /// The kinds of tracks that events switch on and off, each with its own key.
  static let switched: [TrackKind] = [.camera, .microphone, .screen, .screenAudio, .still, .media]

  func events(_ cursor: inout DocumentMemberReader) throws(DocumentError) -> [CallEvent] {
    var events: [CallEvent] = []
    let items = try cursor.objects("events") ?? []
    guard items.count <= Recording.maximumEvents else {
      throw cursor.invalid("events", "at most \(Recording.maximumEvents)")
    }
    for item in items { events += try self.events(item) }
    events.stableSort { $0.time < $1.time }
    return events
  }

  private func events(_ item: DocumentMemberReader) throws(DocumentError) -> [CallEvent] {
    var item = item
    let written = try item.timelineTime("at")
    let time = try item.required(written, "at")
    let (id, personal) = try aboutPerson(&item)
    var changes = personal
    if let layout = try item.layout("layout") { changes.append(.layout(layout)) }
    if let id = try person("focus", &item) { changes.append(.focused(id.id)) }
    if let id = try person("pin", &item) { changes.append(.pinned(id.id)) }
    if let id = try person("speaking", &item) { changes.append(.speaking(id.id)) }
    let track = try item.identifier("track")
    let classes = try item.texts("classes")
    switch (track, classes) {
    case (let track?, let classes?):
      changes.append(.classes(try people.checkedTrack(track, "track", item), classes))
    case (nil, nil): break
    default: throw item.wrong("track", "and \"classes\" belong together")
    }
    try item.finish()
    guard (id == nil) == personal.isEmpty else {
      throw id == nil
        ? item.wrong("participant", "is missing: add \"participant: …\" there")
        : item.wrong("participant", "has no change: add one, such as camera: off")
    }
    guard !changes.isEmpty else {
      throw item.wrong("at", "has no change beside it: add one, such as layout: speaker")
    }
    return changes.map { CallEvent(time, $0) }
  }

  /// Takes the participant of an event and the changes that concern it.
  private func aboutPerson(
    _ item: inout DocumentMemberReader
  ) throws(DocumentError) -> (id: String?, [CallEvent.Change]) {
    let id = try item.identifier("participant")
    if let id { _ = try people.checked(id, "participant", item) }
    var changes: [CallEvent.Change] = []
    let person = id ?? ""
    if let isPresent = try item.bool("present") {
      changes.append(isPresent ? .joined(person) : .left(person))
    }
    if let name = try item.identifier("name") { changes.append(.renamed(person, to: name)) }
    for kind in Self.switched {
      guard let isOn = try item.bool(kind.rawValue) else { continue }
      changes.append(isOn ? .enabled(person, kind) : .disabled(person, kind))
    }
    return (id, changes)
  }

  /// Takes a participant's identifier; `(nil, ())` for `none`, and `nil` if the key is missing.
  private func person(
    _ key: String, _ item: inout DocumentMemberReader
  ) throws(DocumentError) -> (id: String?, Void)? {
    guard let id = try item.identifier(key) else { return nil }
    guard id != RecordingBuilder.nobody else { return (nil, ()) }
    return (try people.checked(id, key, item), ())
  }
}
