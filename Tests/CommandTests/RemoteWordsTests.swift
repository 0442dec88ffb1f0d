import Foundation
import TesseraStorage
import TestSupport
import Testing

@testable import TesseraCommand

@Suite("Words that name something remote") struct RemoteWordsTests {
  private func replaced(_ words: [String]) throws -> [String] {
    let words = try RemoteWords(words)
    return words.replacing { $0.isOutput ? "OUT" : "IN" }
  }

  @Test("Inputs, outputs and files that options name") func places() throws {
    let words = [
      "render", "--overwrite", "s3://bucket/a b/", "ben.webm",
      "--people=https://host/p.csv?a=b:c=d",
      "-o", "s3://bucket/out.mp4", "--report=s3://bucket/r.json", "--captions-track",
      "s3://bucket/c.vtt:language=eng", "--transcript", "ada=s3://bucket/a.json:start=0",
      "--watermark", "https://host:8443/logo.png",
    ]
    #expect(
      try replaced(words) == [
        "render", "--overwrite", "IN", "ben.webm", "--people=IN", "-o", "OUT", "--report=OUT",
        "--captions-track", "IN:language=eng", "--transcript", "ada=IN:start=0", "--watermark",
        "IN",
      ])
  }

  @Test("Texts stay, as do folders of this machine and other commands") func texts() throws {
    for words in [
      ["render", "a.webm", "-o", "b.mp4", "--title", "https://host/"],
      ["render", "a.webm", "-o", "b.mp4", "--work-dir", "s3://bucket/w"],
      ["segment", "s3://bucket/plan.json"], ["soundtrack", "--work-dir", "s3://bucket/w"],
      ["render", "ftp://host/a.webm"],
    ] {
      #expect(try replaced(words) == words)
    }
  }
}

@Suite("Session files that name addresses") struct SessionAddressesTests {
  @Test("Addresses become files, and relative paths stay what they were") func mapped() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("session.yaml")
    let text = """
      version: 1
      title: https://host/title
      participants:
        - {id: ada, avatar: a.png, tracks: [{file: "https://host/a.webm?b"}, {file: /x/b.webm}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let session = try #require(SessionAddresses(path))
    #expect(session.addresses == ["https://host/a.webm?b"])
    let json = session.json(["https://host/a.webm?b": "/cache/a.webm"])
    for part in [
      "https://host/title", "\"/cache/a.webm\"", "\"\(folder.path("a.png"))\"", "/x/b.webm",
    ] {
      #expect(json.contains(part), "\(json)")
    }
    try Data("version: 1\nparticipants: []".utf8).write(to: URL(fileURLWithPath: path))
    #expect(SessionAddresses(path) == nil)
  }
}
