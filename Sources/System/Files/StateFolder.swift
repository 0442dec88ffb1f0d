import Foundation
import Glibc

/// What the program remembers from one run to the next, for one user: in `$XDG_STATE_HOME/tessera`,
/// else `~/.local/state/tessera`.
package enum StateFolder {
  /// The folder `name` in it, which may not be there; nil where the user has no such place.
  package static func path(
    _ name: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") {
      return "\(base)/tessera/\(name)"
    }
    return environment["HOME"].flatMap { home in
      home.hasPrefix("/") ? "\(home)/.local/state/tessera/\(name)" : nil
    }
  }
}
