import CTesseraSystem
import Glibc

/// The capabilities of a process, as root has them.
enum Privileges {
  /// Files may be read and written whatever their modes say; read only.
  private static let override: UInt64 = 1 << 1 | 1 << 2
  private static let readAnything: UInt64 = 1 << 2

  /// Gives up all capabilities, but for the one that reads, or writes, any file where `readable` or
  /// `writable` cannot be used without it: root may be asked to render what is somebody else's.
  static func giveUp(readable: [String], writable: [String]) throws(SystemError) {
    let available = csys_capabilities()
    guard available != 0 else { return }
    csys_bound_capabilities()
    guard csys_set_capabilities(0, available) == 0 else {
      throw SystemError("give up privileges of", "this process")
    }
    var kept: UInt64 = 0
    if !readable.allSatisfy({ mayUse($0, R_OK) }) { kept |= readAnything }
    if !writable.allSatisfy({ mayUse($0, R_OK | W_OK) }) { kept |= override }
    kept &= available
    guard csys_set_capabilities(kept, kept) == 0 else {
      throw SystemError("give up privileges of", "this process")
    }
  }

  /// Whether modes allow it; what is not there needs no privilege.
  private static func mayUse(_ path: String, _ way: CInt) -> Bool {
    unsafe faccessat(AT_FDCWD, path, way, AT_EACCESS) == 0 || ![EACCES, EPERM].contains(errno)
  }
}

/// What workers get of the environment: what says where and how a program runs, and nothing that
/// may be a secret, or loads code into it.
package enum WorkerEnvironment {
  /// The names; one that ends in an underscore stands for all that begin with it.
  static let names = [
    "HOME", "LANG", "LANGUAGE", "LC_", "LD_LIBRARY_PATH", "MALLOC_", "PATH", "SVT_LOG",
    "SWIFT_BACKTRACE", "TMPDIR", "TZ",
  ]

  /// Those of the variables in `environment` that workers get. Swift's own words about a crash are
  /// for whoever develops the program.
  package static func kept(of environment: [String: String]) -> [String: String] {
    environment.filter { name, _ in
      names.contains { name == $0 || $0.hasSuffix("_") && name.hasPrefix($0) }
    }.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  /// Forgets all others that this process has.
  static func clear() {
    let copies = unsafe names.map { unsafe UnsafePointer(strdup($0)) }
    unsafe csys_keep_environment(copies, copies.count)
    unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
  }
}
