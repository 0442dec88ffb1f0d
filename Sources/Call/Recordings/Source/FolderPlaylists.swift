import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// The HLS playlists of a folder. Decides which of them are recordings, and which files are only
/// parts.
package struct FolderPlaylists: Sendable {
  /// A playlist with the files that it names.
  struct PlaylistFiles: Sendable {
    let path: String
    let list: HLSPlaylist
    /// The paths of the existing segments and initialization segments.
    var segments: Set<String> = []
    /// The number of segments that do not exist.
    var missingCount = 0

    /// The rank among playlists of the same segments; higher is better.
    ///
    /// In order: no sliding window, most segments, declared to be complete, with an end tag,
    /// shortest path.
    var merit: (Int, Int, Int, Int, Int) {
      (
        list.droppedCount == 0 ? 1 : 0, segments.count, list.keepsAll ? 1 : 0,
        list.isEnded ? 1 : 0, -path.utf8.count
      )
    }
  }

  /// The playlists that are recordings, by their paths.
  private(set) var recordings: [String: PlaylistFiles] = [:]
  /// All readable playlists, including those without existing segments.
  private(set) var all: [PlaylistFiles] = []
  /// The files that belong to another file: segments, and playlists that other playlists name or
  /// replace.
  private(set) var parts: Set<String> = []
  /// The playlists that are not used, with the reason.
  private(set) var leftOut: [(path: String, why: UserMessage)] = []

  /// The maximum number of playlists that are read in a folder.
  private static let mostPlaylists = 5000

  /// Reads the playlists of `source`. If a user listed the files, every playlist is a recording.
  init(_ source: RecordingSource) {
    let files = source.files.filter { HLSPlaylist.isPlaylist($0.path) }
    guard !files.isEmpty else { return }
    let known = Set(source.files.map(\.path))
    var entries: [PlaylistFiles] = []
    for file in files.prefix(Self.mostPlaylists) {
      guard let bytes = try? source.read(file.path), let list = HLSPlaylist(bytes) else {
        if !source.isList { leaveOut(file.path, "it is not a playlist (HLS) that can be read") }
        continue
      }
      entries.append(Self.entry(file.path, list, known))
    }
    for file in files.dropFirst(Self.mostPlaylists) {
      leaveOut(file.path, "there are more than \(Self.mostPlaylists) playlists")
    }
    all = entries
    guard !source.isList else {
      for entry in entries { recordings[entry.path] = entry }
      return
    }
    choose(entries, known)
  }

  /// Returns the start of the recording at `path`, since 1970; `nil` if its playlist does not state
  /// it.
  func date(_ path: String) -> MediaTime? { recordings[path]?.list.date }

  private mutating func leaveOut(_ path: String, _ why: UserMessage) {
    leftOut.append((path, why))
    parts.insert(path)
  }

  private static func entry(_ path: String, _ list: HLSPlaylist, _ known: Set<String>)
    -> PlaylistFiles
  {
    var entry = PlaylistFiles(path: path, list: list)
    var names: Set<String> = []
    for segment in list.segments {
      for uri in [segment.map?.uri, segment.uri].compactMap({ $0 }) where names.insert(uri).inserted
      {
        if let file = HLSPlaylist.path(of: uri, in: path, isPresent: known.contains) {
          entry.segments.insert(file)
        } else {
          entry.missingCount += 1
        }
      }
    }
    return entry
  }

  private mutating func choose(_ entries: [PlaylistFiles], _ known: Set<String>) {
    let byPath = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var candidates: [PlaylistFiles] = []
    for var entry in entries where entry.list.segments.isEmpty {
      // A multivariant playlist and all playlists that it names are one recording.
      let uris = entry.list.variants.map(\.uri) + entry.list.sounds.values
      for uri in uris {
        guard let child = HLSPlaylist.path(of: uri, in: entry.path, isPresent: known.contains),
          child != entry.path, let list = byPath[child]
        else { continue }
        parts.insert(child)
        entry.segments.formUnion(list.segments)
      }
      candidates.append(entry)
    }
    candidates += entries.filter { !$0.list.segments.isEmpty && !parts.contains($0.path) }
    var taken: [String: String] = [:]
    candidates.sort { $0.merit == $1.merit ? $0.path < $1.path : $0.merit > $1.merit }
    for entry in candidates {
      parts.formUnion(entry.segments)
      guard !entry.segments.isEmpty else {
        let name = entry.list.segments.first?.uri ?? entry.list.variants.first?.uri
        leaveOut(
          entry.path,
          name.map { "none of the files that it names exists: the first is \($0.prefix(200))" }
            ?? "it is a playlist without segments")
        continue
      }
      if let other = entry.segments.lazy.compactMap({ taken[$0] }).first {
        leaveOut(entry.path, "\(other) names the same segments")
        continue
      }
      for segment in entry.segments { taken[segment] = entry.path }
      recordings[entry.path] = entry
    }
  }
}
