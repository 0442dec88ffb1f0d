import Foundation
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs

/// The rules of which existing files an output replaces.
@Suite(.timed) struct OutputFileTests {
  private let folder: TemporaryFolder
  private let records: WrittenFileRegistry

  init() throws {
    folder = try TemporaryFolder()
    records = WrittenFileRegistry(folder.path("state/written"))
  }

  private func write(
    _ text: String, to path: String, protecting files: [String] = [], overwriting: Bool = false
  ) throws {
    let file = try OutputFile(
      path, protecting: files, overwriting: overwriting, records: records)
    try file.write(Data(text.utf8))
  }

  private func put(_ text: String, at path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Appends to a file, as an editor would.
  private func edit(_ path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data("\n".utf8))
    try file.close()
  }

  /// A text of each format, with the mark that videos have in their tags.
  private static let contents = [
    "json": "{\n  \"a\": 1\n}\n", "yaml": "a: 1\n", "html": "<p>1</p>", "svg": "<svg></svg>\n",
    "vtt": "WEBVTT\n\n00:00.000 --> 00:01.000\n1\n", "md": "1\n", "prom": "a 1\n", "txt": "1\n",
    "srt": "1\n", "csv": "1\n", "png": "1", "jpg": "1", "mp4": "1 \(TesseraVersion.tag) 1",
    "kdenlive": "<mlt/>\n", "mlt": "<mlt/>\n", "xml": "<xmeml/>\n", "otio": "{\"a\": 1}\n",
    "edl": "TITLE: 1\n", "other": "1\n", "JPEG": "1",
  ]

  @Test("A file of any format is replaced while it is Tessera's", arguments: contents.keys.sorted())
  func formats(ending: String) throws {
    let path = folder.path("out.\(ending)")
    let content = try #require(Self.contents[ending])
    try write(content, to: path)
    let first = try text(path)
    try write(content, to: path)
    #expect(try text(path) == first, "equal content stays unchanged")

    try edit(path)
    let edited = #expect(throws: RenderError.self) { try write(content, to: path) }
    #expect(edited?.message.contains("it was changed since Tessera made it") == true)
    #expect(try text(path) == first + "\n")
    try write(content, to: path, overwriting: true)
    #expect(try text(path) == first)

    for foreign in ["somebody's", "{\"made-by\": \"somebody\"}", "# Tessera\n"] {
      FileOperations.remove(path)
      try put(foreign, at: path)
      let refused = #expect(throws: RenderError.self) { try write(content, to: path) }
      #expect(refused?.kind == .usage)
      // If the foreign file reuses the inode number of a file of Tessera's, the message may call it
      // changed.
      #expect(refused?.message.contains("already exists, and ") == true)
      #expect(try text(path) == foreign)
    }
    try write(content, to: path, overwriting: true)
    #expect(try text(path) == first)
    try put("", at: path)
    try write(content, to: path)
    #expect(try text(path) == first, "an empty file is replaced")
  }

  @Test("An input is never replaced, under any name", arguments: contents.keys.sorted())
  func inputs(ending: String) throws {
    let input = folder.path("in.\(ending)")
    // Even an input that Tessera wrote.
    try write(try #require(Self.contents[ending]), to: input)
    let before = try text(input)
    let (symbolic, hard) = (folder.path("symbolic.\(ending)"), folder.path("hard.\(ending)"))
    let linked = folder.path("linked")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: symbolic, withDestinationPath: input)
    try files.linkItem(atPath: input, toPath: hard)
    try files.createSymbolicLink(atPath: linked, withDestinationPath: folder.path)
    for path in [input, symbolic, hard, "\(linked)/in.\(ending)"] {
      let refused = #expect(throws: RenderError.self) {
        try write("other", to: path, protecting: [input], overwriting: true)
      }
      #expect(refused?.message.contains("is one of the inputs or another output") == true)
      #expect(try text(input) == before)
    }
  }

  @Test("A file in an input folder is an input, unless Tessera wrote it")
  func inputFolders() throws {
    let input = folder.path("call")
    try FileOperations.makeFolder(input)
    try put("{}", at: "\(input)/manifest.json")
    let refused = #expect(throws: RenderError.self) {
      try write("{}", to: "\(input)/manifest.json", protecting: [input], overwriting: true)
    }
    #expect(refused?.message.contains("is in \(input), which is one of the inputs") == true)
    try write("{}", to: "\(input)/report.json", protecting: [input])
    try write("{ }", to: "\(input)/report.json", protecting: [input])
    try edit("\(input)/report.json")
    try write("{}", to: "\(input)/report.json", protecting: [input], overwriting: true)
  }

  @Test("Two outputs that are one file through a linked folder are detected in advance")
  func linkedFolders() throws {
    try FileOperations.makeFolder(folder.path("a/b"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("a"))
    #expect(throws: RenderError.self) {
      try write("1", to: folder.path("link/b/x.mp4"), protecting: [folder.path("a/b/x.mp4")])
    }
    #expect(FileOperations.areSame(folder.path("link/new/x"), folder.path("a/./new/x")))
    #expect(!FileOperations.areSame(folder.path("link/new/x"), folder.path("a/new/y")))
  }

  // MARK: Races

  @Test("A file that appears during writing is not replaced, unless it is Tessera's")
  func appearing() throws {
    let path = folder.path("out.yaml")
    let file = try OutputFile(path, records: records)
    _ = try file.temporaryPath()
    try put("somebody's", at: path)
    #expect(throws: RenderError.self) { try file.write(Data("a: 1\n".utf8)) }
    #expect(try text(path) == "somebody's")

    FileOperations.remove(path)
    let other = try OutputFile(path, records: records)
    try write("a: 2\n", to: path)
    try other.write(Data("a: 3\n".utf8))
    #expect(try text(path).hasPrefix("a: 3\n"))
  }

  @Test("A file that changes during writing is not replaced")
  func changing() throws {
    let path = folder.path("out.yaml")
    try write("a: 1\n", to: path)
    let file = try OutputFile(path, records: records)
    try edit(path)
    let changed = try text(path)
    #expect(throws: RenderError.self) { try file.write(Data("a: 2\n".utf8)) }
    #expect(try text(path) == changed)
  }

  @Test("A chosen free name never belongs to an existing file")
  func freeNames() throws {
    let (one, other) = (folder.path("one"), folder.path("other"))
    try put("1", at: one)
    try put("2", at: other)
    #expect(FileOperations.renameToFree(one, as: other) == EEXIST)
    #expect(try text(other) == "2")
    FileOperations.remove(other)
    #expect(FileOperations.renameToFree(one, as: other) == nil)
    #expect(try text(other) == "1" && !FileOperations.exists(one))
  }

  // MARK: Marks

  @Test("A marked JSON object has one more member, and a document without a path has no mark")
  func objects() throws {
    for text in ["{}", "{\"a\":1}\n", "{\n  \"a\": [1]\n}\n", "{ }"] {
      let marked = OutputMark.member.marked(Data(text.utf8))
      let object = try #require(
        try JSONSerialization.jsonObject(with: marked) as? [String: Any])
      let before = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let mark = try #require(object["made-by"] as? String)
      #expect(mark.hasPrefix("\(TesseraVersion.name) sha256:") && mark.count > 64)
      #expect(object.count == before.count + 1)
    }
    #expect(OutputMark.member.marked(Data("[1]".utf8)) == Data("[1]".utf8))
    // YAML written as JSON.
    let yaml = OutputMark(path: "session.yaml").marked(Data("{\"version\": 1}\n".utf8))
    #expect((try JSONSerialization.jsonObject(with: yaml) as? [String: Any])?.count == 2)
  }

  @Test("The note in WebVTT follows the header; older versions wrote it at the end")
  func note() throws {
    let text = "WEBVTT\n\n00:00.000 --> 00:01.000\n1\n"
    let marked = String(
      decoding: OutputMark(path: "a.vtt").marked(Data(text.utf8)), as: UTF8.self)
    #expect(marked.hasPrefix("WEBVTT\n\nNOTE \(TesseraVersion.name) sha256:"))
    #expect(marked.hasSuffix("\n\n00:00.000 --> 00:01.000\n1\n"))
    let path = folder.path("old.vtt")
    let old = OutputMark.comment("\nNOTE ", "").marked(Data(text.utf8))
    try put(String(decoding: old, as: UTF8.self), at: path)
    try write(text, to: path)
    #expect(try self.text(path) == marked)
  }

  @Test("A media file is Tessera's while its seal matches its bytes, or if it has no seal")
  func seals() throws {
    let (path, copy) = (folder.path("a.mkv"), folder.path("b.mkv"))
    try write("1 \(TesseraVersion.tag) 1", to: path)
    // A copy has no record.
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try write("1 \(TesseraVersion.tag) 1", to: copy)
    #expect(try text(copy) == text(path) && !text(path).contains(EmbeddedHash.blank))
    try edit(path)
    #expect(throws: RenderError.self) { try write("1", to: path) }
    // A file of an older version.
    try put("1 \(TesseraVersion.name) 1", at: path)
    try edit(path)
    try write("1", to: path)
  }

  /// Returns the CRC-32 register after `bytes`, least significant bit first.
  private func register(_ bytes: some Sequence<UInt8>, from start: UInt32) -> UInt32 {
    bytes.reduce(start) { register, byte in
      (0..<8).reduce(register ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1
      }
    }
  }

  private func reversed(_ byte: UInt8) -> UInt8 {
    (0..<8).reduce(0) { $0 << 1 | (byte >> $1) & 1 }
  }

  @Test("A seal keeps the checksums of containers valid")
  func checksums() throws {
    let tag = "1 \(TesseraVersion.tag) 1"
    let size = UInt8(tag.utf8.count)
    // A header, a segment of unknown size, padding, and tags with a checksum.
    let matroska: [UInt8] =
      [0x1a, 0x45, 0xdf, 0xa3, 0x80, 0x18, 0x53, 0x80, 0x67, 0x01]
      + [UInt8](repeating: 0xff, count: 7)
      + [0xec, 0x82, 0, 0, 0x12, 0x54, 0xc3, 0x67, 0x80 | (size + 6), 0xbf, 0x84, 1, 2, 3, 4]
      + Array(tag.utf8)
    let ogg =
      Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, size] + Array(tag.utf8)
    for (bytes, ending) in [(matroska, "mkv"), (ogg, "opus")] {
      let path = folder.path("a.\(ending)")
      try OutputFile(path, records: records).write(Data(bytes))
      var written = try RegularFile.bytes(path, atMost: 1024)
      #expect(written.count == bytes.count && EmbeddedHash(path)?.isBroken == false)
      if ending == "mkv" {
        let place = bytes.count - Int(size) - 4
        // The residue of the data with its own checksum.
        let whole = written[(place + 4)...] + written[place..<place + 4]
        #expect(register(whole, from: .max) == 0xdebb_20e3)
      } else {
        let stored = (0..<4).reduce(UInt32(0)) { $0 | UInt32(written[22 + $1]) << UInt32(8 * $1) }
        for index in 22..<26 { written[index] = 0 }
        // Most significant bit first.
        let mirrored = register(written.map(reversed), from: 0)
        #expect((0..<32).reduce(UInt32(0)) { $0 << 1 | (mirrored >> UInt32($1)) & 1 } == stored)
      }
      written[written.count - 1] ^= 1
      try Data(written).write(to: URL(fileURLWithPath: path))
      #expect(EmbeddedHash(path)?.isBroken == true)
    }
  }

  @Test("Records of written files are private to the user, and valid only for unchanged files")
  func remembered() throws {
    let path = folder.path("a.png")
    try write("1", to: path)
    let state = folder.path("state/written")
    let names = FileOperations.names(in: state)
    #expect(names.count == 1)
    let permissions = try ["", "/\(names[0])"].map { name in
      try FileManager.default.attributesOfItem(atPath: state + name)[.posixPermissions] as? Int
    }
    #expect(permissions == [0o700, 0o600])
    // A copy with equal bytes is another file.
    let copy = folder.path("b.png")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(throws: RenderError.self) { try write("1", to: copy) }
    // Without records, the file is not recognized.
    #expect(throws: RenderError.self) {
      _ = try OutputFile(path, records: WrittenFileRegistry(nil))
    }
  }
}
