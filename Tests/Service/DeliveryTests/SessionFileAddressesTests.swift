import Foundation
import TestSupport
import Testing

@testable import TesseraDelivery

@Suite("Session files with addresses", .timed) struct SessionFileAddressesTests {
  @Test("All addresses in a session are fetched, and relative paths stay valid")
  func sessions() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"version": 1, "canvas": {"background": "s3://b/back.png"}, "left-out": ["mix.webm"],
       "participants": [{"id": "a", "avatar": "a.png", "tracks": [{"file": "https://h/a.webm"}]}],
       "outputs": [{"file": "m.mp4", "watermark": "s3://b/logo.png:height=0.2", "size": "64x48"}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("s.json")))
    let session = try #require(SessionFileAddresses(folder.path("s.json")))
    #expect(
      Set(session.addresses) == ["s3://b/back.png", "https://h/a.webm", "s3://b/logo.png"])
    #expect(session.outputs == ["m.mp4"])
    let files = Dictionary(uniqueKeysWithValues: session.addresses.map { ($0, "/f/\($0.count)") })
    let json = session.json(files)
    for part in [
      "/f/15\"", "/f/16\"", "/f/15:height=0.2", "\(folder.path)/a.png", "m.mp4", "64x48",
    ] {
      #expect(json.contains(part), "\(part): \(json)")
    }
    #expect(!json.contains("s3://") && !json.contains("https://"))
  }

  @Test("Addresses become files, and relative paths keep their meaning") func mapped() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("session.yaml")
    let text = """
      version: 1
      title: https://host/title
      participants:
        - {id: ada, avatar: a.png, tracks: [{file: "https://host/a.webm?b"}, {file: /x/b.webm}]}
        - {id: ben, tracks: [{file: "s3://bucket/b c.webm"}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let session = try #require(SessionFileAddresses(path))
    #expect(session.addresses == ["https://host/a.webm?b", "s3://bucket/b c.webm"])
    let json = session.json([
      "https://host/a.webm?b": "/cache/a.webm", "s3://bucket/b c.webm": "/cache/b c.webm",
    ])
    for part in [
      "https://host/title", "\"/cache/a.webm\"", "\"/cache/b c.webm\"",
      "\"\(folder.path("a.png"))\"", "/x/b.webm",
    ] {
      #expect(json.contains(part), "\(json)")
    }
    try Data("version: 1\nparticipants: []".utf8).write(to: URL(fileURLWithPath: path))
    #expect(!SessionFileAddresses.areNamed(by: path))
  }

  @Test(
    "A fetched session file names files beside it only",
    arguments: [
      "/etc/passwd", "../a.webm", "b/../../a.webm", "s3://other/a.webm", "s3://bucket/a.webm",
      "s3://bucket/call/../a.webm", "https://host/a.webm",
    ]) func outside(file: String) throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("session.yaml")
    let text = """
      version: 1
      participants:
        - {id: ada, tracks: [{file: b/a.webm}, {file: "s3://bucket/call/b.webm"}]}
        - {id: ben, tracks: [{file: "\(file)"}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let session = try #require(SessionFileAddresses(path))
    #expect(session.outside("s3://bucket/call/") == file)
    try Data(text.replacing(file, with: "c.webm").utf8).write(to: URL(fileURLWithPath: path))
    #expect(SessionFileAddresses(path)?.outside("s3://bucket/call/") == nil)
  }
}
