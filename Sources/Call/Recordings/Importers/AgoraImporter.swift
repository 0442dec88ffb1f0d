import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Agora's individual recordings by their names,
/// `SID_CHANNEL__uid_s_UID__uid_e_KIND_UTC.EXT`.
///
/// Files are playlists for each user and kind, or slices whose names state UTC to the millisecond.
enum AgoraImporter: Importer {
  static let format = "agora"

  static func score(_ folder: ImporterInput) -> Int {
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { AgoraFileName($0.path) != nil } ? 88 : 0
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var files = folder.mediaFiles.compactMap { file -> (path: String, name: AgoraFileName)? in
      guard var name = AgoraFileName(file.path) else { return nil }
      name.time = folder.playlists.date(file.path) ?? name.time
      return (file.path, name)
    }
    // If a user's sound and pictures have playlists of their own, files with both repeat them.
    let listed = Set(files.filter { HLSPlaylist.isPlaylist($0.path) }.map(\.name.user))
    files.removeAll { file in
      guard listed.contains(file.name.user), !HLSPlaylist.isPlaylist(file.path) else {
        return false
      }
      builder.leaveOut(file.path, "a playlist of \(file.name.user) has the same content.")
      return true
    }
    let hasClock = files.contains { $0.name.time != nil }
    let first = files.compactMap(\.name.time).min() ?? .zero
    for (path, name) in files {
      let id = builder.person(name.user)
      let track = Track(
        id: FileNameClassifier.stem(path), file: path, kind: name.kind, start: name.time ?? first)
      try builder.add(track, to: id, at: DocumentError(file: path, reason: ""))
      if name.time == nil, hasClock {
        builder.note(
          "\(file: path) has no time in its name; it starts with the first of the other files.")
      }
    }
    for file in folder.mediaFiles where AgoraFileName(file.path) == nil {
      builder.leaveOut(file.path, "it is not the recording of a single participant.")
    }
    return try builder.finish(isWallClock: hasClock, folder: folder)
  }
}

/// The parts of an Agora file name: user, kind and time.
struct AgoraFileName {
  let user: String
  let kind: TrackKind
  var time: MediaTime?

  init?(_ path: String) {
    let stem = FileNameClassifier.stem(path)
    guard let begin = stem.firstRange(of: "__uid_s_"),
      let end = stem[begin.upperBound...].firstRange(of: "__uid_e_")
    else { return nil }
    user = String(stem[begin.upperBound..<end.lowerBound])
    let parts = stem[end.upperBound...].split(separator: "_")
    switch parts.first {
    case "audio": kind = .microphone
    case "video": kind = .camera
    case "av": kind = .media
    // Standard mode numbers its files with sound and pictures.
    case let number? where number.allSatisfy(\.isNumber): kind = .media
    default: return nil
    }
    guard !user.isEmpty else { return nil }
    time = parts.dropFirst().last.flatMap { digits in
      digits.utf8.count == 17 ? WallClockFormat.parse(String(digits)) : nil
    }
  }
}
