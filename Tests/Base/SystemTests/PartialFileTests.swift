import Foundation
import Glibc
import TestSupport
import Testing

@testable import TesseraSystem

@Suite("Partially filled files", .timed) struct PartialFileTests {
  private let page = PartialFile.pageSize

  @Test("Filled pages can be read; the rest is missing") func map() throws {
    let folder = try TemporaryFolder()
    let size = 10 * page + 5
    PartialFile.expect(below: folder.path)
    let file = try PartialFile.make(folder.path("a"), size: size)
    let reader = try #require(PartialFile.open(folder.path("a")))
    #expect(reader.size == size && FileOperations.byteCount(of: folder.path("a")) == size)
    #expect(reader.available(at: 0, count: 100) == 0)
    file.note(2 * page..<4 * page)
    #expect(reader.available(at: 2 * page + 10, count: 20) == 20)
    #expect(reader.available(at: 3 * page, count: 5 * page) == page)
    #expect(reader.available(at: 4 * page, count: 1) == 0)
    #expect(reader.available(at: 4 * page + 7, count: 100) == 0)
    #expect(file.missing(in: 0..<size) == [0..<2 * page, 4 * page..<size])
    #expect(file.missing(in: page + 1..<page + 2) == [page..<2 * page])
    let short = file.missing(in: 4 * page..<9 * page, length: 2 * page)
    #expect(short == [4 * page..<6 * page, 6 * page..<8 * page, 8 * page..<9 * page])
    file.note(10 * page..<size)
    #expect(reader.available(at: 10 * page, count: 100) == 5)
    #expect(reader.available(at: size, count: 1) == 0)
  }

  @Test("A reader waits for a fetch by another thread, or until it is stopped")
  func waiting() throws {
    let folder = try TemporaryFolder()
    PartialFile.expect(below: folder.path)
    let file = try PartialFile.make(folder.path("a"), size: 5 * page)
    let cancellation = Cancellation()
    let arrived = ConditionLock(false)
    let reader = ThreadGroup(count: 1, name: "reader") { [page] in
      guard let reader = PartialFile.open(folder.path("a")) else { return }
      let end = reader.wait(for: 3 * page + 7, cancellation)
      arrived.update { $0 = end == .there }
    }
    var wanted: Int?
    while wanted == nil { wanted = file.takeWanted() }
    #expect(wanted == 3 * page)
    file.note(3 * page..<4 * page)
    reader.join()
    #expect(arrived.withLock { $0 })
    cancellation.cancel()
    #expect(file.wait(for: 0, cancellation) == .cancelled)
  }

  @Test("A reader does not wait for an abandoned file") func abandoned() throws {
    let folder = try TemporaryFolder()
    PartialFile.expect(below: folder.path)
    var file: PartialFile? = try PartialFile.make(folder.path("a"), size: 5 * page)
    file?.note(0..<page)
    let reader = try #require(PartialFile.open(folder.path("a")))
    file = nil
    #expect(reader.wait(for: 0, Cancellation()) == .there)
    #expect(reader.wait(for: 2 * page, Cancellation()) == .abandoned)
  }

  @Test("A file whose lock cannot be queried counts as abandoned") func unlockable() throws {
    let folder = try TemporaryFolder()
    PartialFile.expect(below: folder.path)
    let file = try PartialFile.make(folder.path("a"), size: 5 * page)
    let map = folder.path("a.map")
    let reader = try #require(PartialFile.open(folder.path("a")))
    // A descriptor opened with O_PATH (0x200000): flock fails with EBADF.
    let handle = unsafe open(map, 0x200000)
    for name in FileOperations.names(in: "/proc/self/fd") {
      guard let number = CInt(name), number != handle,
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == map
      else { continue }
      dup2(handle, number)
    }
    close(handle)
    #expect(reader.wait(for: 0, Cancellation()) == .abandoned)
    _ = file
  }

  @Test("A foreign file with the map's name is left alone, also where no map is expected")
  func foreign() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    PartialFile.expect(below: folder.path)
    let path = folder.path("a")
    try Data(repeating: 1, count: 3 * page).write(to: URL(fileURLWithPath: path))
    let maps = [Data(), Data(repeating: 0, count: 100), Data("notes of a meeting".utf8)]
    for map in maps {
      let url = URL(fileURLWithPath: path + ".map")
      try map.write(to: url)
      #expect(PartialFile.open(path) == nil)
      #expect(try Data(contentsOf: url) == map)
    }
    // The map of another file.
    _ = try PartialFile.make(folder.path("b"), size: 3 * page)
    try FileManager.default.removeItem(atPath: path + ".map")
    try FileManager.default.moveItem(atPath: folder.path("b.map"), toPath: path + ".map")
    #expect(PartialFile.open(path) == nil)
    _ = try PartialFile.make(other.path("a"), size: 3 * page)
    #expect(PartialFile.open(other.path("a")) == nil)
  }

  @Test("A complete file has no map") func whole() throws {
    let folder = try TemporaryFolder()
    try Data([1]).write(to: URL(fileURLWithPath: folder.path("a")))
    #expect(PartialFile.open(folder.path("a")) == nil)
  }
}
