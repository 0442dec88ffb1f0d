import Foundation
import TestSupport
import Testing

/// The library's public interface, which changes only on purpose.
@Suite struct SurfaceTests {

  /// Returns the declarations of public types and free functions, by module.
  private static func declarations() throws -> [String] {
    let sources = SourceTree.root.appending(path: "Sources")
    let declaration = try Regex(
      #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*public (?:(?:final|indirect) )*(struct|enum|class|protocol|actor|typealias) (\w+)"#
    )
    let function = try Regex(#"^public func (\w+)"#)
    var found: [String] = []
    for (module, path) in try Modules.folders() {
      let folder = sources.appending(path: path)
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          if let match = line.firstMatch(of: declaration), let name = match[2].substring {
            found.append("\(module) \(name)")
          } else if let match = line.firstMatch(of: function), let name = match[1].substring {
            found.append("\(module) \(name)()")
          }
        }
      }
    }
    return found.sorted()
  }

  @Test("The public types and free functions match the list")
  func list() throws {
    let path = SourceTree.root.appending(path: "Tests/Tessera/SurfaceTests/surface.txt")
    let listed = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map(
      String.init)
    let found = try Self.declarations()
    let new = Set(found).subtracting(listed).sorted()
    let gone = Set(listed).subtracting(found).sorted()
    #expect(new == [], "public, but not in surface.txt: make it package, or add it on purpose")
    #expect(gone == [], "in surface.txt, but not public any more")
    #expect(found.count <= 150)
  }

  /// Returns the lines of the files below `folder` that end in one of `endings`.
  private static func lines(below folder: String, _ endings: Set<String>) throws -> [Substring] {
    let files = FileManager.default.enumerator(
      at: SourceTree.root.appending(path: folder), includingPropertiesForKeys: nil)
    var lines: [Substring] = []
    while let file = files?.nextObject() as? URL {
      guard endings.contains(file.pathExtension) else { continue }
      lines += try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
    }
    return lines
  }

  @Test("The sizes of the command and of the public interface do not grow")
  func limits() throws {
    let path = SourceTree.root.appending(path: "Tests/Tessera/SurfaceTests/limits.txt")
    let limits = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: " ", maxSplits: 1)
    }
    let limit = Dictionary(uniqueKeysWithValues: limits.map { (String($0[1]), Int($0[0]) ?? 0) })
    let command = try Self.lines(below: "Sources/Command", ["swift"]).count
    let declaration = try Regex(#"^\s*(@\S+ )*public (?!import)"#)
    let declarations = try Self.lines(below: "Sources", ["swift"]).count {
      $0.firstMatch(of: declaration) != nil
    }
    #expect(command <= limit["lines of the command"] ?? 0)
    #expect(declarations <= limit["public declarations"] ?? 0)
  }
}
