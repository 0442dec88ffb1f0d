/// The limits that a process's control groups (cgroups, version 1 or 2) set on processors and
/// memory.
struct CgroupLimits: Sendable {
  /// The folders of the groups that limit processors or memory; each group's own folder precedes
  /// its parents'.
  private let folders: [CgroupFolder]
  /// The reader of system files; `nil` for a missing file.
  private let read: @Sendable (String) -> String?

  private struct CgroupFolder {
    var path: String
    /// True for the unified hierarchy (version 2).
    var isUnified: Bool
  }

  /// The control groups of this process.
  static var current: CgroupLimits { CgroupLimits(reading: ProcFile.contents) }

  /// Finds the groups of a process whose system files `read` returns; `nil` for a missing file.
  init(reading read: @escaping @Sendable (String) -> String?) {
    self.read = read
    let mounts = (read("/proc/self/mountinfo") ?? "").split(separator: "\n").compactMap(
      CgroupMount.init)
    var folders: [CgroupFolder] = []
    for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
      // A line is 4:memory:/path, or 0::/path for the unified hierarchy.
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = Set(parts[1].split(separator: ",").map(String.init))
      let isUnified = controllers.isEmpty
      guard isUnified || !controllers.isDisjoint(with: ["cpu", "memory"]) else { continue }
      let mount = mounts.first {
        $0.isUnified == isUnified && controllers.isSubset(of: $0.controllers)
      }
      guard let mount else { continue }
      folders += mount.folders(of: String(parts[2])).map {
        CgroupFolder(path: $0, isUnified: isUnified)
      }
    }
    self.folders = folders
  }

  /// The least quota of processor time in processors, rounded up; `nil` without a limit.
  var processors: Int? {
    folders.compactMap { folder -> Int? in
      let numbers: [Int?]
      if folder.isUnified {
        let words = (read("\(folder.path)/cpu.max") ?? "").split { $0 == " " || $0 == "\n" }
        numbers = words.map { Int($0) }
      } else {
        numbers = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map { number("\(folder.path)/\($0)") }
      }
      guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0,
        period > 0
      else { return nil }
      return max(1, (quota + period - 1) / period)
    }.min()
  }

  /// The least memory limit in bytes; `nil` without a limit.
  var memoryLimit: Int? { folders.compactMap(limit).min() }

  /// The memory that is still available within the limits, in bytes; `nil` without a limit.
  var freeMemory: Int? {
    folders.compactMap { folder -> Int? in
      guard let limit = limit(folder) else { return nil }
      let usage = folder.isUnified ? "memory.current" : "memory.usage_in_bytes"
      let used = number("\(folder.path)/\(usage)") ?? 0
      return max(0, limit - max(0, used - reclaimable(folder)))
    }.min()
  }

  private func limit(_ folder: CgroupFolder) -> Int? {
    let name = folder.isUnified ? "memory.max" : "memory.limit_in_bytes"
    // Version 1 represents "no limit" by a number near the maximum.
    return number("\(folder.path)/\(name)").flatMap { $0 < 1 << 60 ? $0 : nil }
  }

  /// Returns the bytes of inactive file cache, which the kernel can reclaim.
  private func reclaimable(_ folder: CgroupFolder) -> Int {
    let name = folder.isUnified ? "inactive_file" : "total_inactive_file"
    for line in (read("\(folder.path)/memory.stat") ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == name { return Int(words[1]) ?? 0 }
    }
    return 0
  }

  private func number(_ path: String) -> Int? {
    read(path).flatMap { Int($0.trimmed) }
  }
}

/// The mount of a control group hierarchy.
private struct CgroupMount {
  /// The path of the mounted group within the hierarchy.
  var root: String
  /// The folder at which the group is mounted.
  var point: String
  var isUnified: Bool
  /// The controllers of a version 1 hierarchy; empty for the unified one.
  var controllers: Set<String>

  /// Parses a line of `/proc/self/mountinfo`; `nil` for another file system.
  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count > 6, let dash = words.firstIndex(of: "-"), dash + 3 < words.count,
      words[dash + 1] == "cgroup" || words[dash + 1] == "cgroup2"
    else { return nil }
    (root, point) = (String(words[3]), String(words[4]))
    isUnified = words[dash + 1] == "cgroup2"
    controllers = isUnified ? [] : Set(words[dash + 3].split(separator: ",").map(String.init))
  }

  /// Returns the folders of the group `path` and its parents, as far as they are mounted.
  func folders(of path: String) -> [String] {
    var parts = path.split(separator: "/")
    let own = root.split(separator: "/")
    if parts.starts(with: own) { parts.removeFirst(own.count) }
    return (0...parts.count).reversed().map { count in
      ([point] + parts.prefix(count).map(String.init)).joined(separator: "/")
    }
  }
}

extension String {
  fileprivate var trimmed: Substring {
    let isSpace = { (character: Character) in character == " " || character == "\n" }
    let start = self.drop(while: isSpace)
    return start.prefix { !isSpace($0) }
  }
}
