import Foundation
import TesseraJobs
import TesseraSystem
import TestSupport
import Testing

/// Output folders appear complete or not at all.
@Suite(.timed) struct OutputFolderTests {
  private static let content = OutputFolderKind(
    entry: "master.m3u8", endings: [".m3u8", ".m4s"])

  private func write(
    _ text: String, to path: String, protecting files: [String] = [], overwriting: Bool = false,
    isCommitted: Bool = true
  ) throws {
    let folder = try OutputFile(
      path, Self.content, protecting: files, overwriting: overwriting)
    folder.removeRemains()
    let temporary = try folder.temporaryPath()
    try FileOperations.makeFolder("\(temporary)/\(text)")
    for name in ["\(text)/1.m4s", "master.m3u8"] {
      let content = Data("# \(TesseraVersion.name)\n\(text)".utf8)
      try content.write(to: URL(fileURLWithPath: "\(temporary)/\(name)"))
    }
    if isCommitted { try folder.commit() }
  }

  @Test("A folder appears complete, and replaces an earlier folder completely")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("web")
    try write("one", to: path)
    #expect(FileOperations.names(in: path) == ["master.m3u8", "one"])
    try write("two", to: path + "//")
    #expect(FileOperations.names(in: path) == ["master.m3u8", "two"])
    #expect(folder.names == ["web"])
  }

  @Test("An abandoned folder leaves the earlier folder and nothing else")
  func givenUp() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("web")
    try write("one", to: path)
    try write("two", to: path, isCommitted: false)
    #expect(FileOperations.names(in: path) == ["master.m3u8", "one"])
    #expect(folder.names == ["web"])
  }

  @Test("Remains of a dead process are removed; a folder in progress stays")
  func abandoned() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("web")
    try FileOperations.makeFolder(folder.path(".web.abc.part/1080p"))
    let living = try TemporaryFile.makeFolder(for: path)
    try write("one", to: path)
    #expect(
      folder.names.sorted() == [living.path.split(separator: "/").last.map(String.init), "web"])
    close(living.descriptor)
  }

  @Test(
    "A folder that Tessera did not write is not replaced",
    arguments: [
      ["index.html": "page"], ["master.m3u8": "#EXTM3U of somebody else"],
      ["master.m3u8": "# Tessera 0.1.0", "a/notes.txt": "notes"],
    ])
  func foreign(files: [String: String]) throws {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let url = URL(fileURLWithPath: folder.path("web/\(name)"))
      try FileOperations.makeFolder(url.deletingLastPathComponent().path)
      try Data(text.utf8).write(to: url)
    }
    #expect(throws: RenderError.self) { try write("one", to: folder.path("web")) }
    for name in files.keys { #expect(FileOperations.exists(folder.path("web/\(name)"))) }
  }

  @Test("An empty folder is accepted; a file, a path in a missing folder and an input are not")
  func places() throws {
    let folder = try TemporaryFolder()
    try FileOperations.makeFolder(folder.path("web"))
    try write("one", to: folder.path("web"))
    #expect(throws: RenderError.self) {
      try write("two", to: folder.path("web"), protecting: [folder.path("web/one/1.m4s")])
    }
    #expect(throws: RenderError.self) {
      try write("two", to: folder.path("new/"), protecting: [folder.path("new")])
    }
    #expect(throws: RenderError.self) { try write("two", to: folder.path("web/master.m3u8")) }
    #expect(throws: RenderError.self) { try write("two", to: folder.path("none/web")) }
    #expect(FileOperations.names(in: folder.path("web")) == ["master.m3u8", "one"])
  }

  @Test("An edited folder stays, unless it is to be overwritten")
  func edited() throws {
    for change in ["recording.m4s", "one/1.m4s", "master.m3u8"] {
      let folder = try TemporaryFolder()
      let path = folder.path("web")
      try write("one", to: path)
      let changed = URL(fileURLWithPath: "\(path)/\(change)")
      let content = Data("\(TesseraVersion.name), somebody's".utf8)
      try content.write(to: changed)
      let refused = #expect(throws: RenderError.self) { try write("two", to: path) }
      #expect(refused?.message.contains("it was changed since") == true, "\(change)")
      #expect(try Data(contentsOf: changed) == content)
      try write("two", to: path, overwriting: true)
      #expect(FileOperations.names(in: path) == ["master.m3u8", "two"])
    }
  }

  @Test("A folder that appears during writing stays")
  func appearing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("web")
    let made = try OutputFile(path, Self.content)
    _ = try made.temporaryPath()
    try FileOperations.makeFolder(path)
    try Data("page".utf8).write(to: URL(fileURLWithPath: "\(path)/index.html"))
    #expect(throws: RenderError.self) { try made.commit() }
    #expect(FileOperations.names(in: path) == ["index.html"])
  }
}
