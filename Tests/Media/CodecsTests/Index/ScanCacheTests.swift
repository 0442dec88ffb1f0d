import Foundation
import TesseraCodecs
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct ScanCacheTests {
  private static func recording(_ folder: TemporaryFolder) throws -> String {
    let path = folder.path("a.webm")
    try Tool.ffmpeg(
      TestRecording.pictures + TestRecording.sound + ["-c:v", "libvpx", "-c:a", "libopus", path])
    return path
  }

  private static func files(_ folder: String, _ ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }
  }

  @Test func scansAreCachedUntilTheFileChanges() throws {
    let folder = try TemporaryFolder()
    let path = try Self.recording(folder)
    let cache = ScanCache(folder.path("cache"), build: "1")
    let first = try cache.scan(path, cancellation: Cancellation())
    let files = try Self.age(folder.path("cache"))
    #expect(files.count == 3)
    let again = try cache.scan(path, cancellation: Cancellation())
    #expect(again.file == first.file && again.indexes == first.indexes)
    // All entries were used, and none was written.
    for file in files {
      let used = try Self.attributes(file.path)
      #expect(used.inode == file.inode && used.date > file.date)
    }
    let other = ScanCache(folder.path("cache"), build: "2")
    _ = try other.scan(path, cancellation: Cancellation())
    #expect(try Self.files(folder.path("cache"), ".scan").count == 2)
    try (Data(contentsOf: URL(filePath: path)) + Data([0])).write(to: URL(filePath: path))
    let changed = try cache.scan(path, cancellation: Cancellation())
    #expect(changed.file.identity != first.file.identity)
    #expect(try Self.files(folder.path("cache"), ".scan").count == 3)
  }

  /// A file that is read under another name is the same file.
  @Test func anEntryBelongsToTheFileNotToItsName() throws {
    let folder = try TemporaryFolder()
    let path = try Self.recording(folder)
    let cache = ScanCache(folder.path("cache"), build: "1")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("b.webm"), withDestinationPath: path)
    let first = try cache.scan(path, cancellation: Cancellation())
    let second = try cache.scan(folder.path("b.webm"), cancellation: Cancellation())
    #expect(second.file.path == folder.path("b.webm") && second.indexes == first.indexes)
    #expect(try Self.files(folder.path("cache"), ".scan").count == 1)
  }

  /// Sets old dates for all files in `folder`, and returns their attributes.
  private static func age(_ folder: String) throws -> [(path: String, inode: Int, date: Date)] {
    try files(folder, "").map { name in
      let path = "\(folder)/\(name)"
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
      let (inode, date) = try attributes(path)
      return (path, inode, date)
    }
  }

  private static func attributes(_ path: String) throws -> (inode: Int, date: Date) {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (
      try #require(attributes[.systemFileNumber] as? Int),
      try #require(attributes[.modificationDate] as? Date)
    )
  }

  @Test func damagedEntriesAreScannedAgain() throws {
    let folder = try TemporaryFolder()
    let path = try Self.recording(folder)
    let cache = ScanCache(folder.path("cache"), build: "1")
    let first = try cache.scan(path, cancellation: Cancellation())
    for ending in [".tsix", ".scan"] {
      let names = try Self.files(folder.path("cache"), ending)
      for damage in [Self.cut, Self.emptied, Self.flipped] {
        var whole: [String: Data] = [:]
        for name in names {
          let url = URL(filePath: folder.path("cache/\(name)"))
          whole[name] = try Data(contentsOf: url)
          try damage(Data(contentsOf: url)).write(to: url)
        }
        let again = try cache.scan(path, cancellation: Cancellation())
        #expect(again.file == first.file && again.indexes == first.indexes)
        // The damaged entries have been repaired.
        for name in names {
          let mended = try Data(contentsOf: URL(filePath: folder.path("cache/\(name)")))
          #expect(mended.count == whole[name]?.count)
        }
        _ = try Self.age(folder.path("cache"))
        _ = try cache.scan(path, cancellation: Cancellation())
        for name in names {
          #expect(
            try Self.attributes(folder.path("cache/\(name)")).date
              > Date(timeIntervalSinceNow: -3600))
        }
      }
    }
  }

  private static func cut(_ data: Data) -> Data { data.prefix(data.count / 2) }
  private static func emptied(_ data: Data) -> Data { Data() }
  private static func flipped(_ data: Data) -> Data {
    var data = data
    data[data.count * 2 / 3] ^= 1
    return data
  }

  /// An aborted read may get further the next time.
  @Test func uncertainResultsAreNotCached() throws {
    let folder = try TemporaryFolder()
    let cache = ScanCache(folder.path("cache"), build: "1")
    let path = folder.path("none.webm")
    #expect(throws: MediaError.self) { try cache.scan(path, cancellation: Cancellation()) }
    try Data("no recording".utf8).write(to: URL(filePath: path))
    #expect(throws: MediaError.self) { try cache.scan(path, cancellation: Cancellation()) }
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: MediaError.self) {
      try cache.scan(try Self.recording(folder), cancellation: cancellation)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("cache")))
  }

  @Test func theOldestEntryIsRemovedAndAnUnwritableFolderIsIgnored() throws {
    let folder = try TemporaryFolder()
    let path = try Self.recording(folder)
    let small = ScanCache(folder.path("small"), build: "1", largestSize: 100)
    _ = try small.scan(path, cancellation: Cancellation())
    #expect(try Self.files(folder.path("small"), "").count == 3)
    small.removeOldest()
    #expect(try Self.files(folder.path("small"), "").isEmpty)
    let none = ScanCache("/proc/tessera", build: "1")
    #expect(try none.scan(path, cancellation: Cancellation()).file.tracks.count == 2)
  }

  @Test func recentlyUsedEntriesStay() throws {
    let folder = try TemporaryFolder()
    let path = try Self.recording(folder)
    let other = folder.path("b.webm")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    let cache = ScanCache(folder.path("cache"), build: "1")
    _ = try cache.scan(path, cancellation: Cancellation())
    let first = try Set(Self.files(folder.path("cache"), ".scan"))
    _ = try Self.age(folder.path("cache"))
    _ = try cache.scan(other, cancellation: Cancellation())
    let sizes = try Self.files(folder.path("cache"), "").map {
      try Data(contentsOf: URL(filePath: folder.path("cache/\($0)"))).count
    }
    let tight = ScanCache(
      folder.path("cache"), build: "2", largestSize: sizes.reduce(0, +))
    _ = try tight.scan(other, cancellation: Cancellation())
    tight.removeOldest()
    let left = try Set(Self.files(folder.path("cache"), ".scan"))
    #expect(left.count == 2 && left.isDisjoint(with: first))
  }

  @Test func storedIndexesAreReadByNameAlone() throws {
    let folder = try TemporaryFolder()
    let scan = try MediaFileInfo.scan(Self.recording(folder))
    let store = PacketIndexStore(folder.path("indexes"))
    for track in scan.file.tracks {
      #expect(try store.put(scan.index(of: track)) == track.index)
      #expect(store.index(track.index) == scan.index(of: track))
    }
    for name in ["", "../a.webm", String(repeating: "0", count: 32)] {
      #expect(store.index(name) == nil)
    }
  }
}

extension ScanCache {
  /// Scans the file at `path`, or returns the cached result.
  fileprivate func scan(_ path: String, cancellation: Cancellation) throws -> MediaScanResult {
    let identity = FileIdentity(path)
    if let known = known(path, with: Int.self) {
      #expect(known.findings == 7)
      return known.scan
    }
    let scan = try MediaFileInfo.scan(path, cancellation: cancellation)
    keep(scan, with: 7, of: identity)
    return scan
  }
}
