import Foundation
import TestSupport
import Testing

/// Reads the sources: a path in a sentence is a value, so that a remote call can show an address.
@Suite("Paths in sentences", .timed) struct FileValueTests {
  /// Literals that read like sentences but are none, or whose paths always are the user's own.
  private static let exceptions: [String: String] = [
    "CallInspectionText.swift": "prints paths that have names already",
    "DocumentError.swift": "the path of a value in a document",
    "JobListCheck.swift": "names of a list of jobs, which are shown as written",
    "EditorProject+Plan.swift": "keys of notes that are given once",
    "TimelineSVG.swift": "SVG",
  ]

  @Test("An interpolated path, file or folder of a sentence is \\(file: …)")
  func sources() throws {
    let literal = try Regex(
      #""(?:[^"\\]|\\\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)|\\[^(])*""#)
    let interpolation = try Regex(#"\\\([^()]*(?:\([^()]*\)[^()]*)*\)"#)
    let path = try Regex(#"\\\((?:[\w\[\]]+[?!]?\.)*(?:path|file|folder)\)"#)
    let words = try Regex(#"[A-Za-z,:;.)] | [A-Za-z(]"#)
    let sources = SourceTree.root.appending(path: "Sources")
    var found: [String: String] = [:]
    var count = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: sources.path) {
      guard name.hasSuffix(".swift"), !name.hasPrefix("Bench/") else { continue }
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains("\\(") {
        guard !line.trimmingPrefix(#/ */#).hasPrefix("//") else { continue }
        for match in line.matches(of: literal) {
          let text = String(line[match.range])
          if text.contains("\\(file: ") { count += 1 }
          guard text.contains(path), text.replacing(interpolation, with: "@").contains(words)
          else { continue }
          found[URL(filePath: name).lastPathComponent] = text
        }
      }
    }
    #expect(count > 100)
    let wrong = found.filter { Self.exceptions[$0.key] == nil }
    #expect(wrong.isEmpty, "\(wrong)")
    #expect(Set(Self.exceptions.keys).isSubset(of: found.keys), "needless exceptions")
  }
}
