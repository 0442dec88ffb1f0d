import Foundation
import TesseraMedia
import TesseraSystem
import TestSupport
import Testing

@Suite struct ScanCacheTests {
  private static func recording(_ folder: TemporaryFolder) throws -> String {
    let path = folder.path("a.webm")
    try Tool.ffmpeg(
      TestRecording.pictures + TestRecording.sound + ["-c:v", "libvpx", "-c:a", "libopus", path])
    return path
  }

  private static func files(_ folder: String, _ ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }
  }

  @Test func whatWasScannedIsKnownUntilItChanges() throws {
    let folder = try TemporaryFolder()
    let path = try Self.recording(folder)
    let cache = ScanCache(folder.path("cache"), build: "1")
    let first = try cache.scan(path, cancellation: Cancellation())
    // Only what comes from the cache can have another title.
    let entry = try #require(try Self.files(folder.path("cache"), ".scan.json").first)
    let url = URL(filePath: folder.path("cache/\(entry)"))
    var known = try JSONDecoder().decode(MediaFile.self, from: Data(contentsOf: url))
    #expect(known == first.file)
    known.title = "from the cache"
    try JSONEncoder().encode(known).write(to: url)
    let again = try cache.scan(path, cancellation: Cancellation())
    #expect(again.file.title == "from the cache" && again.indexes == first.indexes)
    let other = ScanCache(folder.path("cache"), build: "2")
    #expect(try other.scan(path, cancellation: Cancellation()).file.title == nil)
    try (Data(contentsOf: URL(filePath: path)) + Data([0])).write(to: URL(filePath: path))
    #expect(try cache.scan(path, cancellation: Cancellation()).file.title == nil)
  }

  @Test func damagedEntriesAreScannedAnew() throws {
    let folder = try TemporaryFolder()
    let path = try Self.recording(folder)
    let cache = ScanCache(folder.path("cache"), build: "1")
    let first = try cache.scan(path, cancellation: Cancellation())
    for ending in [".tsix", ".scan.json"] {
      for name in try Self.files(folder.path("cache"), ending) {
        try Data("no index".utf8).write(to: URL(filePath: folder.path("cache/\(name)")))
      }
      let again = try cache.scan(path, cancellation: Cancellation())
      #expect(again.file == first.file && again.indexes == first.indexes)
    }
  }

  @Test func theOldestGoesFirstAndAFolderThatCannotBeWrittenIsNone() throws {
    let folder = try TemporaryFolder()
    let path = try Self.recording(folder)
    let small = ScanCache(folder.path("small"), build: "1", largestSize: 100)
    _ = try small.scan(path, cancellation: Cancellation())
    #expect(try Self.files(folder.path("small"), "").isEmpty)
    let none = ScanCache("/proc/tessera", build: "1")
    #expect(try none.scan(path, cancellation: Cancellation()).file.tracks.count == 2)
  }

  @Test func theUsersFolderIsWhereTheEnvironmentSays() {
    #expect(ScanCache.userFolder(["XDG_CACHE_HOME": "/a", "HOME": "/b"]) == "/a/tessera")
    #expect(ScanCache.userFolder(["HOME": "/b"]) == "/b/.cache/tessera")
    #expect(ScanCache.userFolder(["XDG_CACHE_HOME": "here"]) == nil)
  }

  @Test func storedIndexesAreReadByNameAlone() throws {
    let folder = try TemporaryFolder()
    let scan = try MediaFile.scan(Self.recording(folder))
    let store = IndexStore(folder.path("indexes"))
    for track in scan.file.tracks {
      #expect(try store.put(scan.index(of: track)) == track.index)
      #expect(store.index(track.index) == scan.index(of: track))
    }
    for name in ["", "../a.webm", String(repeating: "0", count: 32)] {
      #expect(store.index(name) == nil)
    }
  }
}
