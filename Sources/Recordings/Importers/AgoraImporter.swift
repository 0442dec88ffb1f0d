import TesseraDocuments
import TesseraTimeline

/// Agora's individual recordings by their names, `SID_CHANNEL__uid_s_UID__uid_e_KIND_UTC.EXT`; the
/// time is UTC to a millisecond. Slices of one person follow by their times. Playlists are not
/// read: the slices say the same.
enum AgoraImporter: Importer {
  static let format = "agora"
  static let summary = "Agora individual recordings (…__uid_s_…__uid_e_…)"

  static func score(_ folder: ImportFolder) -> Int {
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { AgoraName($0.path) != nil } ? 88 : 0
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    let files = folder.mediaFiles.compactMap { file in AgoraName(file.path).map { (file.path, $0) }
    }
    let hasClock = files.contains { $0.1.time != nil }
    let first = files.compactMap(\.1.time).min() ?? .zero
    for (path, name) in files {
      let id = builder.person(name.user)
      var track = Track(
        id: MediaNames.stem(path), file: path, kind: name.kind, start: name.time ?? first)
      track.clockStart = name.time.map { ClockStart($0, .name) }
      try builder.add(track, to: id, at: DocumentError(file: path, reason: ""))
      if name.time == nil, hasClock {
        builder.note("\(path) has no time in its name; it begins with the first of the others.")
      }
    }
    return try builder.finish(isWallClock: hasClock, folder: folder)
  }
}

/// What a name of Agora's says.
struct AgoraName {
  let user: String
  let kind: TrackKind
  let time: MediaTime?

  init?(_ path: String) {
    let stem = MediaNames.stem(path)
    guard let begin = stem.firstRange(of: "__uid_s_"),
      let end = stem[begin.upperBound...].firstRange(of: "__uid_e_")
    else { return nil }
    user = String(stem[begin.upperBound..<end.lowerBound])
    let parts = stem[end.upperBound...].split(separator: "_")
    switch parts.first {
    case "audio": kind = .microphone
    case "video": kind = .camera
    case "av": kind = .media
    default: return nil
    }
    guard !user.isEmpty else { return nil }
    time = parts.dropFirst().last.flatMap { digits in
      digits.utf8.count == 17 ? WallTime.parse(String(digits)) : nil
    }
  }
}
