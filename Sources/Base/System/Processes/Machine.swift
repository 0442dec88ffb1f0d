import CTesseraSystem
import Foundation
import Glibc

/// What the process may use of the machine it runs on.
package enum Machine {
  /// The processors that this process may keep busy: those that it may run on, at most as many as
  /// its control groups' quotas amount to and as its scheduler or ``limit(cores:)`` states.
  package static var cores: Int { min(available, limit.withLock { $0 } ?? scheduled ?? .max) }

  private static let limit = Monitor<Int?>(nil)
  private static let available = max(1, min(affinity, ControlGroups.current.processors ?? .max))
  private static let scheduled = scheduledCores(ProcessInfo.processInfo.environment)

  /// Limits ``cores`` to `count` for this process, whatever a scheduler states.
  package static func limit(cores count: Int) { limit.withLock { $0 = max(1, count) } }

  /// The cores that a scheduler gives to its job: `OMP_NUM_THREADS`, which counts only beside a variable of a
  /// scheduler, as shells set it for other programs, too.
  static func scheduledCores(_ environment: [String: String]) -> Int? {
    let schedulers = ["SLURM_JOB_ID", "SGE_TASK_ID", "LSB_JOBID", "PBS_JOBID", "_CONDOR_JOB_AD"]
    guard schedulers.contains(where: { environment[$0] != nil }),
      let count = environment["OMP_NUM_THREADS"].flatMap(Int.init)
    else { return nil }
    return max(1, count)
  }

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
