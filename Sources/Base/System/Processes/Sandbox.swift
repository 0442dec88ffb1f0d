import CTesseraSystem
import Glibc

/// What a worker gives up before it opens what strangers recorded: files that it does not need,
/// what others left open, the environment, capabilities, and all calls into the system but those
/// that decoding needs; so the network, starting programs, and looking into other processes.
package struct Sandbox: Sendable {
  /// Files, and folders with all that is in them, that may be read.
  package var readable: [String]
  /// Folders in which files may be made, written, renamed and removed.
  package var writable: [String]
  /// The bytes of memory that the process may take; nil leaves that to the system.
  package var memory: Int?

  /// A sandbox with those files and that memory.
  package init(readable: [String], writable: [String], memory: Int? = nil) {
    (self.readable, self.writable, self.memory) = (readable, writable, memory)
  }

  /// What of it is in force, or would be.
  package struct Status: Hashable, Sendable, Codable {
    /// The version of Landlock that limits which files are opened; 0 where the kernel has none.
    package var files: Int
    /// Whether seccomp refuses all calls but those that decoding needs.
    package var calls: Bool
    /// Whether the memory is limited.
    package var memory: Bool
  }

  /// What this kernel can do.
  package static var available: Status {
    Status(
      files: max(0, Int(csys_landlock_version())), calls: SystemCallFilter.isAvailable,
      memory: true)
  }

  /// Gives up, for this thread and those that it starts from now on, what is not allowed, as far
  /// as the kernel can do that; what it cannot is left as it is. Nothing brings it back. All files
  /// but the standard ones are closed.
  ///
  /// - Throws: where the kernel can, but refuses.
  @discardableResult
  package func enter() throws(SystemError) -> Status {
    guard csys_no_new_privileges() == 0 else {
      throw SystemError("give up privileges of", "this process")
    }
    WorkerEnvironment.clear()
    closefrom(STDERR_FILENO + 1)
    try Privileges.giveUp(readable: readable, writable: writable)
    let files = try limitFiles()
    let isMemoryLimited = try limitMemory()
    return Status(
      files: files, calls: try SystemCallFilter.install(limitsLooks: files > 0),
      memory: isMemoryLimited)
  }

  private func limitMemory() throws(SystemError) -> Bool {
    guard let memory else { return false }
    var limit = rlimit(rlim_cur: rlim_t(memory), rlim_max: rlim_t(memory))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else {
      throw SystemError("limit the memory of", "this process")
    }
    return true
  }

  /// What libraries look at on their own: processors, memory nodes, time zones, characters.
  private static let harmless = [
    "/sys/devices/system", "/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/dev/null",
    "/dev/urandom", "/etc/localtime", "/usr/share/zoneinfo", "/usr/lib/locale",
  ]

  private func limitFiles() throws(SystemError) -> Int {
    let version = Int(csys_landlock_version())
    guard version > 0 else { return 0 }
    let handled = FileRights.handled(by: version)
    var ruleset = csys_ruleset(
      handled_files: handled.rawValue, handled_network: version >= 4 ? 3 : 0,
      scoped: version >= 6 ? 3 : 0)
    let size = version >= 6 ? 24 : version >= 4 ? 16 : 8
    let rules = try OwnedDescriptor(
      unsafe csys_landlock_create(&ruleset, UInt(size)), "limit the files of", "this process")
    // What cannot be allowed cannot be read either; whoever tries to says why.
    for path in readable + Self.harmless {
      try allow(path, .reading, handled, rules.number, isOptional: true)
    }
    for path in writable { try allow(path, .all, handled, rules.number, isOptional: false) }
    guard csys_landlock_restrict(rules.number) == 0 else {
      throw SystemError("limit the files of", "this process")
    }
    return version
  }

  private func allow(
    _ path: String, _ rights: FileRights, _ handled: FileRights, _ rules: CInt, isOptional: Bool
  ) throws(SystemError) {
    let file: OwnedDescriptor
    do throws(SystemError) {
      file = try OwnedDescriptor(unsafe csys_open_path(path), "open", path)
    } catch {
      if isOptional { return }
      throw error
    }
    var status = stat()
    let isFolder = unsafe fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    let allowed = rights.intersection(handled).intersection(isFolder ? .all : .ofFiles)
    guard csys_landlock_allow(rules, allowed.rawValue, file.number) == 0 || isOptional else {
      throw SystemError("allow reading", path)
    }
  }
}

/// What Landlock calls the ways of using files.
private struct FileRights: OptionSet {
  let rawValue: UInt64

  static let reading = FileRights(rawValue: 1 << 2 | 1 << 3)
  /// Reading, writing, truncating, making and removing plain files and folders.
  static let all = FileRights(
    rawValue: reading.rawValue | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 14)
  /// What can be done to a file itself, not to what is in it.
  static let ofFiles = FileRights(rawValue: 1 << 1 | 1 << 2 | 1 << 14)

  /// All that a version of Landlock knows: what is not allowed then is forbidden.
  static func handled(by version: Int) -> FileRights {
    let count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13
    return FileRights(rawValue: 1 << UInt64(count) - 1)
  }
}
