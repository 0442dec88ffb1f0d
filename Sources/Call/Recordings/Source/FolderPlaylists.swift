import TesseraDocuments
import TesseraTimeline

/// The playlists of a folder, and the files that are only parts of a recording.
package struct FolderPlaylists: Sendable {
  /// A playlist with what it names.
  struct Entry: Sendable {
    let path: String
    let list: Playlist
    /// The paths of its segments and of what initializes them, as far as they are there.
    var segments: Set<String> = []
    /// How many of its segments are not there.
    var missingCount = 0

    /// The better of those that name the same segments: what is not a window, names most, says that
    /// it names all, has an end, and the shortest name.
    var merit: (Int, Int, Int, Int, Int) {
      (
        list.droppedCount == 0 ? 1 : 0, segments.count, list.keepsAll ? 1 : 0,
        list.isEnded ? 1 : 0, -path.utf8.count
      )
    }
  }

  /// The playlists that are a recording each, by their paths.
  private(set) var recordings: [String: Entry] = [:]
  /// All that can be read, whether or not what they name is there.
  private(set) var all: [Entry] = []
  /// The files that are a part of another one: segments, and playlists that others name or make
  /// needless.
  private(set) var parts: Set<String> = []
  /// Playlists that cannot be read, and why.
  private(set) var leftOut: [(path: String, why: String)] = []

  /// The most playlists of a folder that are read.
  private static let mostPlaylists = 5000

  /// Reads the playlists of `source`; of those that a person has listed, all are recordings.
  init(_ source: RecordingSource) {
    let files = source.files.filter { Playlist.isPlaylist($0.path) }
    guard !files.isEmpty else { return }
    let known = Set(source.files.map(\.path))
    var entries: [Entry] = []
    for file in files.prefix(Self.mostPlaylists) {
      guard let bytes = try? source.read(file.path), let list = Playlist(bytes) else {
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

  /// When the recording at `path` began, since 1970, where its playlist says so.
  func date(_ path: String) -> MediaTime? { recordings[path]?.list.date }

  private mutating func leaveOut(_ path: String, _ why: String) {
    leftOut.append((path, why))
    parts.insert(path)
  }

  private static func entry(_ path: String, _ list: Playlist, _ known: Set<String>) -> Entry {
    var entry = Entry(path: path, list: list)
    var names: Set<String> = []
    for segment in list.segments {
      for uri in [segment.map?.uri, segment.uri].compactMap({ $0 }) where names.insert(uri).inserted
      {
        if let file = Playlist.path(of: uri, in: path, isPresent: known.contains) {
          entry.segments.insert(file)
        } else {
          entry.missingCount += 1
        }
      }
    }
    return entry
  }

  private mutating func choose(_ entries: [Entry], _ known: Set<String>) {
    let byPath = Dictionary(entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var candidates: [Entry] = []
    for var entry in entries where entry.list.segments.isEmpty {
      // All that a multivariant playlist names is one recording.
      let uris = entry.list.variants.map(\.uri) + entry.list.sounds.values
      for uri in uris {
        guard let child = Playlist.path(of: uri, in: entry.path, isPresent: known.contains),
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
          name.map { "nothing that it names is there: the first is \($0.prefix(200))" }
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
