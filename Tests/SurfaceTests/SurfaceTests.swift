import Foundation
import Testing

/// What a program can see that imports the library: it changes on purpose only.
@Suite struct SurfaceTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The declarations of public types and free functions, by module.
  private static func declarations() throws -> [String] {
    let sources = root.appending(path: "Sources")
    let declaration = try Regex(
      #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*public (?:(?:final|indirect) )*(struct|enum|class|protocol|actor|typealias) (\w+)"#
    )
    let function = try Regex(#"^public func (\w+)"#)
    var found: [String] = []
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let folder = sources.appending(path: module)
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

  @Test("The public types and free functions are those of the list")
  func list() throws {
    let path = Self.root.appending(path: "Tests/SurfaceTests/surface.txt")
    let listed = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map(
      String.init)
    let found = try Self.declarations()
    let new = Set(found).subtracting(listed).sorted()
    let gone = Set(listed).subtracting(found).sorted()
    #expect(new == [], "public, but not in surface.txt: make it package, or add it on purpose")
    #expect(gone == [], "in surface.txt, but not public any more")
    #expect(found.count <= 150)
  }
}
