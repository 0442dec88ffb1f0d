import Foundation
import Glibc
import SystemPackage
import TesseraSystem

/// A program that tests start, to see a process stopped, killed or crashing.
@main enum Program {
  static func main() throws {
    if CommandLine.argc > 1, let word = unsafe CommandLine.unsafeArgv[1],
      unsafe strcmp(word, "forks") == 0
    {
      ForkedWorker.takeLocks()
      ForkServer.start(ForkedWorker.work)
      return try ForkedWorker.startAll()
    }
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "sandbox": try sandbox(folder: words[1], deed: words[2])
    case "orphan": orphan()
    case "lock": try lock(words[1])
    case "guard": try guardProgram(words[1])
    case "crash": try crash(words[1], words[2])
    case "worker": try perform()
    default: exit(64)
    }
  }

  /// Performs a batch's job: the name of its output decides the end. The request from standard
  /// input is appended to a file beside the input.
  private static func perform() throws {
    let line = try StandardInput.line(atMost: 1 << 20)
    let request = String(decoding: line, as: UTF8.self)
    let input = request.split(separator: "\"").first { $0.hasSuffix("/in") } ?? "in"
    let log = FileDescriptor.write(Data(line), to: "\(input)-request")
    _ = FileDescriptor.write(
      Data(CommandLine.arguments.joined(separator: " ").utf8), to: "\(input)-words")
    func end(_ code: CInt, _ rest: String) -> Never {
      if ![0, 3].contains(code) {
        let head = #"{"type":"message","phase":"x","level":"error","#
        let line = head + "\"message\":\"it failed: \(code)\"}\n"
        _ = FileDescriptor.write(Data(line.utf8), to: STDERR_FILENO)
      }
      let text = "{\"type\":\"result\",\"phase\":\"x\",\"exit\":\(code)\(rest)}\n"
      _ = FileDescriptor.write(Data(text.utf8), to: STDERR_FILENO)
      exit(code)
    }
    let ends: [(String, CInt, String)] = [
      ("good", 0, #","output":"made.mp4","duration":60"#),
      ("lossy", 3, #","output":"made.mp4","losses":{"gone":2}"#),
      ("bad", 1, #","error":"no such recording""#), ("busy", 75, #","error":"no room""#),
    ]
    for (name, code, rest) in ends where request.contains(name) { end(code, rest) }
    if request.contains("dead") { kill(getpid(), SIGKILL) }
    guard log == nil else { exit(66) }
    // This job requests a slot and never ends.
    _ = FileDescriptor.write(
      Data("{\"request\":{\"id\":1,\"memory\":1}}\n".utf8), to: STDIN_FILENO)
    sleep(600)
  }

  /// Reads and writes in `folder` as permitted, then performs the forbidden `deed`, and prints the
  /// result.
  private static func sandbox(folder: String, deed: String) throws {
    let note = try CrashNote.make("\(folder)/note", slots: 4)
    let box = Sandbox(readable: ["\(folder)/in"], writable: ["\(folder)/work"], memory: 1 << 32)
    let status = try box.enter()
    note.catchCrashes()
    guard FileManager.default.contents(atPath: "\(folder)/in/a")?.isEmpty == false,
      FileDescriptor.write(Data("x".utf8), to: "\(folder)/work/part") == nil,
      FileOperations.rename("\(folder)/work/part", to: "\(folder)/work/whole") == nil
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
    case "probe": for line in Probe(folder: folder).lines { print(line) }
    case "unshare":
      let unshare = Program.function("unshare", as: (@convention(c) (CInt) -> CInt).self)
      print(unshare(0x1000_0000))
    case "memory":
      let block = unsafe mmap(
        nil, 8 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      print(unsafe block == MAP_FAILED ? "refused" : "taken")
    default: exit(64)
    }
  }

  /// Returns a function of the C library that Swift hides.
  fileprivate static func function<F>(_ name: String, as type: F.Type) -> F {
    guard let symbol = unsafe dlsym(nil, name) else { exit(66) }
    return unsafe unsafeBitCast(symbol, to: type)
  }

  /// Attempts of a compromised decoder that do not end the process.
  @safe private struct Probe {
    let folder: String

    /// Each attempt with its result.
    var lines: [String] {
      let (own, foreign, new) = ("\(folder)/in/a", "/etc/passwd", "\(folder)/work/whole")
      let file = unsafe open(own, O_RDONLY)
      var (status, times) = (stat(), [timespec(), timespec()])
      let attempts: [(String, Bool)] = unsafe [
        ("chmod", chmod(own, 0o777) == 0), ("fchmod", fchmod(file, 0o777) == 0),
        ("chown", chown(own, 1, 1) == 0), ("utimensat", utimensat(AT_FDCWD, own, &times, 0) == 0),
        ("setxattr", Self.sets("user.a", of: new)), ("stat", stat(foreign, &status) == 0),
        ("lstat", lstat(foreign, &status) == 0), ("access", access(foreign, F_OK) == 0),
        ("place", open(foreign, 0x200000) >= 0),
        ("link", symlink(foreign, "\(folder)/work/l") == 0),
        (
          "readlink",
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/1/exe")) != nil
        ),
        ("fork", Self.forks), ("signal", kill(getppid(), 0) == 0),
        ("secret", getenv("TESSERA_SECRET") != nil), ("descriptor", fcntl(9, F_GETFD) >= 0),
        ("capabilities", Self.status("CapEff") != "0000000000000000"),
        ("bounding", Self.status("CapBnd") != "0000000000000000"),
      ]
      let allowed: [(String, Bool)] = unsafe [
        ("own stat", stat(own, &status) == 0 && status.st_size == 5),
        ("own fstat", fstat(file, &status) == 0 && status.st_size == 5),
        ("own access", access(own, R_OK) == 0), ("missing", stat("\(folder)/in/b", &status) != 0),
        ("thread", Self.starts), ("home", getenv("HOME") != nil),
      ]
      return attempts.filter(\.1).map { "\($0.0) is possible" }
        + allowed.filter { !$0.1 }.map { "\($0.0) is refused" }
    }

    private static var forks: Bool {
      let child = Program.function("fork", as: (@convention(c) () -> pid_t).self)()
      if child == 0 { _exit(0) }
      return child > 0
    }

    private static func sets(_ attribute: String, of path: String) -> Bool {
      typealias Set =
        @convention(c) (
          UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt
        ) -> CInt
      return unsafe Program.function("setxattr", as: Set.self)(path, attribute, "x", 1, 0) == 0
    }

    private static var starts: Bool {
      let threads = ThreadGroup(count: 2, name: "thread") {}
      threads.join()
      return true
    }

    /// Returns a line of the process's status from the kernel.
    private static func status(_ name: String) -> String {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line?.split(separator: "\t").last.map(String.init) ?? "unknown"
    }
  }

  /// Lives until its parent dies.
  private static func orphan() {
    ParentProcessWatchdog.endWithParent()
    print(getpid())
    fflush(nil)
    while true { pause() }
  }

  /// Starts a program that starts another program, writes the process group, and lives until it is
  /// killed.
  private static func guardProgram(_ path: String) throws {
    let pipe = try SharedFileDescriptor.pipe()
    let process = try ChildProcess(
      "/bin/sh", ["-c", "echo $$ > $0.new; mv $0.new $0; sleep 1000; wait", path],
      environment: ["PATH": "/usr/bin:/bin"], input: pipe.reading, errors: pipe.writing)
    let parentGuard = try ProcessGroupWatchdog(process)
    _ = process.wait()
    withExtendedLifetime(parentGuard) {}
  }

  private static func lock(_ folder: String) throws {
    guard let lock = try FolderLock.take(folder) else { return print("taken") }
    print("mine")
    fflush(nil)
    _ = readLine()
    _ = consume lock
  }

  /// Exhausts all memory, and then fails like a library without memory.
  private static func exhaust() {
    CrashNote.exitOnMemoryExhaustion()
    var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    // With malloc, unused memory would be optimized away.
    let pages = PROT_READ | PROT_WRITE
    while unsafe mmap(nil, 1 << 16, pages, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED {}
    CrashNote.exitOnMemoryExhaustion()
  }

  /// Crashes in one thread while others are working.
  private static func crash(_ path: String, _ way: String) throws {
    let note = try CrashNote.make(path, slots: 8)
    note.catchCrashes()
    let others = ThreadGroup(count: 1, name: "innocent") {
      note.enter(.decoding, track: 1, time: 100)
      pause()
    }
    if way == "crowd" { return crowd(note) }
    let culprit = ThreadGroup(count: 1, name: "culprit") {
      if way == "idle" { abort() }
      note.enter(.decoding, track: 5, time: 7_000)
      switch way {
      case "segv": unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
      case "abort": abort()
      case "memory": exhaust()
      default: kill(getpid(), SIGKILL)
      }
    }
    culprit.join()
    others.join()
  }

  /// Crashes in six threads at once.
  private static func crowd(_ note: CrashNote) {
    let ready = ConditionLock(2)
    ThreadGroup(count: 6, name: "culprit") {
      let track = ready.withLock { track in
        defer { track += 1 }
        return track
      }
      note.enter(.decoding, track: track, time: 7_000)
      ready.update { _ in }
      ready.wait { $0 == 8 ? () : nil }
      unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    }.join()
  }
}
