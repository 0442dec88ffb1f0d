import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Reads Daily's event JSON: names, pauses, and the starts and ends of tracks.
struct DailyEventReader {
  private(set) var names: [String: String] = [:]
  private(set) var events: [CallEvent] = []
  private var types: [String: String] = [:]
  private var stems: [String: String] = [:]

  mutating func read(
    _ file: ManifestObject, into tracks: inout DailyTrackCollector
  ) throws(DocumentError) {
    for event in file.list("events") {
      guard let type = event.text("type") else { continue }
      let data = event.member("data")
      guard let person = event.text("participant_id") else { continue }
      let key = "\(person) \(data.text("trackSessionNum") ?? "")"
      switch type {
      case "track-added": try added(event, data, person, key)
      case "recording-media-started": try started(event, data, key, &tracks)
      case "track-paused", "track-resumed":
        guard let type = types[key] else { continue }
        try add(
          event, person, DailyFileName.kind(type), isOn: event.text("type") == "track-resumed")
      case "track-removed":
        let time = try event.requiredTime("ts", .seconds)
        if let stem = stems[key] { tracks.stop(stem, at: time) }
      default: break
      }
    }
  }

  private mutating func added(
    _ event: ManifestObject, _ data: ManifestObject, _ person: String, _ key: String
  ) throws(DocumentError) {
    let type = data.text("trackType") ?? "cam-\(data.text("kind") ?? "video")"
    types[key] = type
    if let name = data.text("displayName") {
      if let known = names[person], known != name {
        events.append(
          CallEvent(try event.requiredTime("ts", .seconds), .renamed(person, to: name)))
      }
      names[person] = names[person] ?? name
    }
    if data.document["paused"]?.bool == true {
      try add(event, person, DailyFileName.kind(type), isOn: false)
    }
  }

  private mutating func started(
    _ event: ManifestObject, _ data: ManifestObject, _ key: String,
    _ tracks: inout DailyTrackCollector
  ) throws(DocumentError) {
    let name = FileNameClassifier.fileName(try data.requiredText("uri"))
    let start = try data.requiredTime("mediaStartTime", .seconds)
    let suffix: String
    switch data.text("contentType") {
    case "audio/wav", "audio/x-wav": suffix = "wav"
    case "audio/aac", "audio/mp4": suffix = "aac"
    default: suffix = "webm"
    }
    let stem = FileNameClassifier.kind(name) == nil ? name : FileNameClassifier.stem(name)
    guard tracks.add(stem: stem, suffix: suffix, start: start) else {
      throw data.error("uri", "does not end in a name as Daily writes them")
    }
    stems[key] = stem
  }

  private mutating func add(
    _ event: ManifestObject, _ person: String, _ kind: TrackKind, isOn: Bool
  ) throws(DocumentError) {
    let time = try event.requiredTime("ts", .seconds)
    events.append(CallEvent(time, isOn ? .enabled(person, kind) : .disabled(person, kind)))
  }
}
