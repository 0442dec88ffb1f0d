import Foundation
import Glibc
import Synchronization
import SystemPackage
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct ScratchFolderTests {
  private func all(in parent: TemporaryFolder) -> String { parent.path("tessera-\(geteuid())") }

  @Test("A folder is removed with its value, and remains of killed processes with the next one")
  func leftOver() throws {
    let parent = try TemporaryFolder()
    let manager = FileManager.default
    var kept: ScratchFolder? = try ScratchFolder(in: parent.path(""))
    let path = try #require(kept?.path)
    // The process was killed before it locked its folder, while it worked, and while it removed the
    // folder.
    let dead = ["unlocked", "locked/tasks", "removed/results"].map { "\(all(in: parent))/\($0)" }
    for folder in dead {
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try Data().write(to: URL(fileURLWithPath: "\(all(in: parent))/locked/lock"))
    let next = try ScratchFolder(in: parent.path(""))
    #expect(next.path != path)
    let names = try manager.contentsOfDirectory(atPath: all(in: parent))
    #expect(
      Set(names)
        == Set(["lock"] + [path, next.path].map { URL(fileURLWithPath: $0).lastPathComponent }))
    kept = nil
    #expect(!manager.fileExists(atPath: path))
    #expect(manager.fileExists(atPath: next.path))
  }

  @Test("Concurrent processes do not remove each other's folders")
  func together() throws {
    let parent = try TemporaryFolder()
    let failures = Mutex(0)
    let threads = ThreadGroup(count: 8, name: "scratch") {
      for _ in 0..<40 {
        guard let folder = try? ScratchFolder(in: parent.path("")),
          FileDescriptor.write(Data("x".utf8), to: "\(folder.path)/file") == nil,
          FileManager.default.contents(atPath: "\(folder.path)/file")?.count == 1
        else {
          failures.withLock { $0 += 1 }
          continue
        }
      }
    }
    threads.join()
    #expect(failures.withLock { $0 } == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: all(in: parent)) == ["lock"])
  }

  @Test("A foreign folder that others may write to is not used")
  func foreign() throws {
    let parent = try TemporaryFolder()
    #expect(unsafe mkdir(all(in: parent), 0o777) == 0 && chmod(all(in: parent), 0o777) == 0)
    let folder = try ScratchFolder(in: parent.path(""))
    #expect(folder.path.hasPrefix("\(all(in: parent))-2/"))
  }
}
