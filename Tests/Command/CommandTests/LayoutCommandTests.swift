import ArgumentParser
import Foundation
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraCommand

@Suite(.timed) struct LayoutCommandTests {
  private func svg(_ arguments: String...) throws -> String {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("layout-\(UUID().uuidString).svg").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let command = try LayoutCommand.parse(arguments + ["-o", path])
    try command.run()
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func everyTileIsDrawnWithItsNumberAndSize() throws {
    let svg = try svg("grid", "--count", "4", "--gap", "0")
    for label in 1...4 { #expect(svg.contains(">\(label)</text>")) }
    #expect(svg.components(separatedBy: "640×360").count == 5)
  }

  @Test func theOverflowTileIsDrawn() throws {
    #expect(try svg("grid", "--count", "12", "--max-tiles", "9").contains(">+4</text>"))
  }

  @Test func nineStepsOfAChangeAreDrawn() throws {
    let svg = try svg("grid", "--animate", "4", "5")
    #expect(svg.components(separatedBy: "<clipPath").count == 10)
    #expect(svg.contains(">0.0625 s</text>") && svg.contains(">0.500 s</text>"))
  }

  @Test func aLayoutFilesCanvasIsUsed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("regions.json")
    try #"{"video_layout": {"a": {"video_sources": ["*"]}}, "resolution": "640x480"}"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try svg(path, "--count", "1").contains(">640×480</text>"))
    #expect(try svg(path, "--count", "1", "--size", "320x240").contains(">320×240</text>"))
  }

  @Test(arguments: [
    ("prominent:width=200,height=200", "not at this moment people 4, 5, 6 and 7."),
    ("flow:width=400,height=400", "not at this moment people 3 and 7."),
    ("pip", "not at this moment people 3, 4, 5, 6 and 7."),
  ])
  func peopleVisibleOnlyWhileSpeakingAreListed(layout: String, words: String) throws {
    let result = try TesseraTool.run(["layout", layout, "--json"])
    let note = "note: this layout shows only some at once, and "
    #expect(result.status == 0 && result.messages.contains(note + words), "\(result.messages)")
  }

  @Test(arguments: ["--speaking", "--focus", "--local", "--screen"])
  func unknownPeopleAreRefused(option: String) {
    #expect(throws: (any Error).self) { try svg("grid", "--count", "3", option, "4") }
    #expect(throws: Never.self) { try svg("grid", "--count", "3", option, "3") }
  }

  @Test(arguments: [
    ("gird", #"unknown layout "gird": did you mean "grid"?"#),
    ("./missing.json", "cannot read the layout file ./missing.json: "),
  ])
  func invalidLayoutsAreRefused(layout: String, beginning: String) {
    let error = #expect(throws: RenderError.self) { try svg(layout) }
    #expect(error?.kind == .usage)
    #expect(error?.message.hasPrefix(beginning) == true)
  }
}
