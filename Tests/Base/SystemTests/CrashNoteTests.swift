import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct CrashNoteTests {
  @Test(
    "Only the thread that died is blamed",
    arguments: [("segv", SIGSEGV), ("abort", SIGABRT)])
  func crash(way: String, signal: Int32) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("note")
    #expect(try HelperProgram.run("crash", path, way).status == -signal)
    #expect(
      CrashNote.blame(at: path)
        == CrashNote.CrashSite(phase: .decoding, track: 5, time: 7_000, signal: Int(signal)))
    #expect(!CrashNote.memoryRanOut(at: path))
  }

  @Test("One track is blamed if several threads crash at once") func crowd() throws {
    let folder = try TemporaryFolder()
    for number in 0..<20 {
      let path = folder.path("note-\(number)")
      #expect(try HelperProgram.run("crash", path, "crowd").status == -SIGSEGV)
      let blame = try #require(CrashNote.blame(at: path))
      #expect((2..<8).contains(blame.track) && blame.signal == Int(SIGSEGV))
    }
  }

  @Test("A failed allocation ends the process only if memory is exhausted, with a note")
  func memory() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("note")
    #expect(try HelperProgram.run("crash", path, "memory").status == -SIGABRT)
    #expect(CrashNote.memoryRanOut(at: path))
    #expect(CrashNote.blame(at: path)?.track == 5)
  }

  @Test(
    "A kill, or a crash outside the decoders, blames no track",
    arguments: ["kill", "idle"])
  func nobody(way: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("note")
    #expect(try HelperProgram.run("crash", path, way).status < 0)
    #expect(CrashNote.blame(at: path) == nil)
  }

  @Test("An invalid note blames no track")
  func foreign() throws {
    let folder = try TemporaryFolder()
    #expect(CrashNote.blame(at: folder.path("none")) == nil)
    try Data(repeating: 7, count: 4096).write(to: URL(fileURLWithPath: folder.path("other")))
    #expect(CrashNote.blame(at: folder.path("other")) == nil)
  }
}
