import Foundation
import Glibc
import TesseraSystem

/// What tests start to see a process stopped, killed or crashing.
@main enum Program {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "sandbox": try sandbox(folder: words[1], deed: words[2])
    case "orphan": orphan()
    case "lock": try lock(words[1])
    case "crash": try crash(words[1], words[2])
    default: exit(64)
    }
  }

  /// Reads and writes in `folder` as allowed, and then does what is not; prints what came of it.
  private static func sandbox(folder: String, deed: String) throws {
    let note = try CrashNote.make("\(folder)/note", slots: 4)
    let box = Sandbox(readable: ["\(folder)/in"], writable: ["\(folder)/work"], memory: 1 << 32)
    let status = try box.enter()
    note.catchCrashes()
    guard FileManager.default.contents(atPath: "\(folder)/in/a")?.isEmpty == false,
      FileDescriptor.write(Data("x".utf8), to: "\(folder)/work/part") == nil,
      FileSystem.rename("\(folder)/work/part", to: "\(folder)/work/whole") == nil
    else { exit(65) }
    print("files \(status.files > 0) calls \(status.calls)")
    fflush(nil)
    note.enter(.decoding, track: 3, time: 42)
    switch deed {
    case "open": print(unsafe open("/etc/passwd", O_RDONLY) < 0 ? "refused" : "opened")
    case "write":
      print(unsafe open("\(folder)/in/b", O_WRONLY | O_CREAT, 0o666) < 0 ? "refused" : "")
    case "connect": print(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
    case "local": print(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0) < 0 ? "refused" : "opened")
    case "exec":
      var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("true"), nil]
      print(unsafe execv("/bin/true", &arguments))
    case "memory":
      let block = unsafe mmap(
        nil, 8 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      print(unsafe block == MAP_FAILED ? "refused" : "taken")
    default: exit(64)
    }
  }

  /// Lives until its parent dies.
  private static func orphan() {
    ParentPipe.endWithParent()
    print(getpid())
    fflush(nil)
    while true { pause() }
  }

  private static func lock(_ folder: String) throws {
    guard let lock = try FolderLock.take(folder) else { return print("taken") }
    print("mine")
    fflush(nil)
    _ = readLine()
    _ = consume lock
  }

  /// Dies in a thread while others are at work too.
  private static func crash(_ path: String, _ way: String) throws {
    let note = try CrashNote.make(path, slots: 8)
    note.catchCrashes()
    let others = WorkerThreads(count: 1, name: "innocent") {
      note.enter(.decoding, track: 1, time: 100)
      pause()
    }
    let culprit = WorkerThreads(count: 1, name: "culprit") {
      if way == "idle" { abort() }
      note.during(.decoding, track: 5, time: 7_000) {
        switch way {
        case "segv": unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case "abort": abort()
        default: kill(getpid(), SIGKILL)
        }
      }
    }
    culprit.join()
    others.join()
  }
}
