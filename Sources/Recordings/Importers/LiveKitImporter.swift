import TesseraDocuments
import TesseraTimeline

/// LiveKit egress: a manifest beside each file, with times in nanoseconds since 1970.
///
/// Track egress and track composite egress are somebody's; a room composite is a mix of all and
/// left out.
enum LiveKitImporter: Importer {
  static let format = "livekit"
  static let summary = "LiveKit egress manifests (EG_*.json)"

  static func score(_ folder: ImportFolder) -> Int { folder.holds(isEgress) ? 100 : 0 }

  private static func isEgress(_ manifest: ImportFolder.Manifest) -> Bool {
    manifest.document["egress_id"]?.text != nil
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var composites: [String] = []
    for manifest in folder.manifests(isEgress) {
      let entry = ManifestEntry(manifest)
      builder.recording.title = builder.recording.title ?? entry.text("room_name")
      let tracks = ["track_id", "audio_track_id", "video_track_id"].compactMap(entry.text)
      guard entry.text("publisher_identity") != nil || !tracks.isEmpty else {
        composites.append(entry.file)
        builder.note("\(entry.file) is left out: it is a composite of the whole room.")
        for file in entry.list("files") {
          let name = file.text("filename") ?? file.text("location")
          if let name { builder.leaveOut(folder.files.path(name, beside: entry.file)) }
        }
        continue
      }
      try add(entry, tracks, folder, to: &builder)
    }
    if builder.recording.tracks.isEmpty, let first = composites.first {
      throw DocumentError(
        file: first,
        reason: "it is the egress of a whole room, in which everyone is mixed already: give the "
          + "egresses of the tracks")
    }
    return try builder.finish(isWallClock: true, folder: folder)
  }

  private static func add(
    _ entry: ManifestEntry, _ trackIDs: [String], _ folder: ImportFolder,
    to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let egress = entry.text("egress_id") ?? entry.file
    let files = entry.list("files")
    guard !files.isEmpty else {
      let isSegmented = entry.document["playlists"] != nil
      builder.note(
        "\(entry.file) is left out: "
          + (isSegmented ? "its output is in segments, which are not read." : "it names no file."))
      return
    }
    let id = builder.person(entry.text("publisher_identity") ?? trackIDs[0])
    for file in files {
      let name = file.text("filename") ?? file.text("location")
      guard let name else { throw file.missing("filename", "a file's name") }
      var track = Track(
        id: trackIDs.first ?? egress, file: folder.files.path(name, beside: entry.file),
        kind: kind(entry), start: try entry.requiredTime("started_at", .nanoseconds))
      track.stop = try entry.time("ended_at", .nanoseconds)
      track.names = trackIDs + [egress]
      try builder.add(track, to: id, at: entry.error("ended_at", ""))
    }
  }

  private static func kind(_ entry: ManifestEntry) -> TrackKind {
    switch entry.text("track_source")?.lowercased() {
    case "camera": return .camera
    case "microphone": return .microphone
    case "screen_share": return .screen
    case "screen_share_audio": return .screenAudio
    default: break
    }
    if entry.text("track_kind")?.lowercased() == "audio" { return .microphone }
    if entry.text("track_kind")?.lowercased() == "video" { return .camera }
    let isSoundOnly = entry.text("audio_track_id") != nil && entry.text("video_track_id") == nil
    return isSoundOnly ? .microphone : entry.text("video_track_id") != nil ? .camera : .media
  }
}
