import Foundation

/// A folder of a test's own, removed with the last reference to it.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Creates the folder.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "tessera-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of all files in it, hidden ones included.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
