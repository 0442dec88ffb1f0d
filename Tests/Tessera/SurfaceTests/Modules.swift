import Foundation
import TestSupport

/// The folders of the project's modules.
enum Modules {
  /// The folder of each module with Swift sources, relative to `Sources`, by the folder's own name:
  /// `Base/Timeline` for `Timeline`. A folder directly below `Sources` is a module if it contains
  /// Swift files, and otherwise a group of modules.
  static func folders() throws -> [String: String] { try folders(below: "Sources") }

  /// The folder of each target below `Tests`, relative to the project's root.
  static func tests() throws -> [String: String] {
    try folders(below: "Tests").mapValues { "Tests/\($0)" }
  }

  private static func folders(below root: String) throws -> [String: String] {
    let files = FileManager.default
    let root = SourceTree.path(root)
    func subfolders(_ path: String) throws -> [String] {
      try files.contentsOfDirectory(
        at: URL(filePath: path), includingPropertiesForKeys: [.isDirectoryKey]
      ).filter(\.hasDirectoryPath).map(\.lastPathComponent)
    }
    func hasSources(_ path: String) throws -> Bool {
      try files.subpathsOfDirectory(atPath: path).contains { $0.hasSuffix(".swift") }
    }
    var found: [String: String] = [:]
    for group in try subfolders(root) {
      let names = try files.contentsOfDirectory(atPath: "\(root)/\(group)")
      if names.contains(where: { $0.hasSuffix(".swift") }) {
        found[group] = group
        continue
      }
      for name in try subfolders("\(root)/\(group)")
      where try hasSources("\(root)/\(group)/\(name)") {
        found[name] = "\(group)/\(name)"
      }
    }
    return found
  }
}
