import Foundation
import TestSupport
import Testing

/// Compares the imports of the sources with the lists of `Package.swift` and the arrows of
/// `CONTRIBUTING.md`.
@Suite struct ImportTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: SourceTree.root.appending(path: path).path)
  }

  /// Returns the project's modules that the Swift files below `folder` import, by their folders:
  /// `Plan`, `CFFmpeg`. Returns `nil` if there are no Swift files.
  private static func imports(below folder: String) throws -> Set<String>? {
    let words = try Regex(
      #"^ *(?:@\w+ +)*(?:\w+ +)?import +(?:[a-z]+ +)?(C?)(Tessera(\w*)|ScalePeers|FuzzTargets|PlanningSupport|TestSupport)$"#,
      as: (Substring, Substring, Substring, Substring?).self)
    let files = FileManager.default.enumerator(
      at: SourceTree.root.appending(path: folder), includingPropertiesForKeys: nil)
    var found: Set<String>?
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      found = found ?? []
      for line in text.split(separator: "\n") where line.contains("import ") {
        guard let (_, gate, name, folder) = line.wholeMatch(of: words)?.output else { continue }
        found?.insert(String(gate + (folder.flatMap { $0.isEmpty ? nil : $0 } ?? name)))
      }
    }
    return found
  }

  /// Returns the imports that `Package.swift` states for each folder of sources or tests, with the
  /// order of the folders.
  private static func declared() throws -> (order: [String], imports: [String: Set<String>]) {
    let text = try text("Package.swift")
    let list = #"\[([^\[\]]*)\]"#
    let others = #"(?:\[(?:[^\[\]]|\[[^\]]*\])*\])?"#
    let target = try Regex(
      #"\b(module|tests)\(\s*"(?:\w+/)*(\w+)",\s*"# + list + #"(?:,\s*"# + list
        + #")?|\bneeds\(\s*"# + list + #",\s*"# + others + #",?\s*by: "([\w-]+)""#)
    let name = /"(?:C?Tessera)?(\w+)"/
    var (order, imports) = ([String](), [String: Set<String>]())
    for match in text.matches(of: target) {
      func group(_ number: Int) -> Substring? { match[number].substring }
      guard let folder = group(2) ?? group(6) else { continue }
      let own = (group(3) ?? group(5) ?? "").matches(of: name).map { String($0.1) }
      // Programs are named, but not imported.
      let gates = (group(4) ?? "").matches(of: name).filter { $0.0.hasPrefix("\"CTessera") }
      let isTest = group(1) == "tests"
      order.append(String(folder))
      imports[String(folder)] = Set(own + gates.map { "C\($0.1)" })
        .union(isTest ? ["TestSupport"] : [])
    }
    return (order, imports)
  }

  @Test("Package.swift lists what each target imports, and nothing else")
  func lists() throws {
    let (order, declared) = try Self.declared()
    #expect(order.count > 40 && Set(order).count == order.count)
    let folders = try Modules.folders().mapValues { "Sources/\($0)" }
      .merging(Modules.tests()) { source, _ in source }
    for folder in order {
      let path = try #require(folders[folder], "\(folder)")
      // Peers of the benchmarks are optional.
      let imports = try Self.imports(below: path)?.subtracting(["CScalePeers"])
      #expect(imports == declared[folder], "\(path)")
    }
    for folder in try Modules.folders().keys { #expect(order.contains(folder)) }
  }

  @Test("Imports follow the arrows of CONTRIBUTING.md, which point down")
  func arrows() throws {
    var arrows: [(module: String, targets: [String])] = []
    for line in try Self.text("CONTRIBUTING.md").split(separator: "\n") {
      let sides = line.split(separator: "──►", omittingEmptySubsequences: false)
      guard sides.count == 2 else { continue }
      let targets = sides[1].split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      arrows.append((sides[0].trimmingCharacters(in: .whitespaces), targets))
    }
    let folders = try Modules.folders()
    let modules = folders.keys
    #expect(arrows.map(\.module).sorted() == modules.sorted())
    var reached: [String: Set<String>] = [:]
    for (module, targets) in arrows.reversed() {
      let imports = try folders[module].flatMap { try Self.imports(below: "Sources/\($0)") } ?? []
      var reach: Set<String> = []
      for target in targets where !target.isEmpty {
        #expect(imports.contains(target), "\(module) ──► \(target): nothing imports it")
        reach.insert(target)
        let further = reached[target]
        #expect(further != nil || !modules.contains(target), "\(module) ──► \(target) points up")
        reach.formUnion(further ?? [])
      }
      #expect(imports.subtracting(reach) == [], "\(module): no arrow leads there")
      reached[module] = reach
    }
  }

  @Test("CONTRIBUTING.md describes each module, and names existing files only")
  func documents() throws {
    let text = try Self.text("CONTRIBUTING.md")
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "|").first }
    let named = Set(rows.flatMap { $0.matches(of: /`([\w-]+)`/).map { String($0.1) } })
    #expect(Set(try Modules.folders().keys).subtracting(named) == [])
    for path in text.matches(of: /`([A-Z][\w+\/]*\/[\w+]+\.(?:swift|c))`/).map(\.1) {
      #expect(Self.exists("Sources/\(path)"), "\(path) does not exist")
    }
  }
}
