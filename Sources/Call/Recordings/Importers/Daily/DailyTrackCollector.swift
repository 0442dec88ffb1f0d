import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Collects the facts about Daily's tracks, by file name without extension.
struct DailyTrackCollector {
  struct TrackDetails {
    var name: DailyFileName
    var file: String
    var start: MediaTime
    var stop: MediaTime?
  }

  let folder: ImporterInput
  private(set) var known: [String: TrackDetails] = [:]
  private(set) var recordingStart: MediaTime?
  private var foreign = 0

  init(folder: ImporterInput) { self.folder = folder }

  /// Adds the tracks that the manifest lists.
  mutating func add(_ manifest: ManifestObject) throws(DocumentError) {
    recordingStart = try manifest.requiredTime("recordingStartTs", .milliseconds)
    for person in manifest.list("participants") {
      let id = try person.requiredText("id")
      for track in person.list("tracks") {
        let file = try track.requiredText("file")
        let stem = FileNameClassifier.stem(file)
        let start = try track.requiredTime("startTs", .milliseconds)
        let type = try track.requiredText("mediaType")
        let name = DailyFileName(
          person: id, type: type, recordingStart: recordingStart ?? start, start: start)
        known[stem] = TrackDetails(
          name: name, file: folder.files.path(file, beside: manifest.file), start: start)
      }
    }
  }

  /// Adds the track that an event names by its `uri`; returns false if the name is not one of
  /// Daily's.
  mutating func add(stem: String, suffix: String, start: MediaTime) -> Bool {
    guard let name = DailyFileName(stem) else { return false }
    recordingStart = recordingStart ?? name.recordingStart
    let file = known[stem]?.file ?? folder.files.path("\(stem).\(suffix)")
    known[stem] = TrackDetails(name: known[stem]?.name ?? name, file: file, start: start)
    return true
  }

  mutating func stop(_ stem: String, at time: MediaTime) { known[stem]?.stop = time }

  /// Adds the remaining files of the recording by their names.
  mutating func addFiles() {
    for file in folder.mediaFiles {
      let stem = FileNameClassifier.stem(file.path)
      guard known[stem] == nil, let name = DailyFileName(stem) else { continue }
      recordingStart = recordingStart ?? name.recordingStart
      guard name.recordingStart == recordingStart else {
        foreign += 1
        continue
      }
      known[stem] = TrackDetails(name: name, file: file.path, start: name.start)
    }
  }

  func recording(_ events: DailyEventReader) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var ids: [String: Participant.ID] = [:]
    let sorted = known.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }
    for (stem, track) in sorted {
      let id = builder.person(track.name.person, name: events.names[track.name.person])
      ids[track.name.person] = id
      var value = Track(id: stem, file: track.file, kind: track.name.kind, start: track.start)
      value.stop = track.stop
      value.source = track.name.source
      value.names = [track.name.type]
      let place = DocumentError(file: track.file, path: "stop", reason: "")
      try builder.add(value, to: id, at: place)
    }
    for event in events.events {
      guard let id = event.change.participant.flatMap({ ids[$0] }) else { continue }
      builder.add(CallEvent(event.time, event.change.about(id)))
    }
    if foreign > 0 {
      builder.note(
        "\(foreign) files are left out: they belong to another recording, by the first number in "
          + "their names.")
    }
    return try builder.finish(zero: recordingStart, isWallClock: true, folder: folder)
  }
}
