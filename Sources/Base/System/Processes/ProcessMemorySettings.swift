import CTesseraSystem
import Glibc

/// The process's memory: its limits and the behavior of its allocator.
package enum ProcessMemorySettings {
  /// The limit of the address space in bytes (`ulimit -v`); `nil` without a limit.
  package static var addressLimit: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(Int.max)
    else { return nil }
    return Int(limit.rlim_cur)
  }

  /// True if the process cannot map another 16 MB, which is more than a failed allocation leaves
  /// free.
  static var isExhausted: Bool {
    let size = 16 << 20
    let block = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard unsafe block != MAP_FAILED else { return true }
    unsafe _ = munmap(block, size)
    return false
  }

  /// Configures the allocator so that freed pictures return to the system. Call it once, before
  /// threads start.
  ///
  /// The call fixes the size from which blocks are mapped individually, and so returned when they
  /// are freed. Otherwise glibc raises this threshold to the largest block ever freed, and pictures
  /// stay scattered over the heaps of all threads. Smaller blocks stay in their heap, up to 16 MB:
  /// opening and closing decoders would otherwise return and request pages all the time.
  package static func returnFreedPictures() {
    _ = mallopt(M_MMAP_THRESHOLD, 128 * 1024)
    _ = mallopt(M_TOP_PAD, 16 << 20)
  }
}
