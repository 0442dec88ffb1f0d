import CTesseraSeccomp
import CTesseraSystem
import Glibc

/// The seccomp filter of workers: a list of allowed system calls. Others fail, and those that no
/// decoder has a reason for end the worker.
enum SeccompFilter {
  /// True if the kernel supports seccomp filters.
  static var isAvailable: Bool { seccomp_api_get() > 0 }

  /// Calls on open files, on the process's own memory and threads, and on time; and on names of
  /// files, as far as Landlock allows.
  private static let allowed = [
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2",
    "pwritev2", "lseek", "close", "close_range", "dup", "dup2", "dup3", "fstat", "fstatfs",
    "ftruncate", "fallocate", "fadvise64", "readahead", "fsync", "fdatasync", "sync_file_range",
    "flock", "copy_file_range", "sendfile", "getdents", "getdents64", "getcwd", "umask", "pipe",
    "pipe2", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2",

    "mmap", "munmap", "mremap", "mprotect", "madvise", "brk", "msync", "mincore", "mlock",
    "mlock2", "munlock", "get_mempolicy", "set_mempolicy", "mbind", "membarrier", "futex",
    "futex_wait", "futex_waitv", "futex_wake", "futex_requeue", "set_robust_list",
    "get_robust_list", "rseq", "set_tid_address", "arch_prctl", "exit", "exit_group",
    "restart_syscall", "pause", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigpending", "rt_sigtimedwait", "rt_sigsuspend", "sigaltstack",

    "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getgroups",
    "getpgrp", "getresuid", "getresgid", "capget", "sched_yield", "sched_getaffinity",
    "sched_getparam", "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
    "getcpu", "getpriority", "getrusage", "getrlimit", "setrlimit", "sysinfo", "uname", "times",
    "time", "gettimeofday", "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep",
    "getrandom", "riscv_flush_icache", "riscv_hwprobe",

    "poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl",
    "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd", "eventfd2", "timerfd_create",
    "timerfd_settime", "timerfd_gettime",
  ]

  /// Calls that inspect files by name. Landlock does not restrict them, so the handler answers them
  /// by opening the file, which Landlock does restrict.
  private static let looks = ["stat", "lstat", "newfstatat", "access", "faccessat", "faccessat2"]

  /// Calls that return "not implemented", so that libraries fall back to older calls whose
  /// arguments the filter can check.
  private static let unknown = ["clone3", "openat2", "statx"]

  /// Calls that end the worker: starting programs, other processes, the network.
  private static let deadly = [
    "execve", "execveat", "ptrace", "process_vm_readv", "process_vm_writev", "bind", "connect",
    "listen", "accept", "accept4", "bpf", "perf_event_open", "init_module", "finit_module",
    "kexec_load", "mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "keyctl",
    "add_key", "request_key", "userfaultfd", "io_uring_setup",
  ]

  /// Filters the calls of all threads from now on. Returns false if the kernel cannot.
  ///
  /// If `limitsLooks`, files can be inspected only if they can be read.
  static func install(limitsLooks: Bool) throws(SystemError) -> Bool {
    guard isAvailable, let filter = unsafe seccomp_init(CSC_REFUSE) else { return false }
    defer { unsafe seccomp_release(filter) }
    unsafe _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1)
    // A binary tree: each call would otherwise be compared with the whole list.
    unsafe _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2)
    for name in allowed { try unsafe add(CSC_ALLOW, name, filter) }
    for name in looks { try unsafe add(limitsLooks ? CSC_TRAP : CSC_ALLOW, name, filter) }
    for name in unknown { try unsafe add(CSC_UNKNOWN, name, filter) }
    for name in deadly { try unsafe add(CSC_TRAP, name, filter) }
    for rule in ArgumentRule.all { try unsafe add(CSC_ALLOW, rule.name, filter, rule.comparison) }
    // Local sockets only fail: the C library opens one to look up a user's name.
    for name in ["socket", "socketpair"] {
      let isForeign = scmp_arg_cmp(
        arg: 0, op: SCMP_CMP_NE, datum_a: scmp_datum_t(AF_UNIX), datum_b: 0)
      try unsafe add(CSC_TRAP, name, filter, isForeign)
    }
    answerLooks()
    try check(unsafe seccomp_load(filter))
    return true
  }

  /// A call that is allowed only with certain arguments.
  private struct ArgumentRule {
    let name: String
    let comparison: scmp_arg_cmp

    /// Allows the call `name` if its argument `argument`, masked by `mask`, is `value`.
    init(_ name: String, _ argument: Int, _ value: Int, mask: UInt64 = .max) {
      self.name = name
      comparison = scmp_arg_cmp(
        arg: UInt32(argument), op: SCMP_CMP_MASKED_EQ, datum_a: mask,
        datum_b: scmp_datum_t(value))
    }

    static var all: [ArgumentRule] {
      let own = Int(getpid())
      // Threads, but no new namespaces for mounts, control groups, host names, messages, users,
      // processes or networks.
      let thread = 0x1_0000
      let threadOnly = UInt64(thread | 0x7e02_0000)
      let place = CSYS_O_PATH
      let duplicates = [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC]
      let locks = [F_GETLK, F_SETLK, F_SETLKW, 36, 37, 38]
      return [
        ArgumentRule("clone", 0, thread, mask: threadOnly), ArgumentRule("kill", 0, own),
        ArgumentRule("tgkill", 0, own), ArgumentRule("prlimit64", 0, 0),
        ArgumentRule("open", 1, 0, mask: UInt64(place)),
        ArgumentRule("openat", 2, 0, mask: UInt64(place)),
      ] + (duplicates + locks).map { ArgumentRule("fcntl", 1, Int($0), mask: 0xffff_ffff) }
        // PR_SET_NAME, PR_GET_NAME and PR_SET_VMA.
        + [15, 16, 0x5356_4d41].map { ArgumentRule("prctl", 0, $0, mask: 0xffff_ffff) }
        // TCGETS, FIONREAD and FIONBIO.
        + [0x5401, 0x541b, 0x5421].map { ArgumentRule("ioctl", 1, $0, mask: 0xffff_ffff) }
    }
  }

  /// Adds a rule. Calls that this processor architecture does not have are skipped.
  @unsafe private static func add(
    _ action: UInt32, _ name: String, _ filter: scmp_filter_ctx, _ comparison: scmp_arg_cmp? = nil
  ) throws(SystemError) {
    let number = unsafe seccomp_syscall_resolve_name(name)
    guard number >= 0 else { return }
    guard var comparison else {
      return try check(unsafe seccomp_rule_add_array(filter, action, number, 0, nil))
    }
    try check(unsafe seccomp_rule_add_array(filter, action, number, 1, &comparison))
  }

  /// Installs the handler of trapped calls: it answers inspections of files, and any other call
  /// ends the process.
  private static func answerLooks() {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_sigaction = { number, information, context in
      if unsafe csys_answer_look(information, context) != 0 { return }
      CrashNote.noteSignal(number)
      signal(number, SIG_DFL)
      raise(number)
    }
    action.sa_flags = SA_SIGINFO | SA_NODEFER
    unsafe sigaction(SIGSYS, &action, nil)
  }

  private static func check(_ result: CInt) throws(SystemError) {
    guard result < 0 else { return }
    throw SystemError("filter the calls of", "this process", number: -result)
  }
}
