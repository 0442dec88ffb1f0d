import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct RegularFileTests {
  @Test("Only regular files are opened, without waiting")
  func kinds() throws {
    let folder = try TemporaryFolder()
    let (file, pipe) = (folder.path("file"), folder.path("pipe"))
    try Data("content".utf8).write(to: URL(fileURLWithPath: file))
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(try RegularFile.bytes(file, atMost: 4) == Array("cont".utf8))
    #expect(try RegularFile.bytes(file, atMost: 100) == Array("content".utf8))
    #expect(try RegularFile(file).bytes(3, from: 4) == Array("ent".utf8))
    for path in [pipe, folder.path(""), "/dev/null"] {
      let error = #expect(throws: SystemError.self, "\(path)") { try RegularFile(path).byteCount }
      #expect(error?.isNotRegular == true)
      #expect(error?.reason == "it is not a regular file")
      #expect(unsafe RegularFile.stream(path) == nil)
    }
    let missing = #expect(throws: SystemError.self) {
      try RegularFile(folder.path("none")).byteCount
    }
    #expect(missing?.number == ENOENT)
  }
}
