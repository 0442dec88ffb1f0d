import Foundation

/// What the process may use of the machine it runs on.
package enum Machine {
  /// The processors that this process may run on.
  package static let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
}
