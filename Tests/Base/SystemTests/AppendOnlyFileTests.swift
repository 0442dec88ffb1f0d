import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite("Appending lines to files and pipes", .timed) struct AppendOnlyFileTests {
  @Test("A regular file is created, continued and truncated")
  func plain() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("lines")
    for line in ["one\n", "two\n"] {
      let file = try AppendOnlyFile(path, Cancellation())
      let isRegular = file.isRegular
      #expect(isRegular)
      try file.add(Data(line.utf8))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
    let file = try AppendOnlyFile(path, Cancellation())
    try file.locked { () throws(SystemError) in try file.cut(to: 4) }
    try file.add(Data("three\n".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\nthree\n")
  }

  @Test("A pipe waits for its reader; after a stop, nothing waits")
  func pipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe")
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let stopped = Cancellation()
    stopped.cancel()
    #expect(throws: SystemError("open", path, number: ECANCELED)) {
      try AppendOnlyFile(path, stopped).isRegular
    }
    let reader = try OwnedFileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    let cancellation = Cancellation()
    let file = try AppendOnlyFile(path, cancellation)
    let isRegular = file.isRegular
    #expect(!isRegular)
    try file.add(Data("one\n".utf8))
    var bytes = [UInt8](repeating: 0, count: 4)
    #expect(unsafe read(reader.number, &bytes, 4) == 4 && bytes == Array("one\n".utf8))
    cancellation.cancel()
    // The first line fits, the second does not.
    try file.add(Data("two\n".utf8))
    #expect(throws: SystemError("write", path, number: ECANCELED)) {
      try file.add(Data(count: 4 << 20))
    }
  }

  @Test("A full device is an error")
  func full() throws {
    let file = try AppendOnlyFile("/dev/full", Cancellation())
    let isRegular = file.isRegular
    #expect(!isRegular)
    #expect(throws: SystemError("write", "/dev/full", number: ENOSPC)) {
      try file.add(Data("line\n".utf8))
    }
    try AppendOnlyFile("/dev/null", Cancellation()).add(Data("line\n".utf8))
  }
}
