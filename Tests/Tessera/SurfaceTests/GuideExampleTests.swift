import Foundation
import TestSupport
import Testing

@Suite("Swift examples of the guides", .timed) struct GuideExampleTests {
  @Test("Every Swift example is one that the tests of the library compile")
  func compiled() throws {
    let compiled = Self.plain(try Self.text("Tests/Tessera/LibraryTests/GuideExamples.swift"))
    var count = 0
    for guide in ["README.md", "Sources/Tessera/Tessera.docc/Library.md"] {
      let text = try Self.text(guide)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let example = Self.plain(block.components(separatedBy: "```").first ?? "")
        // The list of a protocol's requirements is not an example.
        guard !example.hasPrefix("public protocol") else { continue }
        #expect(compiled.contains(example), "\(guide):\n\(example)")
        count += 1
      }
    }
    #expect(count == 8)
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: SourceTree.path(path), encoding: .utf8)
  }

  /// The lines without their indentation, imports and empty lines.
  private static func plain(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop(while: { $0 == " " }) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }.joined(separator: "\n")
  }
}
