import TesseraRecordings
import TesseraRequest
import TestSupport
import Testing

@testable import TesseraPlanning

@Suite("Options in session files", .timed) struct SessionOptionsTests {
  private func recording(_ rest: String) throws -> Recording {
    try SessionFile.recording(
      from: "version: 1\nparticipants: [{ id: ada }]\n\(rest)", file: "session.yaml")
  }

  @Test(
    "A session's canvas and outputs accept every output option",
    arguments: RenditionOptions.rows.map(\.name))
  func everyOption(_ name: String) throws {
    let texts = try #require(OptionSamples.texts[name])
    let values = texts.map { "'\($0)'" }.joined(separator: ", ")
    let list = texts.count == 1 ? values : "[\(values)]"
    let recording = try recording(
      "canvas: { \(name): \(list) }\noutputs: [{ file: a.mp4, \(name): \(list) }]\n")
    let output = try OutputRequest(try #require(recording.outputs.first))
    #expect(output.options.texts(name) == texts)
    let input = ImportedCall(recording, root: "calls")
    var asked = RenderRequest("calls", to: "a.mp4")
    // Size, rate and background are the call's own, and its layout may override them.
    if !["size", "fps", "background"].contains(name) {
      var look = try asked.outputDefaults(of: input)
      look.mapFiles { $0.hasPrefix("calls/") ? String($0.dropFirst(6)) : "elsewhere" }
      #expect(look.texts(name) == texts)
    }
    let again = try SessionFile.recording(from: SessionFile.text(recording), file: "again.yaml")
    #expect(again.canvas == recording.canvas && again.outputs == recording.outputs)
    try asked.set(name, texts)
    #expect(try asked.outputDefaults(of: input).texts(name) == texts)
  }

  @Test("Options of the request override the canvas")
  func overTheCanvas() throws {
    let input = ImportedCall(try recording("canvas: { gap: 30, names: off }\n"), root: "")
    var request = RenderRequest("calls", to: "a.mp4")
    request.outputDefaults.gap = 4
    let look = try request.outputDefaults(of: input)
    #expect(look.gap == 4 && look.showsNames == false)
  }

  @Test("Keys that a canvas does not support are refused by name")
  func refusals() throws {
    let request = RenderRequest("calls", to: "a.mp4")
    for (key, words) in [
      ("gpa: 4", "did you mean \"gap\"?"), ("gap: 900", "takes 0 to 512 pixels"),
      ("jobs: 2", "is about the whole render"), ("local: ada", "describes the call"),
    ] {
      let input = ImportedCall(try recording("canvas: { \(key) }\n"), root: "")
      let error = #expect(throws: (any Error).self) { try request.outputDefaults(of: input) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(key)")
    }
  }

  @Test("A canvas of a received recording cannot name files outside its folder")
  func pathsStayInside() throws {
    let recording = try recording("canvas: { watermark: '/secret.png:height=0.5' }\n")
    #expect(recording.pathOutside == "/secret.png")
  }
}
