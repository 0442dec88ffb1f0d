import CTesseraSystem
import Glibc

/// The restrictions that a worker applies to itself before it opens untrusted recordings.
///
/// They cover files (Landlock), inherited descriptors, the environment, capabilities, and all
/// system calls that decoding does not need (seccomp): the network, starting programs, and access
/// to other processes.
package struct Sandbox: Sendable {
  /// The files, and folders with their content, that may be read.
  package var readable: [String]
  /// The folders in which files may be created, written, renamed and removed.
  package var writable: [String]
  /// The limit of data memory in bytes; `nil` for no limit.
  package var memory: Int?

  package init(readable: [String], writable: [String], memory: Int? = nil) {
    (self.readable, self.writable, self.memory) = (readable, writable, memory)
  }

  /// The restrictions that are in force or available.
  package struct Status: Hashable, Sendable, Codable {
    /// The version of Landlock that restricts files; 0 if the kernel has none.
    package var files: Int
    /// True if seccomp rejects all system calls that decoding does not need.
    package var calls: Bool
    /// True if the memory is limited.
    package var memory: Bool
  }

  /// The restrictions that this kernel supports.
  package static var available: Status {
    Status(
      files: max(0, Int(csys_landlock_version())), calls: SeccompFilter.isAvailable,
      memory: true)
  }

  /// Applies the restrictions irrevocably to this thread and all threads that it starts later.
  ///
  /// Restrictions that the kernel does not support are skipped. All files except the standard ones
  /// are closed.
  ///
  /// - Throws: ``SystemError`` if a supported restriction fails.
  @discardableResult
  package func enter() throws(SystemError) -> Status {
    guard csys_no_new_privileges() == 0 else {
      throw SystemError("give up privileges of", "this process")
    }
    WorkerEnvironment.clear()
    closefrom(STDERR_FILENO + 1)
    try ProcessCapabilities.giveUp(readable: readable, writable: writable)
    let files = try limitFiles()
    let isMemoryLimited = try limitMemory()
    return Status(
      files: files, calls: try SeccompFilter.install(limitsLooks: files > 0),
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

  /// The paths that libraries read on their own: processors, memory nodes, time zones, locales.
  private static let harmless = [
    "/sys/devices/system", "/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/dev/null",
    "/dev/urandom", "/etc/localtime", "/usr/share/zoneinfo", "/usr/lib/locale",
  ]

  /// Restricts files with Landlock and returns its version; 0 if the kernel has none.
  private func limitFiles() throws(SystemError) -> Int {
    let version = Int(csys_landlock_version())
    guard version > 0 else { return 0 }
    let handled = LandlockFileRights.handled(by: version)
    var ruleset = csys_ruleset(
      handled_files: handled.rawValue, handled_network: version >= 4 ? 3 : 0,
      scoped: version >= 6 ? 3 : 0)
    let size = version >= 6 ? 24 : version >= 4 ? 16 : 8
    let rules = try OwnedFileDescriptor(
      unsafe csys_landlock_create(&ruleset, UInt(size)), "limit the files of", "this process")
    // A path that cannot be allowed cannot be read either; its reader reports the error.
    for path in readable + Self.harmless {
      try allow(path, .reading, handled, rules.number, isOptional: true)
    }
    for path in writable { try allow(path, .all, handled, rules.number, isOptional: false) }
    guard csys_landlock_restrict(rules.number) == 0 else {
      throw SystemError("limit the files of", "this process")
    }
    return version
  }

  /// Adds a Landlock rule that allows `rights` on `path`.
  private func allow(
    _ path: String, _ rights: LandlockFileRights, _ handled: LandlockFileRights, _ rules: CInt,
    isOptional: Bool
  ) throws(SystemError) {
    let file: OwnedFileDescriptor
    do throws(SystemError) {
      file = try OwnedFileDescriptor(unsafe csys_open_path(path), "open", path)
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

/// Landlock's access rights for files.
private struct LandlockFileRights: OptionSet {
  let rawValue: UInt64

  /// Reading files and listing folders.
  static let reading = LandlockFileRights(rawValue: 1 << 2 | 1 << 3)
  /// Reading, writing, truncating, creating and removing of plain files and folders.
  static let all = LandlockFileRights(
    rawValue: reading.rawValue | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 14)
  /// The rights that apply to a file itself, as opposed to a folder's entries.
  static let ofFiles = LandlockFileRights(rawValue: 1 << 1 | 1 << 2 | 1 << 14)

  /// Returns all rights that a version of Landlock supports. Supported rights that no rule allows
  /// are denied.
  static func handled(by version: Int) -> LandlockFileRights {
    let count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13
    return LandlockFileRights(rawValue: 1 << UInt64(count) - 1)
  }
}
