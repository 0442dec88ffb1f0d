import Glibc

/// Processor time used for work.
package enum CPUTime {
  /// The processor time used so far by this process and the children it has waited for, in seconds.
  package static var spent: Double {
    [RUSAGE_SELF, RUSAGE_CHILDREN].reduce(0) { sum, who in
      var usage = rusage()
      guard unsafe getrusage(__rusage_who_t(who.rawValue), &usage) == 0 else { return sum }
      return sum + seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
