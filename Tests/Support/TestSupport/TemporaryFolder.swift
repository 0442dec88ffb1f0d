import Foundation
import Synchronization

/// A folder of a test's own, removed with the last reference to it, or where the process ends.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Creates the folder.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "tessera-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
    Self.all.withLock { _ = $0.insert(url.path) }
  }

  deinit {
    Self.all.withLock { _ = $0.remove(path) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The folders that are there. Those that whole suites share nobody lets go of.
  private static let all: Mutex<Set<String>> = {
    atexit {
      let paths = TemporaryFolder.all.withLock(\.self)
      for path in paths { try? FileManager.default.removeItem(atPath: path) }
    }
    return Mutex([])
  }()

  /// The path of `name` in the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of all files in it, hidden ones included.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
