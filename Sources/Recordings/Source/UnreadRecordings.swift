import Foundation
import TesseraDocuments

/// A playlist of HTTP Live Streaming, whose segments are not recordings of their own.
struct Playlist: Sendable {
  /// Its path in the folder.
  let path: String
  /// The paths of its segments and of what initializes them, as far as they are there.
  let segments: Set<String>

  /// The most bytes that are read of one, and the most of them in a folder.
  private static let (maximumSize, maximumCount) = (8 << 20, 1000)

  /// Whether the file at `path` is one by its name.
  static func isPlaylist(_ path: String) -> Bool {
    MediaNames.fileExtension(path) == "m3u8"
  }

  /// The playlists of `source`. What cannot be read has no segments.
  static func all(of source: RecordingSource) -> [Playlist] {
    let files = source.files.filter { isPlaylist($0.path) }
    guard !files.isEmpty else { return [] }
    let known = Set(source.files.map(\.path))
    return files.prefix(maximumCount).map { file in
      let bytes = file.size <= maximumSize ? (try? source.read(file.path)) ?? [] : []
      return Playlist(path: file.path, segments: segments(bytes, file.path, known))
    }
  }

  private static func segments(
    _ bytes: [UInt8], _ path: String, _ known: Set<String>
  ) -> Set<String> {
    let folder = MediaNames.folders(path).map { "\($0)/" }.joined()
    var found: Set<String> = []
    for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let text = String(decoding: line, as: UTF8.self)
      var name = text[...]
      if text.hasPrefix("#") {
        guard text.hasPrefix("#EXT-X-MAP:"), let start = text.range(of: "URI=\"")?.upperBound else {
          continue
        }
        name = text[start...].prefix { $0 != "\"" }
      }
      name = name.prefix { $0 != "?" }
      let beside = folder + name
      if known.contains(beside) { found.insert(beside) }
      // Prefixes of buckets are gone where somebody has fetched them.
      let alone = folder + MediaNames.fileName(String(name))
      if known.contains(alone), !name.contains("..") { found.insert(alone) }
    }
    return found.filter { !isPlaylist($0) }
  }
}

/// Recordings that are recognized, and cannot be read yet: they are named, not taken for others.
enum UnreadRecordings {
  /// What the folder is where no importer is sure of it; nil where it is none of these.
  static func refusal(_ folder: ImportFolder) -> DocumentError? {
    if let path = bigBlueButton(folder) {
      let media = folder.mediaFiles.map(\.path).sorted().prefix(3).joined(separator: ", ")
      return DocumentError(
        file: path,
        reason:
          "it belongs to a BigBlueButton recording, which cannot be read yet; give its webcams by "
          + "name (\(media.isEmpty ? "video/*" : media)), with --offset where they do not begin together"
      )
    }
    if let manifest = folder.manifests.first(where: { isRecall($0.document) }) {
      return DocumentError(
        file: manifest.path,
        reason:
          "it is Recall's list of parts, which cannot be read yet; give the files by name, with "
          + "--offset where they do not begin together")
    }
    if let playlist = folder.playlists.first, folder.mediaFiles.isEmpty {
      return DocumentError(file: playlist.path, reason: advice(playlist))
    }
    return nil
  }

  /// What to note of playlists beside other recordings.
  static func notes(_ folder: ImportFolder) -> [String] {
    folder.playlists.prefix(20).map { playlist in
      "\(playlist.path) is left out, with \(playlist.segments.count) segments: \(advice(playlist))."
    }
  }

  /// What to do with a playlist.
  private static func advice(_ playlist: Playlist) -> String {
    let stem = MediaNames.stem(playlist.path)
    return "it is a playlist (HLS), which cannot be read yet; join its segments with "
      + "ffmpeg -i \(MediaNames.fileName(playlist.path)) -c copy \(stem).mp4"
  }

  /// The file by which a BigBlueButton recording is known: raw, or as it is published.
  private static func bigBlueButton(_ folder: ImportFolder) -> String? {
    let paths = folder.source.files.filter { $0.size <= 64 << 20 }
    for file in paths where MediaNames.fileName(file.path) == "events.xml" {
      guard let bytes = try? folder.source.read(file.path) else { continue }
      let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
      if head.contains("<recording ") && head.contains("meeting_id=") { return file.path }
    }
    let names = Dictionary(
      paths.map { (MediaNames.fileName($0.path), $0.path) }, uniquingKeysWith: { first, _ in first }
    )
    guard let shapes = names["shapes.svg"] else { return nil }
    let isPublished =
      names["metadata.xml"] != nil || names.keys.contains { $0.hasPrefix("webcams.") }
    return isPublished ? shapes : nil
  }

  /// Whether a document lists parts as Recall does.
  private static func isRecall(_ document: Document) -> Bool {
    guard let parts = document.list, !parts.isEmpty else { return false }
    return parts.allSatisfy { part in
      part["participant"] != nil
        && (part["start_timestamp"] != nil || part["download_url"] != nil)
    }
  }
}
