import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct ProcessTests {
  @Test("A lock belongs to one process, and ends with the process")
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

  @Test("A lock held by another process is waited for within the patience")
  func patience() throws {
    let folder = try TemporaryFolder()
    let lock = try FolderLock.take(folder.path)
    let second = try FolderLock.take(folder.path, patience: .milliseconds(30))
    #expect((second == nil) == true)
    _ = consume lock
    let third = try FolderLock.take(folder.path, patience: .seconds(60))
    #expect((third != nil) == true)
  }

  @Test("Free space is rounded down and required space up, to 0.1 MB")
  func megabytes() {
    #expect(FileSystemInfo.megabytes(53_999_999, .down) == "53.9")
    #expect(FileSystemInfo.megabytes(53_999_999, .up) == "54.0")
    #expect(FileSystemInfo.megabytes(0, .up) == "0.0" && FileSystemInfo.megabytes(1, .up) == "0.1")
    #expect(FileSystemInfo.megabytes(99_999, .down) == "0.0")
    #expect(FileSystemInfo.megabytes(.max, .up) == "9223372036854.8")
  }

  @Test("A user's program ends with its group when its parent is killed")
  func guarded() throws {
    let folder = try TemporaryFolder()
    let parent = Process()
    parent.executableURL = URL(fileURLWithPath: HelperProgram.path)
    parent.arguments = ["guard", folder.path("pid")]
    try parent.run()
    var group: pid_t = 0
    while group == 0 {
      usleep(10_000)
      let text = try? String(contentsOfFile: folder.path("pid"), encoding: .utf8)
      group = text.flatMap { pid_t($0.trimmingCharacters(in: .newlines)) } ?? 0
    }
    #expect(kill(-group, 0) == 0)
    kill(parent.processIdentifier, SIGKILL)
    parent.waitUntilExit()
    func lives() -> Bool {
      FileOperations.names(in: "/proc").compactMap { pid_t($0) }.contains { process in
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let words = text.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
        return words.count > 2 && words[2] == "\(group)" && words[0] != "Z"
      }
    }
    while lives() { usleep(10_000) }
  }

  @Test("A guarded program ends by itself like an unguarded one")
  func guardedEnd() throws {
    let pipe = try SharedFileDescriptor.pipe()
    let process = try ChildProcess(
      "/bin/sh", ["-c", "exit 7"], environment: [:], input: pipe.reading, errors: pipe.writing)
    var parentGuard: ProcessGroupWatchdog? = try ProcessGroupWatchdog(process)
    #expect(process.wait() == .exit(7))
    #expect(parentGuard != nil)
    parentGuard = nil
    #expect(throws: SystemError.self) { try ProcessGroupWatchdog(process) }
  }

  @Test("A process whose parent is killed ends")
  func orphan() throws {
    let folder = try TemporaryFolder()
    // The shell holds the pipe; the shell is killed, and the helper gets no signal.
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
