internal import Synchronization

/// A process-wide lock for fonts. Cairo shares its open FreeType fonts among all threads, and
/// opening and closing them concurrently is not safe.
enum FontLock {
  private static let mutex = Mutex(())

  /// Runs `body` while no other thread uses fonts. The lock is not recursive.
  static func hold<Result: Sendable>(_ body: () -> Result) -> Result {
    mutex.withLock { _ in body() }
  }
}
