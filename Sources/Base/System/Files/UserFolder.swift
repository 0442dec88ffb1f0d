import Foundation

/// The folders of a user for what outlives a run.
package enum UserFolder: String, Sendable {
  /// Data that can be computed or fetched again: `$XDG_CACHE_HOME/tessera`, else `~/.cache/tessera`.
  case cache
  /// Data that one run leaves for the next: `$XDG_STATE_HOME/tessera`, else `~/.local/state/tessera`.
  case state

  /// Returns the folder by `environment`; a user without a home has it in the scratch folder of the scheduler, and
  /// `nil` without one.
  package func path(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    let absolute = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let base = absolute("XDG_\(rawValue.uppercased())_HOME") { return "\(base)/tessera" }
    if let home = absolute("HOME") {
      return home + (self == .cache ? "/.cache/tessera" : "/.local/state/tessera")
    }
    return (absolute("_CONDOR_SCRATCH_DIR") ?? absolute("TMPDIR")).map {
      "\($0)/tessera-\(rawValue)"
    }
  }
}
