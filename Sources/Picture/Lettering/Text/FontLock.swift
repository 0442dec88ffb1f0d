internal import Synchronization

/// Lets one thread at a time use fonts: what Cairo opens of them through FreeType is one set for
/// all threads, and must not be opened and closed at the same time.
enum FontLock {
  private static let mutex = Mutex(())

  /// Runs `body` while no other thread uses fonts; it must not ask for the lock again.
  static func hold<Result: Sendable>(_ body: () -> Result) -> Result {
    mutex.withLock { _ in body() }
  }
}
