import Foundation
import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports single-stream cloud recordings of Tencent TRTC by their names.
///
/// Names are such as `APP_ROOM__UserId_s_USER__UserId_e_main_video.m3u8`. Playlists contain a
/// clock. MP4 files are placed by the playlists or by the callbacks beside them.
enum TRTCImporter: Importer {
  static let format = "trtc"

  static func score(_ folder: ImporterInput) -> Int {
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { TRTCFileName($0.path) != nil } ? 88 : 0
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    let lists = Dictionary(
      grouping: folder.playlists.all.filter { TRTCFileName($0.path) != nil },
      by: { TRTCFileName($0.path)?.stream ?? "" })
    let known = try callbacks(folder)
    func start(_ path: String, _ name: TRTCFileName) -> MediaTime? {
      let isList = HLSPlaylist.isPlaylist(path)
      let dates = isList ? [] : (lists[name.stream] ?? []).compactMap(\.list.date)
      // Only the first part of a long recording starts with the playlist.
      let date = isList ? folder.playlists.date(path) : name.part == 0 ? dates.min() : nil
      return known[FileNameClassifier.fileName(path)] ?? date ?? name.time
    }
    var files = taken(folder, lists, &builder).map { ($0.path, $0.name, start($0.path, $0.name)) }
    let first = files.compactMap(\.2).min()
    let begins = Dictionary(
      files.map { ($0.1.stream, $0.2 ?? first ?? .zero) }, uniquingKeysWith: { min($0, $1) })
    files.stableSort {
      (begins[$0.1.stream] ?? .zero, $0.1.stream, $0.1.part)
        < (begins[$1.1.stream] ?? .zero, $1.1.stream, $1.1.part)
    }
    var last: (stream: String, id: Track.ID)?
    for (path, name, start) in files {
      let said = (lists[name.stream] ?? []).lazy.compactMap { $0.list.facts["USER-ID"] }.first
      let id = builder.person(said ?? name.user)
      var track = Track(id: FileNameClassifier.stem(path), file: path, kind: name.kind)
      if let begin = start ?? first { track.start = begin }
      if start == nil, name.part > 0, let last, last.stream == name.stream {
        track.follow(last.id)
      } else if start == nil {
        builder.note(
          first == nil
            ? "no name, playlist or callback has the start of the recordings; \(option: "align") "
              + "sound finds it from their common sound."
            : "\(file: path) has no clock; it starts with the first of the other files.")
      }
      try builder.add(track, to: id, at: DocumentError(file: path, reason: ""))
      last = builder.lastTrackID.map { (name.stream, $0) }
    }
    for file in folder.mediaFiles where TRTCFileName(file.path) == nil {
      builder.leaveOut(file.path, "it is not the recording of a single participant.")
    }
    return try builder.finish(isWallClock: first != nil, folder: folder)
  }

  /// Returns the files to use for each stream: its playlists if they are complete, otherwise its
  /// other files.
  private static func taken(
    _ folder: ImporterInput, _ lists: [String: [FolderPlaylists.PlaylistFiles]],
    _ builder: inout RecordingBuilder
  ) -> [(path: String, name: TRTCFileName)] {
    var files = folder.mediaFiles.compactMap { file in
      TRTCFileName(file.path).map { (path: file.path, name: $0) }
    }
    let (listed, others) = (
      Set(files.filter { HLSPlaylist.isPlaylist($0.path) }.map(\.name.stream)),
      Set(files.filter { !HLSPlaylist.isPlaylist($0.path) }.map(\.name.stream))
    )
    files.removeAll { path, name in
      guard listed.contains(name.stream), others.contains(name.stream) else { return false }
      let areWhole = (lists[name.stream] ?? []).allSatisfy { $0.missingCount == 0 }
      guard HLSPlaylist.isPlaylist(path) != areWhole else { return false }
      builder.leaveOut(path, "other files of \(name.user) have the same content.")
      return true
    }
    return files
  }

  /// Returns the starts of files by name, from callbacks (events 310 and 311).
  private static func callbacks(
    _ folder: ImporterInput
  ) throws(DocumentError) -> [String: MediaTime] {
    var times: [String: MediaTime] = [:]
    for manifest in folder.manifests {
      let event = ManifestObject(manifest)
      let inner = event.document["EventInfo"] == nil ? event : event.member("EventInfo")
      for file in inner.member("Payload").list("FileMessage") {
        guard let name = file.text("FileName"),
          let time = try file.time("StartTimeStamp", .milliseconds)
        else { continue }
        times[FileNameClassifier.fileName(name)] = time
      }
    }
    return times
  }
}

/// The parts of a TRTC file name.
struct TRTCFileName {
  let user: String
  let kind: TrackKind
  /// A key for the stream: user and media.
  let stream: String
  /// The index of the part of a long recording, from 0.
  let part: Int
  let time: MediaTime?

  init?(_ path: String) {
    let stem = FileNameClassifier.stem(path)
    guard let begin = stem.firstRange(of: "_UserId_s_"),
      let end = stem[begin.upperBound...].firstRange(of: "_UserId_e_")
    else { return nil }
    var coded = stem[begin.upperBound..<end.lowerBound]
    if coded.hasSuffix("_") { coded = coded.dropLast() }
    var parts = stem[end.upperBound...].split(separator: "_")[...]
    guard let media = parts.popFirst(), !coded.isEmpty else { return nil }
    user = Self.decoded(String(coded))
    stream = "\(coded) \(media)"
    let type = parts.first { ["audio", "video"].contains($0) }
    let isScreen = media == "aux"
    kind =
      switch type {
      case "audio": isScreen ? .screenAudio : .microphone
      case "video": isScreen ? .screen : .camera
      default: isScreen ? .screen : .camera
      }
    let numbers = parts.filter { $0.allSatisfy(\.isNumber) }
    part = numbers.first { $0.utf8.count < 6 }.flatMap { Int($0) } ?? 0
    time = numbers.first { $0.utf8.count == 17 }.flatMap { WallClockFormat.parse(String($0)) }
  }

  /// Decodes Base64 with `-` for `/` and `.` for `=`; returns `text` if it is not encoded.
  private static func decoded(_ text: String) -> String {
    let base64 = text.replacing("-", with: "/").replacing(".", with: "=")
    guard let data = Data(base64Encoded: base64), let name = String(data: data, encoding: .utf8),
      !name.isEmpty, !name.unicodeScalars.contains(where: { $0.value < 0x20 })
    else { return text }
    return name
  }
}
