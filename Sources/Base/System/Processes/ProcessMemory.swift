import CTesseraSystem
import Glibc

/// How the memory of the process is kept.
package enum ProcessMemory {
  /// The bytes of addresses that the process may use at most (`ulimit -v`); nil where that is not
  /// limited.
  package static var addressLimit: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(Int.max)
    else { return nil }
    return Int(limit.rlim_cur)
  }

  /// Whether the process cannot get another 16 MB, more than what failed for want of memory has
  /// left.
  static var isExhausted: Bool {
    let size = 16 << 20
    let block = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard unsafe block != MAP_FAILED else { return true }
    unsafe _ = munmap(block, size)
    return false
  }

  /// Lets freed pictures return to the system; a program calls it once, before it starts threads.
  ///
  /// It fixes the size from which memory is mapped by itself, and so returned when it is freed.
  /// glibc otherwise raises it to the largest block ever freed, and pictures then stay scattered
  /// over the heaps of all threads. What is smaller stays with its heap, up to 16 MB: opening and
  /// closing decoders would otherwise give pages back and take them again all the time.
  package static func returnFreedPictures() {
    _ = mallopt(M_MMAP_THRESHOLD, 128 * 1024)
    _ = mallopt(M_TOP_PAD, 16 << 20)
  }
}
