import Foundation
import TestSupport
import Testing

/// Web pages beside outputs.
@Suite(.timed) struct PageCommandTests {
  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  @Test func aPageIsWrittenBesideItsOutputs() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "ada.webm", seconds: 7)
    let (page, report) = (folder.path("call.html"), folder.path("call.json"))
    let result = try TesseraTool.run([
      "render", clip, "-o", folder.path("call.mp4"), "--size", "320x180", "--fps", "10", "--page",
      page, "--report", report,
    ])
    #expect(result.status == 0, "\(result.messages)")
    let html = try Self.text(page)
    #expect(html.contains(#""src":"call.mp4""#) && !html.contains(folder.path("")))
    // A picture every five seconds.
    #expect(
      html.contains(#""thumbs":{"columns":2,"count":2,"height":90,"src":"call-thumbnails.jpg""#))
    let sheet = try Probed(folder.path("call-thumbnails.jpg")).video
    #expect(sheet?.width == 320 && sheet?.height == 90, "\(String(describing: sheet))")

    // The report is found beside its output.
    let again = folder.path("again.html")
    let found = try TesseraTool.run([
      "page", folder.path("call.mp4"), "-o", again, "--page-thumbnails", "off",
    ])
    #expect(found.status == 0, "\(found.messages)")
    let plain = try Self.text(again)
    #expect(plain.contains(#""kind":"video","src":"call.mp4""#) && !plain.contains(#""cuts":"#))
    #expect(plain.contains("<title>call</title>"))

    let sound = folder.path("sound.json")
    #expect(
      try TesseraTool.run(["render", clip, "-o", folder.path("call.m4a"), "--report", sound]).status
        == 0)
    let other = folder.path("both.html")
    let both = try TesseraTool.run([
      "page", sound, report, "-o", other, "--page-thumbnails", "off", "--page-for", "editors",
      "--title", "Planning <1>",
    ])
    #expect(both.status == 0, "\(both.messages)")
    let second = try Self.text(other)
    #expect(second.contains(#""kind":"video","src":"call.mp4""#))
    #expect(second.contains(#""href":"call.m4a","name":"call.m4a""#))
    #expect(!second.contains(#""thumbs":"#) && second.contains(#""cuts":[]"#))
    #expect(second.contains("<title>Planning &lt;1&gt;</title>"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("both-thumbnails.jpg")))

    let list = folder.path("index.html")
    #expect(
      try TesseraTool.run(["page", page, other, "-o", list, "--title", "Term 2"]).status == 0)
    let rows = try Self.text(list)
    #expect(rows.contains("<title>Term 2</title>") && rows.contains(#""title":"Planning"#))
    #expect(rows.contains(#""href":"call.html""#) && rows.contains(#""href":"both.html""#))
    #expect(rows.contains(#""src":"call-thumbnails.jpg""#) && !rows.contains(folder.path("")))
  }

  @Test func aFileThatIsNoReportIsRefused() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("a.json")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
    for (words, sentence) in [
      (["page", file, "-o", folder.path("a.html")], "is not the report of a render"),
      (["page", folder.path("b.json"), "-o", folder.path("a.html")], "cannot be read"),
      (["page", folder.path("b.mp4"), "-o", folder.path("a.html")], "render it with --report"),
      (["page", file, "-o", folder.path("a.txt")], "a name that ends in .html"),
    ] {
      let result = try TesseraTool.run(words)
      #expect(result.status != 0 && result.messages.contains(sentence), "\(result.messages)")
    }
  }
}
