import TesseraDocuments
import TesseraTimeline

/// Daily's raw tracks: by their file names, by the manifest of raw-tracks-tools, and by the event
/// JSON, which knows names and pauses. What several of them say of a file, the event JSON decides.
enum DailyImporter: Importer {
  static let format = "daily"
  static let summary = "Daily raw tracks: file names, manifest, event JSON"

  static func score(_ folder: ImportFolder) -> Int {
    if folder.holds(isManifest) || folder.holds(isEvents) { return 100 }
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { DailyName(MediaNames.stem($0.path)) != nil } ? 90 : 0
  }

  private static func isManifest(_ manifest: ImportFolder.Manifest) -> Bool {
    manifest.document["recordingStartTs"] != nil
  }

  private static func isEvents(_ manifest: ImportFolder.Manifest) -> Bool {
    manifest.document["recording"]?["type"]?.text == "raw-tracks"
      && manifest.document["events"]?.list != nil
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    var tracks = DailyTracks(folder: folder)
    // Files of another recording in the folder do not belong to the manifest's.
    for manifest in folder.manifests(isManifest) { try tracks.add(ManifestEntry(manifest)) }
    var events = DailyEvents()
    for manifest in folder.manifests(isEvents) {
      try events.read(ManifestEntry(manifest), into: &tracks)
    }
    tracks.addFiles()
    return try tracks.recording(events)
  }
}

/// `1760000000000-<36 letters>-cam-video-1760000000412`: when the recording began, whose it is,
/// what it is and when it began.
struct DailyName: Hashable {
  let recordingStart: MediaTime
  let person: String
  let type: String
  let start: MediaTime

  init?(_ stem: String) {
    let letters = Array(stem)
    guard let first = letters.firstIndex(of: "-"), let last = letters.lastIndex(of: "-"),
      first + 38 < last, letters[first + 37] == "-",
      let recording = Self.time(letters[..<first]), let start = Self.time(letters[(last + 1)...])
    else { return nil }
    recordingStart = recording
    person = String(letters[(first + 1)..<(first + 37)])
    type = String(letters[(first + 38)..<last])
    self.start = start
  }

  private static func time(_ digits: ArraySlice<Character>) -> MediaTime? {
    guard (12...14).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return Numeral(String(digits))?.time(.milliseconds)
  }
}

/// All that is known of each file, by its name without the extension.
private struct DailyTracks {
  struct Known {
    var name: DailyName
    var file: String
    var start: MediaTime
    var stop: MediaTime?
  }

  let folder: ImportFolder
  private(set) var known: [String: Known] = [:]
  private(set) var recordingStart: MediaTime?
  private var foreign = 0

  init(folder: ImportFolder) { self.folder = folder }

  /// The manifest's tracks.
  mutating func add(_ manifest: ManifestEntry) throws(DocumentError) {
    recordingStart = try manifest.requiredTime("recordingStartTs", .milliseconds)
    for person in manifest.list("participants") {
      let id = try person.requiredText("id")
      for track in person.list("tracks") {
        let file = try track.requiredText("file")
        let stem = MediaNames.stem(file)
        let start = try track.requiredTime("startTs", .milliseconds)
        let type = try track.requiredText("mediaType")
        let name = DailyName(
          person: id, type: type, recordingStart: recordingStart ?? start, start: start)
        known[stem] = Known(
          name: name, file: folder.files.path(file, beside: manifest.file), start: start)
      }
    }
  }

  /// The file of an event's `uri`; nil where its name is none of Daily's.
  mutating func add(stem: String, suffix: String, start: MediaTime) -> Bool {
    guard let name = DailyName(stem) else { return false }
    recordingStart = recordingStart ?? name.recordingStart
    let file = known[stem]?.file ?? folder.files.path("\(stem).\(suffix)")
    known[stem] = Known(name: known[stem]?.name ?? name, file: file, start: start)
    return true
  }

  mutating func stop(_ stem: String, at time: MediaTime) { known[stem]?.stop = time }

  /// What nobody has mentioned but lies there.
  mutating func addFiles() {
    for file in folder.mediaFiles {
      let stem = MediaNames.stem(file.path)
      guard known[stem] == nil, let name = DailyName(stem) else { continue }
      recordingStart = recordingStart ?? name.recordingStart
      guard name.recordingStart == recordingStart else {
        foreign += 1
        continue
      }
      known[stem] = Known(name: name, file: file.path, start: name.start)
    }
  }

  func recording(_ events: DailyEvents) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    let sorted = known.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }
    for (stem, track) in sorted {
      let id = builder.person(track.name.person, name: events.names[track.name.person])
      var value = Track(id: stem, file: track.file, kind: track.name.kind, start: track.start)
      value.stop = track.stop
      value.source = track.name.source
      value.names = [track.name.type]
      let place = DocumentError(file: track.file, path: "stop", reason: "")
      try builder.add(value, to: id, at: place)
    }
    for event in events.events { builder.add(event) }
    if foreign > 0 {
      builder.note(
        "\(foreign) files are left out: they belong to another recording, by the first number in "
          + "their names.")
    }
    return try builder.finish(zero: recordingStart, isWallClock: true, folder: folder)
  }
}

extension DailyName {
  init(person: String, type: String, recordingStart: MediaTime, start: MediaTime) {
    self.person = person
    self.type = type
    self.recordingStart = recordingStart
    self.start = start
  }

  var kind: TrackKind { Self.kind(type) }

  static func kind(_ type: String) -> TrackKind {
    let isSound = type.contains("audio")
    if type.hasPrefix("screen") { return isSound ? .screenAudio : .screen }
    return isSound ? .microphone : .camera
  }

  /// A track with a name of an application's own is a source beside the camera.
  var source: String? {
    ["cam-video", "cam-audio", "screen-video", "screen-audio"].contains(type) ? nil : type
  }
}

/// What Daily's event JSON says besides the files.
private struct DailyEvents {
  private(set) var names: [String: String] = [:]
  private(set) var events: [Event] = []
  private var types: [String: String] = [:]
  private var stems: [String: String] = [:]

  mutating func read(
    _ file: ManifestEntry, into tracks: inout DailyTracks
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
        try add(event, person, DailyName.kind(type), isOn: event.text("type") == "track-resumed")
      case "track-removed":
        let time = try event.requiredTime("ts", .seconds)
        if let stem = stems[key] { tracks.stop(stem, at: time) }
      default: break
      }
    }
  }

  private mutating func added(
    _ event: ManifestEntry, _ data: ManifestEntry, _ person: String, _ key: String
  ) throws(DocumentError) {
    let type = data.text("trackType") ?? "cam-\(data.text("kind") ?? "video")"
    types[key] = type
    if let name = data.text("displayName") {
      if let known = names[person], known != name {
        events.append(
          Event(try event.requiredTime("ts", .seconds), .renamed(person, to: name)))
      }
      names[person] = names[person] ?? name
    }
    if data.document["paused"]?.bool == true {
      try add(event, person, DailyName.kind(type), isOn: false)
    }
  }

  private mutating func started(
    _ event: ManifestEntry, _ data: ManifestEntry, _ key: String, _ tracks: inout DailyTracks
  ) throws(DocumentError) {
    let name = MediaNames.fileName(try data.requiredText("uri"))
    let start = try data.requiredTime("mediaStartTime", .seconds)
    let suffix: String
    switch data.text("contentType") {
    case "audio/wav", "audio/x-wav": suffix = "wav"
    case "audio/aac", "audio/mp4": suffix = "aac"
    default: suffix = "webm"
    }
    let stem = MediaNames.kind(name) == nil ? name : MediaNames.stem(name)
    guard tracks.add(stem: stem, suffix: suffix, start: start) else {
      throw data.error("uri", "does not end in a name as Daily writes them")
    }
    stems[key] = stem
  }

  private mutating func add(
    _ event: ManifestEntry, _ person: String, _ kind: TrackKind, isOn: Bool
  ) throws(DocumentError) {
    let time = try event.requiredTime("ts", .seconds)
    events.append(Event(time, isOn ? .enabled(person, kind) : .disabled(person, kind)))
  }
}
