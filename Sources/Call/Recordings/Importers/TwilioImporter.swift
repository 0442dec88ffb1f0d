import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Twilio's list of recordings, with the `video_layout` of a composition beside it.
///
/// `offset` counts milliseconds from an arbitrary instant that all recordings of a room share, so
/// the earliest offset is zero of the timeline. Twilio measures it to the start of the track's
/// source, to which the container's own start time has to be added. The offset therefore dates time
/// zero of the container.
enum TwilioImporter: Importer {
  static let format = "twilio"

  static func score(_ folder: ImporterInput) -> Int {
    if folder.holds(isList) { return 100 }
    let hasList = folder.manifests.contains(where: isList)
    return hasList && folder.holds({ isLayout($0.document) }) ? 95 : 0
  }

  private static func isList(_ manifest: ImporterInput.Manifest) -> Bool {
    recordings(ManifestObject(manifest)).contains { isRecording($0.document) }
  }

  private static func isRecording(_ document: DocumentValue) -> Bool {
    document["grouping_sids"] != nil || document["sid"]?.text?.hasPrefix("RT") == true
  }

  private static func recordings(_ manifest: ManifestObject) -> [ManifestObject] {
    if isRecording(manifest.document) { return [manifest] }
    let listed = manifest.list("recordings")
    return listed.isEmpty ? manifest.elements : listed
  }

  /// True for a `video_layout`, or for a composition's request that contains one.
  static func isLayout(_ document: DocumentValue) -> Bool {
    let regions = document.object?.all ?? []
    return !regions.isEmpty && regions.allSatisfy { $0.value["video_sources"]?.list != nil }
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var list = TwilioRecordingList(folder: folder)
    for manifest in folder.manifests(isList) {
      for entry in recordings(ManifestObject(manifest)) { try list.add(entry) }
    }
    let layouts = folder.manifests { isLayout($0.document) }
    list.builder.noteChoice(of: layouts)
    var recording = try list.builder.finish(isWallClock: false, folder: folder)
    // Twilio's compositions trim idle stretches by default.
    recording.trimsIdle = true
    if let layout = layouts.first {
      recording.layout = .regions(json: layout.document.json())
    }
    return recording
  }
}

private struct TwilioRecordingList {
  let folder: ImporterInput
  var builder = RecordingBuilder()

  mutating func add(_ entry: ManifestObject) throws(DocumentError) {
    guard let kind = kind(entry) else { return }
    let sid = try entry.requiredText("sid")
    let offset = try entry.requiredTime("offset", .milliseconds)
    let groups = entry.member("grouping_sids")
    let person = groups.text("participant_sid") ?? sid
    let trackName = entry.text("track_name")
    let source = entry.text("source_sid")
    let name = trackName.flatMap { $0 == source ? nil : TrackNameParts($0).person }
    let suffix = entry.text("container_format") ?? (kind.isSoundOnly ? "mka" : "mkv")
    var track = Track(
      id: sid, file: file(sid, source, trackName, suffix, beside: entry.file), kind: kind,
      start: offset)
    track.anchors = [TimeAnchor(.zero, .session, track.start)]
    track.names = [trackName, sid, source, groups.text("participant_sid")].compactMap { $0 }
    let id = builder.person(person, name: name)
    try builder.add(track, to: id, at: entry.error("offset", ""))
  }

  private mutating func kind(_ entry: ManifestObject) -> TrackKind? {
    let sid = entry.text("sid") ?? entry.path
    if let status = entry.text("status"), ["deleted", "failed"].contains(status) {
      builder.note("\(sid) is left out: its recording is \(status).")
      return nil
    }
    let isScreen = entry.text("track_name").map { TrackNameParts($0).isScreen } ?? false
    switch entry.text("type")?.lowercased() {
    case "audio": return isScreen ? .screenAudio : .microphone
    case "video": return isScreen ? .screen : .camera
    default:
      builder.note("\(sid) is left out: it is neither sound nor pictures.")
      return nil
    }
  }

  /// Returns the file whose name contains one of the identifiers, the track's SID first.
  private func file(
    _ sid: String, _ source: String?, _ trackName: String?, _ suffix: String, beside path: String
  ) -> String {
    for name in [sid, source, trackName].compactMap({ $0 }) {
      if let file = folder.files.find("\(name).\(suffix)", beside: path) { return file }
    }
    let containing = folder.files.containing(sid)
    return containing ?? folder.files.path("\(sid).\(suffix)")
  }
}
