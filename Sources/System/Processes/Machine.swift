import CTesseraSystem
import Foundation
import Glibc

/// What the process may use of the machine it runs on.
package enum Machine {
  /// The processors that this process may keep busy: those that it may run on, and no more than
  /// its control groups' quotas amount to.
  package static let cores = max(1, min(affinity, ControlGroups.current.processors ?? .max))

  /// Bytes that this process may still take: what the machine has available, and no more than its
  /// control groups leave.
  package static var freeMemory: Int {
    let available = memoryInformation("MemAvailable") ?? totalMemory
    return min(available, ControlGroups.current.freeMemory ?? .max)
  }

  /// Bytes of memory that there are, or that the control groups allow in all.
  package static var totalMemory: Int {
    let total = memoryInformation("MemTotal") ?? Int(ProcessInfo.processInfo.physicalMemory)
    return min(total, ControlGroups.current.memoryLimit ?? .max)
  }

  /// The processors of the affinity mask.
  private static var affinity: Int {
    let count = Int(csys_processor_count())
    return count > 0 ? count : max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
  }

  private static func memoryInformation(_ name: String) -> Int? {
    guard let text = TextFile.contents("/proc/meminfo") else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
  }
}

/// The small files in which the kernel says what it does.
enum TextFile {
  static func contents(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }
}
