import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Amazon Chime recordings: meeting events with attendees' files.
///
/// Events are in `meeting-events/*.txt`, one JSON object per line or a list. Names of media files
/// begin with their time and end with the attendee's identifier:
/// `2025-10-09-08-53-20-412-ATTENDEE.mp4`. A sound file without an attendee is the mix of all. It
/// is used once, without a tile, if no attendee has separate sound.
enum ChimeImporter: Importer {
  static let format = "chime"

  static func score(_ folder: ImporterInput) -> Int { folder.holds(isEvents) ? 95 : 0 }

  private static func isEvents(_ manifest: ImporterInput.Manifest) -> Bool {
    events(ManifestObject(manifest)).contains {
      $0.document["EventType"]?.text != nil && $0.document["Timestamp"] != nil
    }
  }

  private static func events(_ manifest: ManifestObject) -> [ManifestObject] {
    if manifest.document["EventType"] != nil { return [manifest] }
    let listed = manifest.list("events")
    return listed.isEmpty ? manifest.elements : listed
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var meeting = ChimeMeeting(folder: folder)
    for manifest in folder.manifests(isEvents) {
      for event in events(ManifestObject(manifest)) { try meeting.add(event) }
    }
    return try meeting.recording()
  }
}

private struct ChimeMeeting {
  private let folder: ImporterInput
  private var builder = RecordingBuilder()
  private var started: MediaTime?
  private var attendees: [String: Participant.ID] = [:]
  private var mixes: [Track] = []
  private var hasOwnSound = false

  init(folder: ImporterInput) { self.folder = folder }

  /// Returns the time of an event: ISO 8601, or milliseconds since 1970.
  private func time(_ event: ManifestObject) throws(DocumentError) -> MediaTime {
    guard let value = event.document["Timestamp"] else {
      throw event.missing("Timestamp", "a date and time such as 2025-10-09T08:53:20Z")
    }
    if let text = value.text, let time = WallClockFormat.parse(text) { return time }
    return try event.requiredTime("Timestamp", .milliseconds)
  }

  mutating func add(_ event: ManifestObject) throws(DocumentError) {
    guard let type = event.text("EventType") else { return }
    let time = try time(event)
    let details = event.member("EventParameters")
    if type == "CaptureStarted" { started = min(started ?? time, time) }
    guard let id = attendee(details) else { return }
    switch type {
    case "AttendeeJoined": builder.add(CallEvent(time, .joined(id)))
    case "AttendeeLeft": builder.add(CallEvent(time, .left(id)))
    case "AttendeeVideoJoined": builder.add(CallEvent(time, .enabled(id, .camera)))
    case "AttendeeVideoLeft": builder.add(CallEvent(time, .disabled(id, .camera)))
    case "AudioTrackMute": builder.add(CallEvent(time, .disabled(id, .microphone)))
    case "AudioTrackUnmute": builder.add(CallEvent(time, .enabled(id, .microphone)))
    case "ActiveSpeaker": builder.add(CallEvent(time, .speaking(id)))
    default: break
    }
  }

  private mutating func attendee(_ details: ManifestObject) -> Participant.ID? {
    let id = details.text("attendeeId") ?? details.text("AttendeeId")
    guard let id else { return nil }
    let name = details.text("externalUserId") ?? details.text("ExternalUserId")
    // A content share is an attendee of its own: the owner's identifier with a suffix.
    let isShare = id.hasSuffix("#content")
    let person = builder.person(id, name: isShare ? name.map { "\($0)'s screen" } : name)
    attendees[id.lowercased()] = person
    return person
  }

  mutating func recording() throws(DocumentError) -> Recording {
    for file in folder.mediaFiles { try add(file.path) }
    for mix in mixes {
      guard !hasOwnSound else {
        builder.leaveOut(mix.file, RecordingBuilder.isMix)
        continue
      }
      let id = builder.mix()
      builder.hideTile(of: id)
      try builder.add(mix, to: id, at: DocumentError(file: mix.file, reason: ""))
    }
    return try builder.finish(zero: started, isWallClock: true, folder: folder)
  }

  private mutating func add(_ path: String) throws(DocumentError) {
    let stem = FileNameClassifier.stem(path)
    let bytes = Array(stem.utf8)
    guard let (count, time, _) = WallClockFormat.scan(bytes[...]) else {
      builder.leaveOut(path, "its name has no time.")
      return
    }
    let rest = String(decoding: bytes[count...].drop { $0 == UInt8(ascii: "-") }, as: UTF8.self)
    let isSound =
      FileNameClassifier.kind(path) == .audio
      || FileNameClassifier.folders(path).last?.lowercased() == "audio"
    guard !rest.isEmpty else {
      guard isSound else {
        builder.leaveOut(path, "its name has no attendee.")
        return
      }
      mixes.append(Track(id: stem, file: path, kind: .microphone, start: time))
      return
    }
    hasOwnSound = hasOwnSound || isSound
    let id = attendees[rest.lowercased()] ?? builder.person(rest)
    let isShare = rest.hasSuffix("#content")
    let kind: TrackKind = isShare ? .screen : isSound ? .microphone : .camera
    try builder.add(
      Track(id: stem, file: path, kind: kind, start: time), to: id,
      at: DocumentError(file: path, reason: ""))
  }
}
