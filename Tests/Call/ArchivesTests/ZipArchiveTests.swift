import Foundation
import TesseraArchives
import TesseraMessages
import TestSupport
import Testing

@Suite(.timed) struct ZipArchiveTests {
  private static func message(_ work: () throws -> Void) -> String? {
    do {
      try work()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Returns all paths below `folder`, with the files' sizes.
  private static func tree(_ folder: String) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.sorted().map { path in
      let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
      let size = (facts?[.size] as? NSNumber)?.intValue ?? -1
      return facts?[.type] as? FileAttributeType == .typeDirectory ? "\(path)/" : "\(path) \(size)"
    }
  }

  @Test(arguments: [UInt16(0), 8]) func filesAreUnpacked(method: UInt16) throws {
    let folder = try TemporaryFolder()
    var zip = ZipFile()
    zip.add("call/m.json", Array("{}".utf8), method: method)
    zip.add("call/video/Ädä 😀.webm", [UInt8](repeating: 7, count: 300_000), method: method)
    zip.add("empty/", [], method: 0)
    zip.add("__MACOSX/._x", [1], method: 0)
    let path = try zip.write(folder.path("a.zip"))
    #expect(ZipArchive.isArchive(path))
    let contents = try ZipArchive(path).contents()
    #expect(
      contents.entries.map(\.path) == ["call/m.json", "call/video/Ädä 😀.webm", "empty"])
    let unpacked = try ZipArchive(path).unpack(into: folder.path("out"))
    #expect(unpacked.notes.isEmpty && unpacked.entries.map(\.size) == [2, 300_000])
    #expect(
      Self.tree(folder.path("out")) == [
        "call/", "call/m.json 2", "call/video/", "call/video/Ädä 😀.webm 300000", "empty/",
      ])
  }

  @Test(arguments: [
    ("../evil.webm", 0o100644, "it holds \"../evil.webm\", which leads out of its folder"),
    // In Swift, a slash before a combining mark is a different `Character`.
    ("../\u{301}evil", 0o100644, "it holds \"../\u{301}evil\", which leads out of its folder"),
    ("a/../../evil", 0o100644, "it holds \"a/../../evil\", which leads out of its folder"),
    ("a\\..\\..\\evil", 0o100644, "it holds \"a/../../evil\", which leads out of its folder"),
    ("/etc/evil", 0o100644, "it holds the absolute path \"/etc/evil\""),
    ("C:/evil", 0o100644, "it holds the absolute path \"C:/evil\""),
    ("link", 0o120777, "it holds \"link\", which is a link or a device and not a file"),
    ("device", 0o020644, "it holds \"device\", which is a link or a device and not a file"),
    ("ok.webm", 0o100644, "it holds \"ok.webm\" twice"),
    ("./ok.webm", 0o100644, "it holds \"./ok.webm\" twice"),
    ("ok.webm/x", 0o100644, "it holds \"ok.webm\" as file and as folder"),
    ("a\nb", 0o100644, "it holds a name with control characters"),
    (
      String(repeating: "a/", count: 40) + "b", 0o100644,
      "it holds the path \"\(String(repeating: "a/", count: 29))a…\", which is too long"
    ),
  ])
  func hostileNamesAreRefusedBeforeWriting(name: String, mode: Int, reason: String) throws {
    let folder = try TemporaryFolder()
    var zip = ZipFile()
    zip.add("ok.webm", [1, 2, 3])
    zip.add(name, Array("/etc/passwd".utf8), mode: UInt32(mode))
    let path = try zip.write(folder.path("a.zip"))
    #expect(
      Self.message { _ = try ZipArchive(path).unpack(into: folder.path("out")) }
        == "\(path) cannot be unpacked: \(reason).")
    #expect(folder.names == ["a.zip"])
  }

  @Test func bombsAreRefusedBeforeWriting() throws {
    let folder = try TemporaryFolder()
    var zip = ZipFile()
    zip.add("zeros.wav", [UInt8](repeating: 0, count: 2 << 20), method: 8)
    let path = try zip.write(folder.path("a.zip"))
    var limits = ArchiveLimits()
    #expect(Self.message { _ = try ZipArchive(path, limits: limits).contents() } == nil)
    limits.harmlessBytes = 1 << 20
    let said = Self.message {
      _ = try ZipArchive(path, limits: limits).unpack(into: folder.path("out"))
    }
    #expect(said?.contains("at most 100 times the archive") == true)
    #expect(folder.names == ["a.zip"])
    #expect(
      Self.message { _ = try ZipArchive(path, limits: ArchiveLimits(bytes: 1000)).contents() }
        != nil)
  }

  /// A header with too small a size is detected while writing.
  @Test func falseSizesAreBounded() throws {
    let folder = try TemporaryFolder()
    var zip = ZipFile()
    zip.add("zeros.wav", [UInt8](repeating: 0, count: 3 << 20), method: 8, claimedSize: 10)
    let path = try zip.write(folder.path("a.zip"))
    var limits = ArchiveLimits(bytes: 1 << 20)
    limits.harmlessBytes = 1 << 20
    let said = Self.message {
      let contents = try ZipArchive(path, limits: limits).unpack(into: folder.path("out"))
      #expect(!contents.notes.isEmpty)
    }
    let size = Self.tree(folder.path("out")).compactMap { Int($0.split(separator: " ").last ?? "") }
    #expect(said?.contains("larger") == true || size.reduce(0, +) <= 1 << 20)
  }

  @Test func tooManyFilesAreRefused() throws {
    let folder = try TemporaryFolder()
    var zip = ZipFile()
    for index in 0..<10_001 { zip.add("\(index)", []) }
    let path = try zip.write(folder.path("a.zip"))
    #expect(
      Self.message { _ = try ZipArchive(path).unpack(into: folder.path("out")) }
        == "\(path) cannot be unpacked: it holds more than 10000 files.")
    #expect(folder.names == ["a.zip"])
  }

  @Test(arguments: [0.3, 0.6, 0.9, 0.97]) func truncatedArchivesYieldTheirCompleteFiles(
    share: Double
  ) throws {
    let folder = try TemporaryFolder()
    var zip = ZipFile()
    var random = SplitMix64(seed: 1)
    for index in 0..<10 {
      zip.add("\(index).webm", (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    let whole = try Data(contentsOf: URL(fileURLWithPath: zip.write(folder.path("a.zip"))))
    let path = folder.path("cut.zip")
    try whole.prefix(Int(Double(whole.count) * share)).write(to: URL(fileURLWithPath: path))
    let contents = try ZipArchive(path).unpack(into: folder.path("out"))
    #expect(contents.notes == ["\(path) ends too early; its complete files are used."])
    let expected = Int(share * Double(whole.count) / Double(whole.count) * 10)
    #expect(abs(contents.entries.count - expected) <= 1)
    #expect(Self.tree(folder.path("out")) == contents.entries.map { "\($0.path) 20000" })
  }

  @Test(arguments: 0..<40) func damagedArchivesNeverCrash(seed: Int) throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: UInt64(seed))
    var zip = ZipFile()
    zip.add("a/m.json", Array("{\"a\": 1}".utf8), method: 8)
    zip.add("a/b.webm", [UInt8](repeating: 3, count: 5000))
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: zip.write(folder.path("a.zip")))))
    for _ in 0...Int.random(in: 0..<8, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    let path = folder.path("damaged.zip")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let said = Self.message { _ = try ZipArchive(path).unpack(into: folder.path("out")) }
    #expect(said?.hasSuffix(".") ?? true)
    #expect(Set(folder.names).isSubset(of: ["a.zip", "damaged.zip", "out"]))
  }

  @Test func otherFilesAreNoArchives() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.zip")
    try Data("hello, this is text".utf8).write(to: URL(fileURLWithPath: path))
    #expect(!ZipArchive.isArchive(path))
    #expect(
      Self.message { _ = try ZipArchive(path).contents() }?.contains("is not a .zip archive")
        == true)
    #expect(!ZipArchive.isArchive(folder.path("none")))
  }
}
