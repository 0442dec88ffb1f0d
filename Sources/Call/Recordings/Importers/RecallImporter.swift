import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Recall's separate streams from the JSON lists that its API returns, in files of any
/// name.
///
/// The lists contain parts of video and audio, participant events, and the speaker timeline. Times
/// count from the recording's beginning.
enum RecallImporter: Importer {
  static let format = "recall"

  static func score(_ folder: ImporterInput) -> Int { folder.holds(isParts) ? 95 : 0 }

  private static func isParts(_ manifest: ImporterInput.Manifest) -> Bool {
    isList(manifest) { $0["start_timestamp"] != nil && $0["download_url"] != nil }
  }

  private static func isList(
    _ manifest: ImporterInput.Manifest, where isPart: (DocumentValue) -> Bool
  ) -> Bool {
    guard let parts = manifest.document.list, !parts.isEmpty else { return false }
    return parts.allSatisfy { $0["participant"] != nil && isPart($0) }
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var seen: Set<String> = []
    for manifest in folder.manifests where isParts(manifest) {
      for part in ManifestObject(manifest).elements {
        try add(part, folder, to: &builder, &seen)
      }
    }
    for manifest in folder.manifests where isList(manifest, where: { $0["action"] != nil }) {
      for event in ManifestObject(manifest).elements { try add(event, to: &builder) }
    }
    for manifest in folder.manifests
    where isList(manifest, where: { $0["end_timestamp"] != nil && $0["download_url"] == nil }) {
      for turn in ManifestObject(manifest).elements {
        guard let id = person(turn, &builder), let start = try time(turn, "start_timestamp"),
          let end = try time(turn, "end_timestamp"), start < end
        else { continue }
        builder.add(CallEvent(max(.zero, start), .speaking(id)))
        builder.add(CallEvent(max(.zero, end), .speaking(nil)))
      }
    }
    for manifest in folder.manifests {
      let shortcuts = ManifestObject(manifest).member("media_shortcuts").member("meeting_metadata")
      builder.recording.title =
        builder.recording.title ?? shortcuts.member("data").member("metadata").text("title")
        ?? shortcuts.member("data").text("title")
    }
    return try builder.finish(zero: .zero, isWallClock: false, folder: folder)
  }

  /// Returns the participant of a part or event; `nil` if it names none.
  private static func person(
    _ entry: ManifestObject, _ builder: inout RecordingBuilder
  ) -> Participant.ID? {
    let person = entry.member("participant")
    guard let key = person.text("id") ?? person.text("name") else { return nil }
    return builder.person(key, name: person.text("name"))
  }

  /// Returns the time of the member `key` in seconds from the recording's beginning.
  private static func time(
    _ entry: ManifestObject, _ key: String
  ) throws(DocumentError) -> MediaTime? {
    try entry.member(key).time("relative", .seconds)
  }

  private static func add(
    _ part: ManifestObject, _ folder: ImporterInput, to builder: inout RecordingBuilder,
    _ seen: inout Set<String>
  ) throws(DocumentError) {
    guard let id = person(part, &builder), let start = try time(part, "start_timestamp") else {
      throw part.missing("start_timestamp", "the time from the beginning, as \"relative\"")
    }
    let name = part.text("id") ?? part.path
    guard seen.insert(name).inserted else { return }
    let address = part.text("download_url").map { String($0.prefix { $0 != "?" }) } ?? ""
    let file =
      folder.files.find(FileNameClassifier.fileName(address), beside: part.file)
      ?? folder.files.containing(name)
    guard let file, FileNameClassifier.kind(file) != nil else {
      builder.note(
        "\(file: part.file): the part \(name) does not exist; download it as \(FileNameClassifier.fileName(address)) "
          + "or \(name), with the ending of its format.")
      return
    }
    let kind: TrackKind =
      switch part.text("type") {
      case "webcam": .camera
      case "screenshare": .screen
      default: FileNameClassifier.kind(file) == .video ? .camera : .microphone
      }
    // A part that starts before the recording is trimmed to the recording's beginning.
    var track = Track(id: name, file: file, kind: kind, start: max(.zero, start))
    if start < .zero { track.inPoint = .zero - start }
    track.isHeard = kind != .camera
    try builder.add(track, to: id, at: part.error("start_timestamp", ""))
  }

  private static func add(
    _ event: ManifestObject, to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    guard let id = person(event, &builder), let time = try time(event, "timestamp"),
      time >= .zero
    else { return }
    switch event.text("action") {
    case "join": builder.add(CallEvent(time, .joined(id)))
    case "leave": builder.add(CallEvent(time, .left(id)))
    case "speech_on": builder.add(CallEvent(time, .speaking(id)))
    case "webcam_on": builder.add(CallEvent(time, .enabled(id, .camera)))
    case "webcam_off": builder.add(CallEvent(time, .disabled(id, .camera)))
    case "screenshare_on": builder.add(CallEvent(time, .enabled(id, .screen)))
    case "screenshare_off": builder.add(CallEvent(time, .disabled(id, .screen)))
    default: break
    }
  }
}
