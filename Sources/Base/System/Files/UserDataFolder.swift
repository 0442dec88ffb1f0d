import Foundation

/// The user's folders for data that outlives a run.
package enum UserDataFolder: String, Sendable {
  /// The folder of data that can be recreated: `$XDG_CACHE_HOME/tessera`, otherwise
  /// `~/.cache/tessera`.
  case cache
  /// The folder of data that one run leaves for the next: `$XDG_STATE_HOME/tessera`, otherwise
  /// `~/.local/state/tessera`.
  case state

  /// Returns the folder for `environment`. A user without a home gets a folder in the scheduler's
  /// scratch folder; `nil` without one.
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
