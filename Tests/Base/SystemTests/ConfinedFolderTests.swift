import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct ConfinedFolderTests {
  @Test("Files below the root are found; links and dots cannot escape")
  func beneath() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: folder.path("root/sub"), withIntermediateDirectories: true)
    for name in ["root/a", "root/sub/b", "secret"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }
    try manager.createSymbolicLink(
      atPath: folder.path("root/inside"), withDestinationPath: "sub/b")
    try manager.createSymbolicLink(
      atPath: folder.path("root/outside"), withDestinationPath: "../secret")
    try manager.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "root")
    for root in ["root", "link"] {
      let files = try ConfinedFolder(folder.path(root))
      for name in ["root/a", "root/sub/b", "root/inside", "root/sub/../a", "link/a"] {
        #expect(throws: Never.self, "\(name)") { try files.require(folder.path(name)) }
      }
      for name in ["root/outside", "secret", "root/../secret"] {
        let error = #expect(throws: SystemError.self, "\(name)") {
          try files.require(folder.path(name))
        }
        #expect(error?.number == EXDEV, "\(name)")
      }
      let missing = #expect(throws: SystemError.self) { try files.require(folder.path("root/c")) }
      #expect(missing?.number == ENOENT)
    }
    #expect(throws: SystemError.self) { try ConfinedFolder(folder.path("secret")) }
  }
}
