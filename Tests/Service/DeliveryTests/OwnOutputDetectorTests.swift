import Foundation
import TesseraJobs
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraDelivery

@Suite("Outputs are not recordings", .timed) struct OwnOutputDetectorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a/rec.webm", "b/out.mp4", "b-hls/00001.m4s", "empty/.hidden", "out/a.mp4"] {
      try put("somebody's", name)
    }
    try put("# \(TesseraVersion.name) sha256:\n", "b-hls/master.m3u8")
    for name in ["a/a.mp4", "b/b.mp4", "c/c.mp4", "17.mp4"] { try put(TesseraVersion.tag, name) }
  }

  private func put(_ text: String, _ name: String) throws {
    let path = folder.path(name)
    try FileOperations.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func outputs(_ places: String...) -> OwnOutputDetector {
    OwnOutputDetector(places.map { OutputLocation(folder.path($0)) })
  }

  private var real: String { FileOperations.realName(folder.path("")) }

  /// Returns the calls that consist of `outputs` only.
  private func madeUp(_ outputs: OwnOutputDetector) -> [String] {
    FileOperations.names(in: real).filter { outputs.makeUp("\(real)/\($0)", in: real) }
  }

  @Test("Outputs in a folder below the input, of any kind") func below() throws {
    #expect(madeUp(outputs("out/{name}.mp4")) == ["out"])
    try put("somebody's", "deep/videos/a.mp4")
    #expect(madeUp(outputs("deep/videos/{name}.mp4")) == ["deep"])
    try put("somebody's", "deep/b.mp4")
    #expect(madeUp(outputs("deep/videos/{name}.mp4")) == [])
  }

  @Test("Outputs elsewhere, with a matching name and the mark") func marked() {
    #expect(madeUp(outputs("{name}.mp4")) == ["17.mp4"])
    #expect(madeUp(outputs("{name}.mkv", "17.webm")) == [])
    #expect(madeUp(outputs("{name}/{id}.mp4")) == ["c"])
    let stream = OutputLocation(folder.path("{name}-hls"), entry: "master.m3u8", isFolder: true)
    #expect(madeUp(OwnOutputDetector([stream])) == ["b-hls"])
  }

  @Test("Files of a call are recognized by the names of its outputs") func files() {
    let own = outputs("a/{title}.mp4", "b/out.mp4")
    #expect(own.contains("\(real)/a/a.mp4"))
    for name in ["a/rec.webm", "b/out.mp4", "b/b.mp4", "17.mp4"] {
      #expect(!own.contains("\(real)/\(name)"), "\(name)")
    }
  }

  @Test("Folders in buckets are recognized by their names") func buckets() {
    let own = OwnOutputDetector([OutputLocation("s3://calls/night/out/{name}.mp4")])
    #expect(own.makeUp(remote: "s3://calls/night/out/"))
    #expect(!own.makeUp(remote: "s3://calls/night/17/"))
  }
}
