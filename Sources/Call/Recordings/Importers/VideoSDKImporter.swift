import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports VideoSDK's recordings of tracks and participants: `SESSION/PARTICIPANT/KIND/FILE`.
///
/// The paths are those of folders, or of URLs in a recording object. A new file starts each time a
/// track is switched on, but only the first file's start is known. The others follow it, and a note
/// states that.
enum VideoSDKImporter: Importer {
  static let format = "videosdk"

  static func score(_ folder: ImporterInput) -> Int {
    if folder.holds(isRecording) { return 100 }
    guard folder.source.manifest == nil else { return 0 }
    let media = folder.mediaFiles
    let placed = media.filter { TrackPath($0.path) != nil }
    return !media.isEmpty && placed.count == media.count ? 80 : 0
  }

  private static func isRecording(_ manifest: ImporterInput.Manifest) -> Bool {
    manifest.document["roomId"] != nil
      && manifest.document["files"]?.list?.contains { $0["fileUrl"] != nil } == true
  }

  /// The participant and the kind in the folders of a path.
  private struct TrackPath {
    let person: String
    let kind: TrackKind

    init?(_ path: String) {
      let folders = path.split(separator: "/").dropLast().map(String.init)
      guard let last = folders.last, folders.count >= 2 else { return nil }
      switch last {
      case "video": kind = .camera
      case "audio": kind = .microphone
      case "screen_video": kind = .screen
      case "screen_audio": kind = .screenAudio
      default: return nil
      }
      person = folders[folders.count - 2]
    }
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    let manifests = folder.manifests(isRecording)
    var builder = RecordingBuilder()
    for manifest in manifests { try add(ManifestObject(manifest), folder, to: &builder) }
    guard manifests.isEmpty else {
      return try builder.finish(isWallClock: true, folder: folder)
    }
    let files = folder.mediaFiles.compactMap { file in TrackPath(file.path).map { (file.path, $0) }
    }
    let groups = Dictionary(grouping: files) { "\($0.1.person) \($0.1.kind.rawValue)" }
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
      let id = builder.person(group[0].1.person)
      let tracks = group.map { Track(id: $0.0, file: $0.0, kind: $0.1.kind) }
      try add(tracks, to: id, DocumentError(file: folder.source.name, reason: ""), &builder)
    }
    builder.note(
      "The tracks have no recording object with their start times; all start together. Put it beside them, "
        + "or use \(option: "align") clock or \(option: "offset").")
    return try builder.finish(isWallClock: false, folder: folder)
  }

  private static func add(
    _ entry: ManifestObject, _ folder: ImporterInput, to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    guard let start = try entry.date("start") else {
      throw entry.missing("start", "a date and time such as 2025-10-09T08:53:20Z")
    }
    let stop = try entry.date("end")
    var groups: [(key: String, tracks: [Track])] = []
    var person: String?
    for file in entry.list("files") {
      let address = try file.requiredText("fileUrl")
      // Queries and fragments are not part of the name.
      let path = String(address.prefix { $0 != "?" && $0 != "#" })
      let place = TrackPath(path)
      person = person ?? place?.person
      var track = Track(
        id: "\(entry.text("id") ?? "")-\(FileNameClassifier.stem(path))",
        file: folder.files.path(localPath(path), beside: entry.file),
        kind: place?.kind ?? .media, start: start)
      track.stop = stop
      let key = track.kind.rawValue
      if let index = groups.firstIndex(where: { $0.key == key }) {
        groups[index].tracks.append(track)
      } else {
        groups.append((key, [track]))
      }
    }
    let name = entry.text("participantName")
    let key = entry.text("participantId") ?? person ?? name ?? entry.file
    let id = builder.person(key, name: name)
    for group in groups {
      try add(group.tracks, to: id, entry.error("end", ""), &builder)
    }
  }

  /// Returns the path of a URL without its host.
  private static func localPath(_ address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return address }
    let rest = address[scheme.upperBound...]
    return String(rest.drop { $0 != "/" }.dropFirst())
  }

  /// Adds the files of one track, each after the previous one.
  private static func add(
    _ tracks: [Track], to id: Participant.ID, _ place: DocumentError,
    _ builder: inout RecordingBuilder
  ) throws(DocumentError) {
    for (index, track) in tracks.enumerated() {
      var track = track
      if index > 0 {
        track.follow(builder.lastTrackID)
      }
      // The end of each file is more exact than the common end.
      if tracks.count > 1 { track.stop = nil }
      try builder.add(track, to: id, at: place)
    }
    guard tracks.count > 1 else { return }
    builder.note(
      "\(id) has \(tracks.count) files of its \(tracks[0].kind.rawValue); only the first one's "
        + "start is known, the others are placed after each other.")
  }
}
