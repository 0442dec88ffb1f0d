import Foundation
import Synchronization

/// A temporary folder, removed with the last reference to it, or when the process ends.
public final class TemporaryFolder: Sendable {
  /// The absolute path.
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

  /// The existing folders. Folders shared by whole suites are never released.
  private static let all: Mutex<Set<String>> = {
    atexit {
      let paths = TemporaryFolder.all.withLock(\.self)
      for path in paths { try? FileManager.default.removeItem(atPath: path) }
    }
    return Mutex([])
  }()

  /// Returns the path of `name` in the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of all files in the folder, including hidden ones.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
