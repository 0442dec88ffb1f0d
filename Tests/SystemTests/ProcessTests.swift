import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct ProcessTests {
  @Test("A lock is held by one process, and ends with it")
  func folderLock() throws {
    let folder = try TemporaryFolder()
    do {
      let lock = try FolderLock.take(folder.path)
      #expect((lock != nil) == true)
      #expect(try HelperProgram.run("lock", folder.path).text == "taken\n")
      let second = try FolderLock.take(folder.path)
      #expect((second == nil) == true)
      _ = consume lock
    }
    #expect(try HelperProgram.run("lock", folder.path).text == "mine\n")
  }

  @Test("A process whose parent is killed ends")
  func orphan() throws {
    let folder = try TemporaryFolder()
    // The shell holds the pipe; it is killed, and the helper never hears of it.
    let script = """
      sleep 1000 | \(HelperProgram.path) orphan > \(folder.path("pid")) & \
      echo $! > \(folder.path("job")); wait
      """
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    holder.arguments = ["setsid", "bash", "-c", script]
    try holder.run()
    var helper: pid_t = 0
    while helper == 0 {
      usleep(10_000)
      let text = try? String(contentsOfFile: folder.path("pid"), encoding: .utf8)
      helper = text.flatMap { pid_t($0.trimmingCharacters(in: .newlines)) } ?? 0
    }
    let sleeper = try Tool.run("pgrep", ["-s", "\(getsid(helper))", "sleep"]).text
    for line in sleeper.split(separator: "\n") { kill(pid_t(line) ?? 0, SIGKILL) }
    while kill(helper, 0) == 0 { usleep(10_000) }
    #expect(errno == ESRCH)
    holder.waitUntilExit()
  }
}
