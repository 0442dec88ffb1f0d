import CTesseraSeccomp
import Glibc

/// The calls into the system that end a worker: no decoder has a reason for them.
enum SystemCallFilter {
  /// Whether the kernel filters calls.
  static var isAvailable: Bool { seccomp_api_get() > 0 }

  /// Starting programs, and reaching into other processes.
  private static let deadly = [
    "execve", "execveat", "ptrace", "process_vm_readv", "process_vm_writev", "bind", "connect",
    "listen", "accept", "accept4", "bpf", "perf_event_open", "init_module", "finit_module",
    "kexec_load", "mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "keyctl",
    "add_key", "request_key", "userfaultfd", "io_uring_setup",
  ]

  /// Filters the calls of all threads from now on; false where the kernel cannot.
  static func install() throws(SystemError) -> Bool {
    guard isAvailable, let filter = unsafe seccomp_init(CSC_ALLOW) else { return false }
    defer { unsafe seccomp_release(filter) }
    unsafe _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1)
    for name in deadly {
      let number = unsafe seccomp_syscall_resolve_name(name)
      guard number >= 0 else { continue }
      try check(unsafe seccomp_rule_add_array(filter, CSC_TRAP, number, 0, nil))
    }
    try unsafe limitSockets(filter)
    try check(unsafe seccomp_load(filter))
    return true
  }

  /// Sockets to the network end the process. Local ones are only refused: the C library asks for
  /// one when it looks for a user's name.
  @unsafe private static func limitSockets(_ filter: scmp_filter_ctx) throws(SystemError) {
    for name in ["socket", "socketpair"] {
      let number = unsafe seccomp_syscall_resolve_name(name)
      guard number >= 0 else { continue }
      for (comparison, action) in [(SCMP_CMP_EQ, CSC_REFUSE), (SCMP_CMP_NE, CSC_TRAP)] {
        var isLocal = scmp_arg_cmp(
          arg: 0, op: comparison, datum_a: scmp_datum_t(AF_UNIX), datum_b: 0)
        try check(unsafe seccomp_rule_add_array(filter, action, number, 1, &isLocal))
      }
    }
  }

  private static func check(_ result: CInt) throws(SystemError) {
    guard result < 0 else { return }
    throw SystemError("filter the calls of", "this process", number: -result)
  }
}
