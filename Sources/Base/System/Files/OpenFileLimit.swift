import Glibc

/// The limit of open files of this process.
package enum OpenFileLimit {
  /// The largest number of files that may be open at a time.
  package static var limit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return .max
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises the soft limit to the hard limit, at most 65536. Calls with hundreds of recordings need
  /// more than the usual 1024.
  package static func allowMany() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = min(limit.rlim_max, 65536)
    unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
