import Glibc

/// The files that this process may hold open.
public enum ProcessFiles {
  /// Allows as many as the system grants without being asked by an administrator; calls with
  /// hundreds of recordings need more than the usual 1024.
  public static func allowMany() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = min(limit.rlim_max, 65536)
    unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
