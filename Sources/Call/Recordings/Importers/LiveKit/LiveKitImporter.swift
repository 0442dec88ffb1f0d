import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports LiveKit egress from the manifests beside the files and from the server's own reports.
///
/// A manifest's `started_at` (nanoseconds since 1970) is the time of the request, possibly minutes
/// before the first data. The server's times (``LiveKitEgressInfo``) take precedence if available.
/// Without them, a file that is shorter than its egress is placed by the egress's end.
///
/// Track egress and track composite egress belong to a participant. A room composite is a mix and
/// is left out.
enum LiveKitImporter: Importer {
  static let format = "livekit"

  static func score(_ folder: ImporterInput) -> Int {
    folder.holds(isEgress) || folder.holds(LiveKitEgressInfo.isEgressInfo) ? 100 : 0
  }

  /// The largest uncertainty of a start that is accepted without correction: 0.5 s.
  private static let certain = MediaTime(nanoseconds: 500_000_000)

  private static func isEgress(_ manifest: ImporterInput.Manifest) -> Bool {
    manifest.document["egress_id"]?.text != nil && !LiveKitEgressInfo.isEgressInfo(manifest)
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var composites: [String] = []
    let server = try LiveKitEgressInfo(folder)
    var seen: Set<String> = []
    for manifest in folder.manifests(isEgress) {
      let entry = ManifestObject(manifest)
      if let id = entry.text("egress_id") { seen.insert(id) }
      builder.recording.title = builder.recording.title ?? entry.text("room_name")
      let tracks = ["track_id", "audio_track_id", "video_track_id"].compactMap(entry.text)
      guard entry.text("publisher_identity") != nil || !tracks.isEmpty else {
        composites.append(entry.file)
        builder.note("\(file: entry.file) is left out: it is a composite of the whole room.")
        for file in entry.list("files") {
          let name = file.text("filename") ?? file.text("location")
          if let name { builder.leaveOut(folder.files.path(name, beside: entry.file)) }
        }
        continue
      }
      try add(entry, tracks, server, folder, to: &builder)
    }
    for egress in server.egresses.values.sorted(by: { $0.id < $1.id })
    where !seen.contains(egress.id) {
      if egress.isMix { composites.append(egress.source) }
      try add(egress, server, folder, to: &builder)
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
    _ entry: ManifestObject, _ trackIDs: [String], _ server: LiveKitEgressInfo,
    _ folder: ImporterInput,
    to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let egress = entry.text("egress_id") ?? entry.file
    let files = entry.list("files")
    let lists = entry.list("playlists").compactMap { list -> String? in
      (list.text("location") ?? list.text("filename")).flatMap {
        folder.playlist($0, beside: entry.file)
      }
    }
    guard !files.isEmpty || !lists.isEmpty else {
      let isSegmented = entry.document["playlists"] != nil
      builder.note(
        "\(file: entry.file) is left out: "
          + "\(isSegmented ? "the playlist that it names does not exist." : "it names no file.")")
      return
    }
    let identity = entry.text("publisher_identity") ?? trackIDs[0]
    let id = builder.person(identity, name: server.names[identity])
    for path in lists {
      let known = server.egresses[egress]?.files.first(where: \.isPlaylist)?.start
      var start = known ?? folder.playlists.date(path)
      if start == nil { start = try entry.requiredTime("started_at", .nanoseconds) }
      var track = Track(
        id: trackIDs.first ?? egress, file: path, kind: kind(entry), start: start ?? .zero)
      track.names = trackIDs + [egress]
      try builder.add(track, to: id, at: entry.error("ended_at", ""))
    }
    for file in files {
      let name = file.text("filename") ?? file.text("location")
      guard let name else { throw file.missing("filename", "a file's name") }
      var track = Track(
        id: trackIDs.first ?? egress, file: folder.files.path(name, beside: entry.file),
        kind: kind(entry), start: try entry.requiredTime("started_at", .nanoseconds))
      track.stop = try entry.time("ended_at", .nanoseconds)
      let known = server.egresses[egress]?.files ?? []
      let own = known.first {
        FileNameClassifier.fileName($0.name) == FileNameClassifier.fileName(name)
      }
      if let own = own ?? (known.count == 1 ? known[0] : nil) {
        (track.start, track.stop) = (own.start, own.stop)
      } else {
        place(&track, folder.source, &builder)
      }
      track.names = trackIDs + [egress]
      try builder.add(track, to: id, at: entry.error("ended_at", ""))
    }
  }

  /// Aligns the end of a track with the end of its egress if the file is shorter, and adds a note.
  private static func place(
    _ track: inout Track, _ source: RecordingSource, _ builder: inout RecordingBuilder
  ) {
    guard let stop = track.stop, let length = source.spans([track.file]).first??.duration else {
      return
    }
    let uncertain = (stop - track.start) - length
    guard uncertain > certain else { return }
    track.start = stop - length
    builder.note(
      "\(file: track.file) is placed by the end of its egress, and may start up to "
        + "\(uncertain.clockWithTenths) earlier: its manifest has only the time of the request. Put the "
        + "server's EgressInfo (lk egress list --json) beside it, or give \(option: "align") sound."
    )
  }

  /// Adds an egress that only the server's reports describe.
  private static func add(
    _ egress: LiveKitEgressInfo.Egress, _ server: LiveKitEgressInfo, _ folder: ImporterInput,
    to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    builder.recording.title = builder.recording.title ?? egress.room
    if egress.isMix {
      builder.note("the egress \(egress.id) is left out: it is a composite of the whole room.")
      for file in egress.files {
        builder.leaveOut(folder.files.path(file.name, beside: egress.source))
      }
      return
    }
    let published = egress.trackIDs.lazy.compactMap { server.owners[$0] }.first
    let owner = egress.identity ?? published ?? egress.trackIDs.first ?? egress.id
    let id = builder.person(owner, name: server.names[owner])
    for file in egress.files {
      let path =
        file.isPlaylist
        ? folder.playlist(file.name, beside: egress.source)
        : folder.files.path(file.name, beside: egress.source)
      guard let path else {
        builder.note(
          "the egress \(egress.id) is left out: its playlist \(file.name) does not exist.")
        continue
      }
      var track = Track(
        id: egress.trackIDs.first ?? egress.id, file: path, kind: .media, start: file.start)
      if let source = egress.trackIDs.first.flatMap({ server.sources[$0] }) {
        track.kind = kind(ofSource: source) ?? .media
      } else if FileNameClassifier.kind(path) == .audio {
        track.kind = .microphone
      }
      track.stop = file.isPlaylist ? nil : file.stop
      track.names = egress.trackIDs + [egress.id]
      try builder.add(track, to: id, at: DocumentError(file: egress.source, reason: ""))
    }
  }

  private static func kind(ofSource source: String) -> TrackKind? {
    switch source.lowercased() {
    case "camera": .camera
    case "microphone": .microphone
    case "screen_share": .screen
    case "screen_share_audio": .screenAudio
    default: nil
    }
  }

  private static func kind(_ entry: ManifestObject) -> TrackKind {
    if let kind = entry.text("track_source").flatMap(kind(ofSource:)) { return kind }
    if entry.text("track_kind")?.lowercased() == "audio" { return .microphone }
    if entry.text("track_kind")?.lowercased() == "video" { return .camera }
    let isSoundOnly = entry.text("audio_track_id") != nil && entry.text("video_track_id") == nil
    return isSoundOnly ? .microphone : entry.text("video_track_id") != nil ? .camera : .media
  }
}
