package import Foundation

/// Files of the project's own tree.
package enum SourceTree {
  /// The folder of `Package.swift`.
  package static let root: URL = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path),
      folder.path != "/"
    {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  /// Returns the absolute path of `path`, which is relative to the project's root: `Fixtures/call`.
  package static func path(_ path: String) -> String { root.appending(path: path).path }

  /// The optional folder of test input beside the project: real recordings and manifests.
  package static let shared = root.deletingLastPathComponent().appending(path: "shared")
}
