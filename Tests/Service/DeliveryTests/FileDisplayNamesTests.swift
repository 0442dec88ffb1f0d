import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRendering
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraDelivery

/// Display names in place of paths.
@Suite(.timed) struct FileDisplayNamesTests {
  private static let names: FileDisplayNames = {
    var names = FileDisplayNames()
    names.add("/cache/a \"b\"\\c", "s3://calls/1")
    names.add("/cache/a \"b\"\\c/é.webm", "s3://calls/\"é\"")
    return names
  }()

  @Test("Files, and all files below a folder, have names; others keep their paths") func files() {
    let names = Self.names
    #expect(names.name(of: "/cache/a \"b\"\\c/é.webm") == "s3://calls/\"é\"")
    #expect(names.name(of: "/cache/a \"b\"\\c/x/y") == "s3://calls/1/x/y")
    #expect(names.address(of: "/cache/a \"b\"\\cd") == nil)
    #expect(names.name(of: "/b") == "/b")
  }

  @Test("The target of a link has the name of the link") func links() throws {
    let folder = try TemporaryFolder()
    try FileOperations.makeFolder(folder.path("real"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "real")
    var names = FileDisplayNames()
    names.add(folder.path("link"), "s3://calls/1")
    let real = FileOperations.realName(folder.path("real"))
    #expect(names.name(of: "\(real)/a.webm") == "s3://calls/1/a.webm")
  }

  @Test("Losses and errors have names in place of paths") func values() {
    let names = Self.names
    let missing: UserMessage = "\(file: "/cache/a \"b\"\\c/0.ts") is not there"
    let error = MediaError(path: "/cache/a \"b\"\\c/x.m3u8", reason: .segments(missing))
    let loss = Loss(
      .unreadable(error), of: ParticipantID(rawValue: "a"), source: "/cache/a \"b\"\\c/x.m3u8")
    let sentence = loss.named(by: names).sentence
    #expect(sentence.contains("s3://calls/1/x.m3u8: s3://calls/1/0.ts is not there"), "\(sentence)")
    #expect(!CanonicalJSON.text(loss.named(by: names)).contains("cache"))
    for error in [
      RenderError(.failure, "\(file: "/cache/a \"b\"\\c/x") is damaged"), error,
      SystemError("open", "/cache/a \"b\"\\c/x", number: 2),
    ] as [any Error] {
      let named = "\(names.error(error))"
      #expect(named.contains("s3://calls/1/x") && !named.contains("cache"), "\(named)")
    }
  }

  @Test("A path in a text that is no file is not replaced") func texts() {
    let title = "about /cache/a \"b\"\\c/x"
    let note: UserMessage = "\(file: "/cache/a \"b\"\\c/x") has the title \(title)."
    #expect(note.named(by: Self.names).commandLine == "s3://calls/1/x has the title \(title).")
  }

  @Test("Notes and warnings have names when they are reported, and keep their options")
  func updates() {
    let texts = ConditionLock([String]())
    var context = RequestContext(Cancellation()) { update in
      switch update {
      case .note(let text), .warning(let text), .error(let text): texts.update { $0.append(text) }
      default: break
      }
    }
    context.names = Self.names
    let message: UserMessage =
      "\(file: "/cache/a \"b\"\\c/é.webm") has no sound; give \(option: "align")."
    context.note(message)
    context.warn(message)
    context.spelling = { $0.description }
    context.fail(message)
    let name = "s3://calls/\"é\" has no sound; give "
    #expect(
      texts.withLock(\.self) == ["\(name)--align.", "\(name)--align.", "\(name)\"align\"."])
  }

  @Test("Reports have names in place of paths; their notes are texts") func reports() throws {
    var report = RenderReport(
      failed: RenderError(.failure, "\(file: "/cache/a \"b\"\\c/x") is damaged."), nil)
    report.messages = ["\(file: "/cache/a \"b\"\\c/é.webm") ends with \(option: "from")."]
    report.deviations = [
      RenderReport.Deviation(
        from: 1, to: nil, person: nil, text: "\(file: "/cache/a \"b\"\\c/y") is missing")
    ]
    let named = report.named(by: Self.names)
    #expect(named.error == "s3://calls/1/x is damaged.")
    #expect(named.notes == ["s3://calls/\"é\" ends with --from."])
    let json = String(decoding: try named.json(), as: UTF8.self)
    #expect(!json.contains("cache") && json.contains("s3://calls/1/y is missing"), "\(json)")
    #expect(json.contains(#"s3://calls/\"é\" ends with --from."#), "\(json)")
  }

  @Test("A plan that was written and read still has files as values") func plans() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("error.json")
    let error = MediaError(
      path: "/cache/a \"b\"\\c/x.m3u8",
      reason: .segments("\(file: "/cache/a \"b\"\\c/0.ts") is missing"))
    try JSONFile.write([error], to: path)
    let read: [MediaError] = try #require(JSONFile.value(at: path))
    #expect("\(read[0].named(by: Self.names))".contains(": s3://calls/1/0.ts is missing"))
  }
}
