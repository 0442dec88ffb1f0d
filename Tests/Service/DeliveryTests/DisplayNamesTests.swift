import Foundation
import TesseraCodecs
import TesseraMessages
import TesseraPlan
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraDelivery

/// Display names in place of paths.
@Suite(.timed) struct DisplayNamesTests {
  private static let names: DisplayNames = {
    var names = DisplayNames()
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
    #expect(names.sentence("cannot read /cache/a \"b\"\\c/x.") == "cannot read s3://calls/1/x.")
  }

  @Test("The target of a link has the name of the link") func links() throws {
    let folder = try TemporaryFolder()
    try FileSystem.makeFolder(folder.path("real"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "real")
    var names = DisplayNames()
    names.add(folder.path("link"), "s3://calls/1")
    let real = FileSystem.realName(folder.path("real"))
    #expect(names.name(of: "\(real)/a.webm") == "s3://calls/1/a.webm")
  }

  @Test("Losses and errors have names in place of paths") func values() {
    let names = Self.names
    let error = MediaError(
      path: "/cache/a \"b\"\\c/x.m3u8", reason: .segments("/cache/a \"b\"\\c/0.ts is not there"))
    let loss = Loss(
      .unreadable(error), of: ParticipantID(rawValue: "a"), source: "/cache/a \"b\"\\c/x.m3u8")
    let sentence = loss.named(by: names).sentence
    #expect(sentence.contains("s3://calls/1/x.m3u8: s3://calls/1/0.ts is not there"), "\(sentence)")
    #expect(!PlainJSON.text(loss.named(by: names)).contains("cache"))
    for error in [
      RenderError(.failure, "/cache/a \"b\"\\c/x is damaged"), error,
      SystemError("open", "/cache/a \"b\"\\c/x", number: 2),
    ] as [any Error] {
      let named = "\(names.error(error))"
      #expect(named.contains("s3://calls/1/x") && !named.contains("cache"), "\(named)")
    }
  }
}
