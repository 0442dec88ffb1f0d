/// What the control groups of a process, of either version, leave it of processors and memory.
struct ControlGroups: Sendable {
  /// The folders of the groups that limit processors or memory, a group's own before its parents'.
  private let folders: [Folder]
  private let read: @Sendable (String) -> String?

  private struct Folder {
    var path: String
    var isUnified: Bool
  }

  /// Those of this process.
  static var current: ControlGroups { ControlGroups(reading: TextFile.contents) }

  /// Those of a process whose files of the system `read` returns, nil for one that there is not.
  init(reading read: @escaping @Sendable (String) -> String?) {
    self.read = read
    let mounts = (read("/proc/self/mountinfo") ?? "").split(separator: "\n").compactMap(Mount.init)
    var folders: [Folder] = []
    for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
      // 4:memory:/path, or 0::/path of the unified hierarchy
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = Set(parts[1].split(separator: ",").map(String.init))
      let isUnified = controllers.isEmpty
      guard isUnified || !controllers.isDisjoint(with: ["cpu", "memory"]) else { continue }
      let mount = mounts.first {
        $0.isUnified == isUnified && controllers.isSubset(of: $0.controllers)
      }
      guard let mount else { continue }
      folders += mount.folders(of: String(parts[2])).map { Folder(path: $0, isUnified: isUnified) }
    }
    self.folders = folders
  }

  /// How many processors' time may be used, rounded up; nil where that is not limited.
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

  /// The bytes that may be used in all; nil where that is not limited.
  var memoryLimit: Int? { folders.compactMap(limit).min() }

  /// The bytes that may still be taken; nil where that is not limited.
  var freeMemory: Int? {
    folders.compactMap { folder -> Int? in
      guard let limit = limit(folder) else { return nil }
      let usage = folder.isUnified ? "memory.current" : "memory.usage_in_bytes"
      let used = number("\(folder.path)/\(usage)") ?? 0
      return max(0, limit - max(0, used - reclaimable(folder)))
    }.min()
  }

  private func limit(_ folder: Folder) -> Int? {
    let name = folder.isUnified ? "memory.max" : "memory.limit_in_bytes"
    // Version 1 says "no limit" with a number near the largest.
    return number("\(folder.path)/\(name)").flatMap { $0 < 1 << 60 ? $0 : nil }
  }

  /// Bytes of files that are only cached.
  private func reclaimable(_ folder: Folder) -> Int {
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

/// Where a hierarchy of control groups is mounted.
private struct Mount {
  var root: String
  var point: String
  var isUnified: Bool
  var controllers: Set<String>

  /// Reads a line of `/proc/self/mountinfo`.
  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count > 6, let dash = words.firstIndex(of: "-"), dash + 3 < words.count,
      words[dash + 1] == "cgroup" || words[dash + 1] == "cgroup2"
    else { return nil }
    (root, point) = (String(words[3]), String(words[4]))
    isUnified = words[dash + 1] == "cgroup2"
    controllers = isUnified ? [] : Set(words[dash + 3].split(separator: ",").map(String.init))
  }

  /// The folders of the group `path` and its parents, as far as they are mounted.
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
