import TesseraDocuments
import TesseraTimeline

/// Janus' video rooms, after `janus-pp-rec` has made media files of the `.mjr` files: by the names
/// `videoroom-ROOM-user-USER-MICROSECONDS-KIND-INDEX`, and by the `.mjr` header as JSON
/// (`janus-pp-rec --json`) under the same name, whose time of the first packet is the nearer one.
enum JanusImporter: Importer {
  static let format = "janus"
  static let summary = "Janus video room recordings after janus-pp-rec"

  static func score(_ folder: ImportFolder) -> Int {
    if folder.holds(isHeader) { return 90 }
    guard folder.source.manifest == nil else { return 0 }
    if folder.mediaFiles.contains(where: { JanusName(MediaNames.stem($0.path)) != nil }) {
      return 88
    }
    let isUnconverted = folder.source.files.contains { MediaNames.fileExtension($0.path) == "mjr" }
    return isUnconverted ? 60 : 0
  }

  private static func isHeader(_ manifest: ImportFolder.Manifest) -> Bool {
    guard let type = manifest.document["t"]?.text, ["a", "v", "d"].contains(type) else {
      return false
    }
    return manifest.document["s"]?.numeral != nil || manifest.document["u"]?.numeral != nil
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var seen: Set<String> = []
    for manifest in folder.manifests(isHeader) {
      let entry = ManifestEntry(manifest)
      let stem = MediaNames.stem(MediaNames.stem(entry.file))
      guard entry.text("t") != "d", seen.insert(stem).inserted else { continue }
      let created = try entry.time("s", .microseconds)
      guard let start = try entry.time("u", .microseconds) ?? created else { continue }
      if entry.document["e"]?.bool == true {
        throw entry.error("e", "says that the recording is encrypted, which cannot be read")
      }
      let isSound = entry.text("t") == "a"
      let file = folder.files.path("\(stem).\(isSound ? "opus" : "webm")", beside: entry.file)
      let description = entry.text("d")
      let name = JanusName(stem) ?? JanusName(stem: stem, isSound: isSound)
      try add(name, stem, file, start: start, description: description, to: &builder)
    }
    for file in folder.mediaFiles where folder.source.manifest == nil {
      let stem = MediaNames.stem(file.path)
      guard let name = JanusName(stem), seen.insert(stem).inserted else { continue }
      try add(name, stem, file.path, start: name.time ?? .zero, description: nil, to: &builder)
    }
    let hasMJR = folder.source.files.contains { MediaNames.fileExtension($0.path) == "mjr" }
    if builder.recording.tracks.isEmpty, hasMJR {
      throw folder.error(
        "its recordings are .mjr files, which hold packets: make media files of them with "
          + "janus-pp-rec, under the same names")
    }
    return try builder.finish(isWallClock: true, folder: folder)
  }

  private static func add(
    _ name: JanusName, _ stem: String, _ file: String, start: MediaTime, description: String?,
    to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let isScreen = description.map { SourceWords($0).isScreen } ?? false
    var kind: TrackKind = name.isSound ? .microphone : .camera
    if isScreen { kind = name.isSound ? .screenAudio : .screen }
    let id = builder.person(name.user)
    var track = Track(id: stem, file: file, kind: kind, start: start)
    track.names = [description].compactMap { $0 }
    try builder.add(track, to: id, at: DocumentError(file: file, reason: ""))
  }
}

/// `videoroom-1234-user-ada-1760000000412000-video-0`, or a base of an application's own before the
/// kind: what stands before the kind is whose it is.
struct JanusName {
  let user: String
  let time: MediaTime?
  let isSound: Bool

  init?(_ stem: String) {
    let parts = stem.split(separator: "-").map(String.init)
    guard parts.count >= 5, parts[0] == "videoroom", let index = Int(parts[parts.count - 1]),
      index >= 0, ["audio", "video"].contains(parts[parts.count - 2]),
      let marker = parts.firstIndex(of: "user"), marker + 1 < parts.count - 3
    else { return nil }
    isSound = parts[parts.count - 2] == "audio"
    let clock = parts[parts.count - 3]
    guard (15...17).contains(clock.utf8.count),
      let time = Numeral(clock)?.time(.microseconds), time > .zero
    else { return nil }
    self.time = time
    user = parts[(marker + 1)..<(parts.count - 3)].joined(separator: "-")
  }

  /// The name of a file that has a header of its own.
  init(stem: String, isSound: Bool) {
    let parts = stem.split(separator: "-").map(String.init)
    let rest = parts.filter { !["audio", "video", "data"].contains($0) }
    let numbered = rest.count > 1 && rest.count < parts.count && Int(rest[rest.count - 1]) != nil
    user = (numbered ? rest.dropLast() : rest[...]).joined(separator: "-")
    time = nil
    self.isSound = isSound
  }
}
