import ArgumentParser
import Foundation
import Rendering
import Testing

@testable import tessera

@Suite struct LayoutCommandTests {
  private func svg(_ arguments: String...) throws -> String {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("layout-\(UUID().uuidString).svg").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let command = try LayoutCommand.parse(arguments + ["-o", path])
    try command.run()
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func drawsEveryTileWithItsNumberAndSize() throws {
    let svg = try svg("grid", "--count", "4", "--gap", "0")
    for label in 1...4 { #expect(svg.contains(">\(label)</text>")) }
    #expect(svg.components(separatedBy: "640×360").count == 5)
  }

  @Test func drawsTheTileThatCountsTheRest() throws {
    #expect(try svg("grid", "--count", "12", "--max-tiles", "9").contains(">+4</text>"))
  }

  @Test func drawsNineStepsOfAChange() throws {
    let svg = try svg("grid", "--animate", "4", "5")
    #expect(svg.components(separatedBy: "<clipPath").count == 10)
    #expect(svg.contains(">0.0625 s</text>") && svg.contains(">0.500 s</text>"))
  }

  @Test(arguments: [
    ("gird", #"unknown layout "gird": did you mean "grid"?"#),
    ("./missing.json", "cannot read the layout file ./missing.json: "),
  ])
  func refusesInOneSentence(layout: String, beginning: String) {
    let error = #expect(throws: RenderError.self) { try svg(layout) }
    #expect(error?.kind == .usage)
    #expect(error?.message.hasPrefix(beginning) == true)
  }
}
