import Foundation
import TestSupport
import Testing

/// A work folder that is kept never gives pieces that the next render must not have.
@Suite struct KeptWorkFolderTests {
  private typealias Case = KeptWorkFolderCase

  /// A folder with the recordings of the cases' session, and a work folder of its render.
  private static let call = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    let x264 = ["-c:v", "libx264", "-preset", "ultrafast"]
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=3", "-f", "lavfi", "-i",
        "sine=frequency=300:d=3,tremolo=f=4:d=0.9,volume=2", "-f", "lavfi", "-i",
        "sine=frequency=700:d=3", "-map", "0", "-map", "1", "-map", "2", "-metadata:s:a:0",
        "language=eng", "-metadata:s:a:1", "language=deu", "-c:a", "flac",
      ] + x264 + [folder.path("ada.mkv")])
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc=s=48x64:r=1:d=3", "-f", "lavfi", "-i",
        "sine=frequency=500:d=3", "-c:a", "aac", "-output_ts_offset", "0.6",
      ] + x264 + [folder.path("bob.mp4")])
    for color in ["red", "blue"] {
      let path = folder.path("\(color).png")
      try Tool.ffmpeg(["-f", "lavfi", "-i", "color=\(color):s=16x16", "-frames:v", "1", path])
    }
    let captions = "WEBVTT\n\n00:00.500 --> 00:02.500\nSo.\n"
    try Data(captions.utf8).write(to: URL(filePath: folder.path("captions.vtt")))
    try Data("0:00 One\n0:01 Two\n".utf8).write(to: URL(filePath: folder.path("chapters.txt")))
    try Data("version: 1\ncut: [{ from: 0.5, to: 1 }]\n".utf8)
      .write(to: URL(filePath: folder.path("edits.yaml")))
    try Data("id,name\nbob,Robert\n".utf8).write(to: URL(filePath: folder.path("people.csv")))
    _ = try render(Case.session, [], name: "usual", work: true, in: folder)
    return folder
  }

  /// The file that `tessera` makes of that session, with the work folder of the same name.
  private static func render(
    _ session: String, _ arguments: [String], name: String, work: Bool, in folder: TemporaryFolder
  ) throws -> Data {
    let (path, output) = (folder.path("\(name).json"), folder.path("\(name).mp4"))
    try Data(session.utf8).write(to: URL(filePath: path))
    try? FileManager.default.removeItem(atPath: output)
    // Files that arguments name lie in the folder.
    let arguments = arguments.map {
      FileManager.default.fileExists(atPath: folder.path($0)) ? folder.path($0) : $0
    }
    let result = try TesseraTool.run(
      ["render", path, "-o", output, "--executor", "threads", "--progress", "none", "--no-cache"]
        + arguments + (work ? ["--work-dir", folder.path("\(name).work")] : []))
    try #require([0, 3].contains(result.status), "\(result.messages)")
    return try Data(contentsOf: URL(filePath: output))
  }

  private static func applied(
    _ changes: KeyValuePairs<String, String>, to session: String
  ) throws -> String {
    try changes.reduce(session) { session, change in
      try #require(session.contains(change.key), "\(session)")
      return session.replacing(change.key, with: change.value)
    }
  }

  @Test(
    "What changes is made again, as a fresh render makes it",
    arguments: KeptWorkFolderCase.all)
  func changes(change: KeptWorkFolderCase) throws {
    let folder = try Self.call.get()
    let before = try Self.applied(change.preparation, to: Case.session)
    let first: Data
    if change.preparation.isEmpty && change.common.isEmpty {
      first = try Data(contentsOf: URL(filePath: folder.path("usual.mp4")))
      try FileManager.default.copyItem(
        atPath: folder.path("usual.work"), toPath: folder.path("\(change.name).work"))
    } else {
      first = try Self.render(before, change.common, name: change.name, work: true, in: folder)
    }
    let after = try Self.applied(change.change, to: before)
    let arguments = change.common + change.arguments
    let kept = try Self.render(after, arguments, name: change.name, work: true, in: folder)
    let fresh = try Self.render(after, arguments, name: change.name, work: false, in: folder)
    #expect(kept == fresh)
    #expect(fresh != first, "the change has no effect")
  }

  @Test("Every option that can change picture or sound is tried")
  func options() throws {
    /// What makes the same video and sound.
    let others: Set = [
      "--format", "--max-archive-size", "--no-trim-idle", "--speakers", "--chapters", "--cache",
      "--no-cache", "--cpu", "--output", "--jobs", "--memory", "--work-dir", "--executor",
      "--retry-losses", "--root", "--strict", "--strict-notes", "--allow-missing", "--report",
      "--stems", "--stem-format", "--proof", "--verify", "--progress",
      "--made-from", "--version",
      "--help",
      "--max-input-size", "--allow-redirects", "--fetch-cache", "--max-duration", "--overwrite",
      "--accept-losses", "--transcript-out", "--page", "--page-video", "--page-thumbnails",
      "--also", "--outputs", "--hls", "--secrets",
      // Nobody is silent here, and no transcript has words with times: the rules have tests of their
      // own.
      "--tighten", "--without-fillers", "--transcriber",
      // Parts of a call by other words than --from and --to, and crops around faces, which nobody has
      // here.
      "--chapter", "--clips", "--snap", "--frame",
    ]
    let help = try TesseraTool.run(["render", "--experimental-dump-help"])
    let dumped = try JSONDecoder().decode(Help.self, from: help.output)
    let names = dumped.command.arguments.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }
      .map { "--\($0.name)" }
    #expect(names.count > 60)
    #expect(Set(names).subtracting(others) == Set(Case.options.map(\.name)))
  }

  private struct Help: Decodable {
    var command: Command
    struct Command: Decodable { var arguments: [Argument] }
    struct Argument: Decodable { var names: [Name]? }
    struct Name: Decodable { var kind, name: String }
  }

  @Test("Every field of a session that can change picture or sound is tried")
  func fields() throws {
    /// What makes the same video and sound.
    let others: Set = [
      "session.version", "session.made-by", "session.notes", "session.left-out", "session.outputs",
      "track.id",
      "track.clock-source",
      "event.screen-audio",
      "event.media",
    ]
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let schema = try JSONDecoder().decode(
      Schema.self,
      from: Data(contentsOf: root.appending(path: "Sources/Recordings/session.schema.json")))
    var names = Set(schema.properties.keys.map { "session.\($0)" })
    for key in schema.properties["canvas"]?.properties?.keys.map({ $0 }) ?? [] {
      names.insert("canvas.\(key)")
    }
    for kind in ["participant", "track", "event", "overlay"] {
      names.formUnion(schema.definitions[kind]?.properties?.keys.map { "\(kind).\($0)" } ?? [])
    }
    #expect(names.subtracting(others) == Set(Case.fields.map(\.name)))
  }

  private struct Schema: Decodable {
    var properties: [String: Object]
    var definitions: [String: Object]
    struct Object: Decodable { var properties: [String: Anything]? }
    struct Anything: Decodable {}
  }
}
