import ArgumentParser
import TesseraBatch
import TesseraDocuments
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TestSupport
import Testing

@testable import TesseraCommand

/// One row makes an option: all that knows options by name reads the rows.
@Suite("One table of options", .timed) struct OptionTableTests {
  private static let names = RenderRequest.optionNames

  @Test("Render declares all options and says of each what its row says")
  func render() {
    #expect(Set(RenderCommand.declared).isSuperset(of: Self.names))
    let words = { (text: String) in
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let help = words(RenderCommand.helpMessage(columns: 1000))
    for row in RenderRequest.rows.map(\.row) {
      #expect(help.contains("--\(row.name)") && help.contains(words(row.help)), "\(row.name)")
    }
  }

  @Test("A batch declares all but what it has of its own")
  func batch() {
    let own: Set = ["executor"]
    #expect(Set(BatchCommand.declared).union(own).isSuperset(of: Self.names))
  }

  @Test("Words are read as what they say", arguments: names)
  func words(_ name: String) throws {
    let texts = try #require(OptionSamples.texts[name])
    var request = RenderRequest("call", to: "call.mp4")
    try request.set(name, texts)
    let said = request.texts(name) ?? texts
    let words =
      switch RenderRequest.option(name)?.row.arity {
      case .flag: ["--\(name)"]
      case .deniableFlag: said == ["off"] ? ["--no-\(name)"] : ["--\(name)"]
      default: said.map { "--\(name)=\($0)" }
      }
    let command = try RenderCommand.parse(["call", "--output=call.mp4"] + words)
    let again = try command.request()
    #expect(again.said.map(\.row.name) == request.said.map(\.row.name))
    #expect(again.texts(name) == texts || again.texts(name) == request.texts(name))
  }

  @Test(
    "A further output takes each option of an output", arguments: RenditionOptions.rows.map(\.name))
  func also(_ name: String) throws {
    let texts = try #require(OptionSamples.texts[name])
    let values = texts.map { "\(name)=\"\($0.replacing("\"", with: "\"\""))\"" }
    let text = "a.mkv:\(values.joined(separator: ","))"
    #expect(try RequestedOutput(text: text).options.texts(name) == texts, "\(text)")
  }

  @Test("A job of a batch takes each option", arguments: names)
  func job(_ name: String) throws {
    let texts = try #require(OptionSamples.texts[name])
    var members = Document.Members()
    members.append("input", .text("call"))
    members.append("output", .text("call.mp4"))
    let values = texts.map(Document.text)
    members.append(name, values.count == 1 ? values[0] : .list(values))
    let reader = JobReader(RenderRequest([], to: []))
    let entry = JobLines.Entry(number: 0, place: "line 1", members: .success(members))
    switch reader.job(entry) {
    case .success(let job):
      #expect(job.request.texts(name) != nil)
    case .failure(let problems):
      // What the batch shares among jobs cannot be a job's.
      #expect(["jobs", "memory", "executor", "work-dir"].contains(name), "\(problems.sentences)")
    }
  }
}
