import TesseraDocuments
import TesseraTimeline

/// Facts from LiveKit's server about a room: EgressInfo and webhooks.
///
/// EgressInfo comes from webhooks, ListEgress or `lk egress list --json`, and is the only source of
/// exact start times. Webhooks about participants and tracks contain names.
struct LiveKitEgressInfo {
  /// A file of an egress with its exact times.
  struct File {
    var name: String
    var start: MediaTime
    var stop: MediaTime?
    var isPlaylist = false
  }

  /// An egress as the server reports it.
  struct Egress {
    var id: String
    var room: String?
    var identity: String?
    var trackIDs: [String] = []
    /// True for a mix of everyone in the room.
    var isMix = false
    var files: [File] = []
    /// The path of the document that describes the egress.
    var source: String
  }

  /// The egresses by identifier. The last report about an egress counts.
  private(set) var egresses: [String: Egress] = [:]
  /// Participants' names by identity.
  private(set) var names: [String: String] = [:]
  /// The sources of tracks, such as `CAMERA`, by track identifier.
  private(set) var sources: [String: String] = [:]
  /// The identities of tracks' owners, by track identifier.
  private(set) var owners: [String: String] = [:]

  /// Reads all reports in the folder.
  init(_ folder: ImporterInput) throws(DocumentError) {
    for manifest in folder.manifests {
      for entry in Self.entries(ManifestObject(manifest)) { try take(entry) }
    }
  }

  /// True if the manifest contains an EgressInfo.
  static func isEgressInfo(_ manifest: ImporterInput.Manifest) -> Bool {
    entries(ManifestObject(manifest)).contains { entry in
      let info = egressInfo(entry)
      return info.either("egressId", "egress_id") != nil
        && (results(info).map { !$0.isEmpty } ?? false)
    }
  }

  /// Returns the objects in a document: itself, the elements of a list, or `items`.
  private static func entries(_ entry: ManifestObject) -> [ManifestObject] {
    if entry.document.list != nil { return entry.elements.flatMap(entries) }
    let items = entry.list("items")
    return items.isEmpty ? [entry] : items
  }

  /// Returns the EgressInfo in a webhook, or the object itself.
  private static func egressInfo(_ entry: ManifestObject) -> ManifestObject {
    for key in ["egressInfo", "egress_info"] where entry.document[key] != nil {
      return entry.member(key)
    }
    return entry
  }

  /// Returns the files and playlists of an egress; `nil` if the object does not list any.
  private static func results(_ info: ManifestObject) -> [ManifestObject]? {
    let keys = ["fileResults", "file_results", "segmentResults", "segment_results"]
    guard keys.contains(where: { info.document[$0] != nil }) else { return nil }
    return keys.flatMap(info.list)
  }

  private mutating func take(_ entry: ManifestObject) throws(DocumentError) {
    let person = entry.member("participant")
    if entry.text("event") != nil, let identity = person.text("identity") {
      if let name = person.text("name") { names[identity] = name }
      let track = entry.member("track")
      if let sid = track.text("sid") { owners[sid] = identity }
      if let sid = track.text("sid"), let source = track.text("source") { sources[sid] = source }
    }
    let info = Self.egressInfo(entry)
    guard let id = info.either("egressId", "egress_id"), let results = Self.results(info) else {
      return
    }
    var egress = Egress(id: id, source: entry.file)
    egress.room = info.either("roomName", "room_name")
    for key in ["participant", "track", "trackComposite", "track_composite"] {
      let request = info.member(key)
      egress.identity = egress.identity ?? request.text("identity")
      egress.trackIDs += [
        ("trackId", "track_id"), ("audioTrackId", "audio_track_id"),
        ("videoTrackId", "video_track_id"),
      ].compactMap { request.either($0.0, $0.1) }
    }
    egress.isMix =
      ["roomComposite", "room_composite", "web"].contains { info.document[$0] != nil }
    for result in results {
      guard let start = try result.time("startedAt", "started_at") else { continue }
      if let name = result.text("filename") ?? result.text("location") {
        egress.files.append(
          File(name: name, start: start, stop: try result.time("endedAt", "ended_at")))
      } else if let name = result.either("playlistName", "playlist_name") {
        egress.files.append(File(name: name, start: start, isPlaylist: true))
      }
    }
    egresses[id] = egress
  }
}

extension ManifestObject {
  /// Returns the text of a member whose key has two spellings.
  fileprivate func either(_ key: String, _ other: String) -> String? { text(key) ?? text(other) }

  /// Returns the time of a member whose key has two spellings, in nanoseconds; `nil` if it is
  /// missing or 0.
  fileprivate func time(_ key: String, _ other: String) throws(DocumentError) -> MediaTime? {
    let time = try time(document[key] == nil ? other : key, .nanoseconds)
    return time == .zero ? nil : time
  }
}
