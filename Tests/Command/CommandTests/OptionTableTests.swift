import ArgumentParser
import Foundation
import TesseraDocuments
import TesseraMessages
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraBatch
@testable import TesseraCommand

/// Everything that knows options by name reads the rows of one table.
@Suite("Table of options", .timed) struct OptionTableTests {
  private static let names = RenderRequest.optionNames

  @Test("Render declares all options, with the help of their rows")
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

  /// Files outside the command that spell options with dashes: command lines of programs.
  private static let commandLines: Set = ["ProfileCredentialProvider.swift", "SlurmQueue.swift"]

  @Test("Messages below the command contain options as values, and only known ones")
  func messages() throws {
    let known = Set(Self.names + ["also", "at", "every", "hls", "index"])
    let sources = SourceTree.root.appending(path: "Sources")
    var spelled: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) {
      guard path.hasSuffix(".swift"), !path.hasPrefix("Command/"),
        !path.hasPrefix("Bench/"),
        !path.contains("Request/Options/")
      else { continue }
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for line in text.split(separator: "\n") {
        if line.contains("\\(option: \"") {
          for match in line.matches(of: /\\\(option: "([^"]*)"/) {
            let name = String(match.1.trimmingPrefix("no-"))
            #expect(known.contains(name), "\(path): \(match.1)")
          }
        }
        guard line.contains("--"), !line.trimmingPrefix(#/ */#).hasPrefix("//") else { continue }
        let options = line.matches(of: /(?:^|[^\w\-])--(?:no-)?([a-z][a-z\-]*[a-z])/)
        if options.contains(where: { known.contains(String($0.1)) }) {
          spelled.insert(URL(filePath: path).lastPathComponent)
        }
      }
    }
    #expect(spelled == Self.commandLines)
  }

  @Test("A batch declares all options except those that it replaces")
  func batch() {
    let own: Set = ["executor"]
    #expect(Set(BatchCommand.declared).union(own).isSuperset(of: Self.names))
  }

  @Test("Option texts are read as in the samples", arguments: names)
  func words(_ name: String) throws {
    let texts = try #require(OptionSamples.texts[name])
    var request = RenderRequest("call", to: "call.mp4")
    try request.set(name, texts)
    // An option that shapes a file needs the option that requests it.
    var files: [String] = []
    for (option, file) in SidecarRequest.shapedFiles where option == name {
      try request.set(file, ["call.html"])
      files.append("--\(file)=call.html")
    }
    let said = request.texts(name) ?? texts
    let words =
      switch RenderRequest.option(name)?.row.arity {
      case .flag: ["--\(name)"]
      case .deniableFlag: said == ["off"] ? ["--no-\(name)"] : ["--\(name)"]
      default: said.map { "--\(name)=\($0)" }
      }
    let command = try RenderCommand.parse(["call", "--output=call.mp4"] + files + words)
    let again = try command.request()
    #expect(again.givenOptions.map(\.row.name) == request.givenOptions.map(\.row.name))
    #expect(again.texts(name) == texts || again.texts(name) == request.texts(name))
  }

  @Test("An option that shapes a file is refused without the file")
  func shapedFiles() throws {
    for (option, file) in SidecarRequest.shapedFiles {
      var request = RenderRequest("call", to: "call.mp4")
      try request.set(option, try #require(OptionSamples.texts[option]))
      let problem = try #require(request.incompleteOption)
      #expect("\(problem)".hasPrefix("\(option) needs --\(file), "), "\(problem)")
      let words = try #require(request.texts(option)).map { "--\(option)=\($0)" }
      #expect(throws: (any Error).self) {
        try RenderCommand.parse(["call", "--output=call.mp4"] + words)
      }
      try request.set(file, ["call.html"])
      #expect(request.incompleteOption == nil)
    }
  }

  @Test("The summary of edits has tenths of a second, and mutes")
  func editSummary() {
    func summary(_ cuts: [MediaTime], _ mutes: Int) -> String {
      EditCommand.summary(cuts: cuts, muteCount: mutes, of: MediaTime(seconds: 24))
    }
    let short = MediaTime(nanoseconds: 150_000_000)
    #expect(summary([short, short], 0) == "0:00.3 of 0:24.0 in 2 cuts")
    #expect(summary([MediaTime(seconds: 2)], 3) == "0:02.0 of 0:24.0 in 1 cut, 3 mutes")
    #expect(summary([], 1) == "nothing is cut of 0:24.0, 1 mute")
    #expect(summary([], 0) == "nothing is cut of 0:24.0")
  }

  @Test(
    "--also accepts each option of an output", arguments: RenditionOptions.rows.map(\.name))
  func also(_ name: String) throws {
    let texts = try #require(OptionSamples.texts[name])
    let values = texts.map { "\(name)=\"\($0.replacing("\"", with: "\"\""))\"" }
    let text = "a.mkv:\(values.joined(separator: ","))"
    #expect(try OutputRequest(text: text).options.texts(name) == texts, "\(text)")
  }

  @Test("A job of a batch accepts each option", arguments: names)
  func job(_ name: String) throws {
    let texts = try #require(OptionSamples.texts[name])
    var members = DocumentValue.Members()
    members.append("input", .text("call"))
    members.append("output", .text("call.mp4"))
    let values = texts.map(DocumentValue.text)
    members.append(name, values.count == 1 ? values[0] : .list(values))
    let reader = JobListParser(RenderRequest([], to: []))
    let entry = JobListReader.Entry(number: 0, place: "line 1", members: .success(members))
    switch reader.job(entry) {
    case .success(let job):
      #expect(job.request.texts(name) != nil)
    case .failure(let problems):
      // Options that the batch shares among jobs cannot be a job's own.
      #expect(["jobs", "memory", "executor", "work-dir"].contains(name), "\(problems.sentences)")
    }
  }
}
