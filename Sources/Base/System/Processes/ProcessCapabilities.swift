import CTesseraSystem
import Glibc

/// Linux capabilities of the process.
enum ProcessCapabilities {
  /// CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: access to files regardless of their modes.
  private static let override: UInt64 = 1 << 1 | 1 << 2
  /// CAP_DAC_READ_SEARCH: reading of files regardless of their modes.
  private static let readAnything: UInt64 = 1 << 2

  /// Drops all capabilities except those needed to read `readable` and to write `writable`.
  ///
  /// Root may be asked to render another user's files, which it cannot open without a capability.
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

  /// True if the file's modes allow access. A missing file needs no privilege.
  private static func mayUse(_ path: String, _ way: CInt) -> Bool {
    unsafe faccessat(AT_FDCWD, path, way, AT_EACCESS) == 0 || ![EACCES, EPERM].contains(errno)
  }
}

/// The environment variables that workers get: those that locate and configure a program, without
/// secrets and without those that load code.
package enum WorkerEnvironment {
  /// The names of the variables. A name that ends in an underscore matches as a prefix.
  static let names = [
    "HOME", "LANG", "LANGUAGE", "LC_", "LD_LIBRARY_PATH", "MALLOC_", "PATH", "SVT_LOG",
    "SWIFT_BACKTRACE", "TMPDIR", "TZ",
  ]

  /// Returns the variables of `environment` that workers get. Swift's backtraces are disabled,
  /// because they are only for developers.
  package static func kept(of environment: [String: String]) -> [String: String] {
    environment.filter { name, _ in
      names.contains { name == $0 || $0.hasSuffix("_") && name.hasPrefix($0) }
    }.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  /// Removes all other variables from this process's environment.
  static func clear() {
    let copies = unsafe names.map { unsafe UnsafePointer(strdup($0)) }
    unsafe csys_keep_environment(copies, copies.count)
    unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
  }
}
