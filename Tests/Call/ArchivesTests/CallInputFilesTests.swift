import Foundation
import TesseraArchives
import TesseraMessages
import TesseraRecordings
import TestSupport
import Testing

@Suite(.timed) struct CallInputFilesTests {
  private static func write(_ text: String, _ path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test func foldersAreListedInBytewiseOrder() throws {
    let folder = try TemporaryFolder()
    for name in ["b.webm", "B.webm", "a/x.webm", ".hidden", "out.mp4.tessera/s.mp4", "ä.webm"] {
      try Self.write("x", folder.path("call/\(name)"))
    }
    try Self.write("secret", folder.path("secret.webm"))
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.path("call/out.webm"), withDestinationPath: folder.path("secret.webm"))
    try manager.createSymbolicLink(
      atPath: folder.path("call/in.webm"), withDestinationPath: "b.webm")
    try manager.createSymbolicLink(atPath: folder.path("call/loop"), withDestinationPath: ".")
    let source = try CallInputFiles([folder.path("call")])
    #expect(
      source.recording.files.map(\.path) == [
        "B.webm", "a/x.webm", "b.webm", "in.webm", "ä.webm",
      ])
    #expect(source.notes == ["out.webm is skipped: the link leads out of the folder."])
    #expect(source.root == folder.path("call"))
  }

  @Test func archivesAreUnpackedFirst() throws {
    let folder = try TemporaryFolder()
    var zip = ZipFile()
    let manifest = """
      {"createdAt": 0, "files": [{"filename": "1.webm", "streamId": "1", "startTimeOffset": 5}]}
      """
    zip.add("x/m.json", Array(manifest.utf8))
    zip.add("x/1.webm", [1, 2, 3])
    let path = try zip.write(folder.path("a.zip"))
    let notes = try ZipArchive(path).unpack(into: folder.path("work")).notes
    let source = try CallInputFiles([path], unpacked: (folder.path("work"), notes))
    let recording = try ImporterRegistry.recording(from: source.recording)
    #expect(recording.tracks.map(\.file) == ["x/1.webm"])
    #expect(FileManager.default.fileExists(atPath: "\(source.root)/x/1.webm"))
    #expect(source.recording.name == path)
  }

  @Test func sessionFilesCanNameFilesAnywhere() throws {
    let folder = try TemporaryFolder()
    try Self.write("x", folder.path("media/a.webm"))
    let session = """
      version: 1
      participants: [ { id: a, tracks: [ { file: ../media/a.webm }, { file: "\(folder.path("media/a.webm"))" } ] } ]
      """
    try Self.write(session, folder.path("s/session.yaml"))
    let source = try CallInputFiles([folder.path("s/session.yaml")])
    #expect(try ImporterRegistry.recording(from: source.recording).tracks.count == 2)
    try Self.write(session.replacing("a.webm", with: "b.webm"), folder.path("s/session.yaml"))
    #expect(throws: (any Error).self) { try ImporterRegistry.recording(from: source.recording) }
  }

  @Test func listsOfFilesAreKeptInOrder() throws {
    let folder = try TemporaryFolder()
    try Self.write("{", folder.path("broken.json"))
    let inputs = [folder.path("b.webm"), folder.path("a.xyz")]
    let source = try CallInputFiles(inputs)
    let recording = try ImporterRegistry.recording(from: source.recording)
    #expect(Set(recording.tracks.map(\.file)) == Set(inputs))
    #expect(throws: (any Error).self) {
      try CallInputFiles([folder.path, "a.webm"])
    }
  }

  @Test func onlyMatroskaFilesAreProbed() throws {
    let folder = try TemporaryFolder()
    for name in ["a.webm", "r.mka"] { try Self.write("x", folder.path("c/\(name)")) }
    let source = try CallInputFiles([folder.path("c")])
    #expect(source.matroskaFiles.map(\.path) == [folder.path("c/r.mka")])
    #expect(source.matroskaFiles.map { source.recording.files[$0.index].path } == ["r.mka"])
  }
}
