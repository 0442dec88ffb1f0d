import CTesseraSystem
import Foundation
import Glibc

/// The processors and memory that this process may use.
package enum MachineResources {
  /// The number of processors that this process may keep busy: those of its affinity mask, limited
  /// by the control groups' quotas and by ``limit(cores:)``, or otherwise by its scheduler.
  package static var cores: Int { min(available, limit.withLock { $0 } ?? scheduled ?? .max) }

  private static let limit = ConditionLock<Int?>(nil)
  private static let available = max(1, min(affinity, CgroupLimits.current.processors ?? .max))
  private static let scheduled = scheduledCores(ProcessInfo.processInfo.environment)

  /// Limits ``cores`` to `count`, in place of the scheduler's number.
  package static func limit(cores count: Int) { limit.withLock { $0 = max(1, count) } }

  /// Returns the number of cores that a batch scheduler assigned to the job (`OMP_NUM_THREADS`).
  ///
  /// The variable counts only together with a scheduler's own variable, because shells also set it
  /// for other programs.
  static func scheduledCores(_ environment: [String: String]) -> Int? {
    let schedulers = ["SLURM_JOB_ID", "SGE_TASK_ID", "LSB_JOBID", "PBS_JOBID", "_CONDOR_JOB_AD"]
    guard schedulers.contains(where: { environment[$0] != nil }),
      let count = environment["OMP_NUM_THREADS"].flatMap(Int.init)
    else { return nil }
    return max(1, count)
  }

  /// The memory that this process may still use, in bytes: the machine's available memory, limited
  /// by the control groups.
  package static var freeMemory: Int {
    let available = memoryInformation("MemAvailable") ?? totalMemory
    return min(available, CgroupLimits.current.freeMemory ?? .max)
  }

  /// The machine's memory in bytes, limited by the control groups.
  package static var totalMemory: Int {
    let total = memoryInformation("MemTotal") ?? Int(ProcessInfo.processInfo.physicalMemory)
    return min(total, CgroupLimits.current.memoryLimit ?? .max)
  }

  /// The number of processors in the affinity mask.
  private static var affinity: Int {
    let count = Int(csys_processor_count())
    return count > 0 ? count : max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
  }

  /// Returns an entry of `/proc/meminfo` in bytes; `nil` if it is missing.
  private static func memoryInformation(_ name: String) -> Int? {
    guard let text = ProcFile.contents("/proc/meminfo") else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
  }
}

/// Reads small text files of the kernel.
enum ProcFile {
  static func contents(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }
}
