import Foundation
import TestSupport
import Testing

/// All options that name an output, and the files that they may replace: unchanged files of
/// Tessera, and never an input.
@Suite("Files that outputs replace", .timed) struct ReplacedFilesTests {
  /// A command with all of its options that name an output.
  struct Command: CustomTestStringConvertible {
    /// The name of the test case.
    let name: String
    /// The command's arguments; `%name` is a file in the test's folder.
    let words: [String]
    /// The outputs with text or pictures that a user may edit.
    var editable: [String] = []
    /// The outputs with a tag that identifies Tessera.
    var tagged: [String] = []
    /// The output folders, with a file in each.
    var folders: [String: String] = [:]

    var testDescription: String { name }
  }

  private static let small = ["--size", "64x48", "--fps", "5", "--to", "0.4"]

  static let commands = [
    Command(
      name: "render",
      words: [
        "render", "%a.webm", "-o", "%out.mp4", "--also", "%mail.m4a", "--outputs", "%outputs.yaml",
        "--also", "%film.mkv", "--also", "%poster.jpg:at=0.1", "--also", "%web/:hls=96p", "--also",
        "%thumbs/:every=0.2",
        "--report", "%report.json", "--speakers", "%speakers.vtt", "--transcript",
        "a=%words.vtt", "--transcript-out", "%said.vtt", "--transcript-out", "%said.txt",
        "--transcript-out", "%said.md", "--page", "%call.html", "--stems", "%stems",
        "--layout", "%style.css",
      ] + small,
      editable: [
        "poster.jpg", "report.json", "speakers.vtt", "said.vtt", "said.txt", "said.md",
        "call.html",
      ],
      tagged: ["out.mp4", "film.mkv", "mail.m4a", "listed.wav", "stems/a.wav"],
      folders: ["web": "96p/00001.m4s", "thumbs": "sheet-001.jpg"]),
    Command(
      name: "hls", words: ["render", "%a.webm", "-o", "%web/", "--hls", "96p"] + small,
      folders: ["web": "96p/00001.m4s"]),
    Command(
      name: "plan", words: ["plan", "%a.webm", "-o", "%plan.json", "--speakers", "%who.vtt"],
      editable: ["plan.json", "who.vtt"]),
    Command(
      name: "preview", words: ["preview", "%a.webm", "--at", "0.1", "-o", "%still.png"],
      editable: ["still.png"]),
    Command(
      name: "sheet",
      words: [
        "preview", "%a.webm", "--every", "0.2", "--sheet", "-o", "%sheet.png", "--size", "64x48",
      ], editable: ["sheet.png"]),
    Command(
      name: "timeline", words: ["timeline", "%a.webm", "-o", "%line.svg"], editable: ["line.svg"]),
    Command(
      name: "export", words: ["export", "%a.webm", "-o", "%call.kdenlive"],
      editable: ["call.kdenlive"]),
    Command(
      name: "import yaml", words: ["import", "%a.webm", "-o", "%session.yaml"],
      editable: ["session.yaml"]),
    Command(
      name: "import json", words: ["import", "%a.webm", "-o", "%session.json"],
      editable: ["session.json"]),
    Command(
      name: "layout", words: ["layout", "%style.css", "--count", "2", "-o", "%layout.svg"],
      editable: ["layout.svg"]),
    Command(
      name: "page", words: ["page", "%a.json", "-o", "%made.html", "--page-thumbnails", "off"],
      editable: ["made.html"]),
    Command(
      name: "list of pages", words: ["page", "%a.html", "-o", "%index.html"],
      editable: ["index.html"]),
    Command(
      name: "stitch",
      words: ["stitch", "%a-plan.json", "-o", "%joined.mp4", "--report", "%joined.json"],
      editable: ["joined.json"], tagged: ["joined.mp4"]),
    Command(
      name: "batch",
      words: [
        "batch", "%jobs.jsonl", "--metrics", "%batch.prom", "--page-dir", "%pages",
        "--page-thumbnails", "off", "--progress", "none",
      ], editable: ["batch.prom", "pages/index.html"]),
  ]

  private final class Place {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    func run(_ command: Command, _ more: [String] = []) throws -> Tool.Result {
      try TesseraTool.run(
        (command.words + more).map { word in
          word.replacingOccurrences(of: "%", with: folder.path(""))
        })
    }

    func data(_ name: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
    }

    func put(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }
  }

  /// Writes the smallest inputs of all kinds that the commands read.
  private func place(for command: Command) throws -> Place {
    let place = try Place()
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=0.4", "-f", "lavfi", "-i",
      "sine=frequency=440:sample_rate=48000:d=0.4", "-c:v", "libvpx", "-c:a", "libopus",
      place.folder.path("a.webm"),
    ])
    try place.put("stream { left: 0 }", "style.css")
    try place.put("WEBVTT\n\n00:00.000 --> 00:00.300\nHello\n", "words.vtt")
    try place.put("- file: \(place.folder.path("listed.wav"))\n", "outputs.yaml")
    let job = { (name: String) in place.folder.path(name) }
    try place.put(
      """
      {"input": "\(job("a.webm"))", "output": "\(job("b.mp4"))", "size": "64x48", "fps": 5}\n
      """, "jobs.jsonl")
    let made: [String: [[String]]] = [
      "page": [["render", "%a.webm", "-o", "%a.mp4", "--report", "%a.json"] + Self.small],
      "list of pages": [["render", "%a.webm", "-o", "%a.mp4", "--page", "%a.html"] + Self.small],
      "stitch": [
        ["plan", "%a.webm", "-o", "%a-plan.json"] + Self.small,
        ["segment", "%a-plan.json", "--index", "0"], ["soundtrack", "%a-plan.json"],
      ],
    ]
    for words in made[command.name] ?? [] {
      let result = try place.run(Command(name: "", words: words))
      try #require(result.status == 0, "\(words) \(result.messages)")
    }
    return place
  }

  @Test("All options, with every kind of existing file", arguments: commands)
  func table(command: Command) throws {
    let place = try place(for: command)
    let (files, folder) = (FileManager.default, place.folder)
    let inputs = ["a.webm", "jobs.jsonl", "style.css"]
    let before = try inputs.map(place.data)

    // The same command replaces its own file.
    for _ in 0..<2 {
      let result = try place.run(command)
      #expect(result.status == 0, "\(result.messages)")
    }

    /// Expects that the file `name` stays, and that the command reports it.
    func refuses(_ name: String, _ cell: String, _ words: String, _ more: [String] = []) throws {
      let there = try place.data(name)
      let result = try place.run(command, more)
      #expect(
        result.status == 2 && (words.isEmpty || result.messages.contains(words))
          && result.messages.contains(folder.path(name.components(separatedBy: "/")[0])),
        "\(name), \(cell): \(result.status) \(result.messages)")
      #expect(try place.data(name) == there, "\(name), \(cell)")
    }
    for name in command.editable + command.tagged {
      let file = try #require(FileHandle(forWritingAtPath: folder.path(name)), "\(name)")
      try file.seekToEnd()
      try file.write(contentsOf: Data("\n".utf8))
      try file.close()
      try refuses(name, "edited", "it was changed since Tessera made it")
      try files.removeItem(atPath: folder.path(name))
    }
    for name in command.editable + command.tagged {
      let path = folder.path(name)
      try? files.removeItem(atPath: path)
      try place.put("somebody's", name)
      // The foreign file may have the inode number of the earlier file, which was Tessera's.
      try refuses(name, "foreign", "already exists, and ")
      try? files.removeItem(atPath: path)
      let input =
        command.words[1].hasSuffix(".webm") ? "a.webm" : String(command.words[1].dropFirst())
      try files.linkItem(atPath: folder.path(input), toPath: path)
      let overwriting = ["--overwrite"]
      try refuses(name, "an input", "", overwriting)
      try? files.removeItem(atPath: path)
      try files.createSymbolicLink(atPath: path, withDestinationPath: folder.path(input))
      let result = try place.run(command, overwriting)
      #expect(result.status == 2, "\(name), a link: \(result.messages)")
      try? files.removeItem(atPath: path)
    }
    for (name, part) in command.folders {
      try place.put("somebody's", "\(name)/\(part)")
      try refuses("\(name)/\(part)", "edited", "")
      try? files.removeItem(atPath: folder.path(name))
      try place.put("somebody's", name)
      try refuses(name, "foreign", "there is a file of that name", ["--overwrite"])
      try? files.removeItem(atPath: folder.path(name))
    }
    for (name, data) in zip(inputs, before) { #expect(try place.data(name) == data, "\(name)") }
  }

  @Test("--overwrite replaces foreign files")
  func overwriting() throws {
    for name in ["timeline", "import yaml", "layout", "preview", "plan"] {
      let command = try #require(Self.commands.first { $0.name == name })
      let place = try place(for: command)
      for file in command.editable { try place.put("somebody's", file) }
      let result = try place.run(command, ["--overwrite"])
      #expect(result.status == 0, "\(result.messages)")
      for file in command.editable { #expect(try place.data(file) != Data("somebody's".utf8)) }
    }
  }

  @Test("Two outputs cannot be one file, not even through a linked folder")
  func twice() throws {
    let place = try place(for: Self.commands[0])
    let folder = place.folder
    try FileManager.default.createDirectory(
      atPath: folder.path("a"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("a"))
    for words in [
      ["--also", "%link/x.mp4"], ["--report", "%link/x.mp4"],
      ["--speakers", "%a/x.vtt", "--transcript-out", "%link/x.vtt"],
      ["--page", "%x.html", "--also", "%x-thumbnails.jpg"],
    ] {
      let command = Command(
        name: "", words: ["render", "%a.webm", "-o", "%a/x.mp4"] + words + Self.small)
      let result = try place.run(command)
      #expect(
        result.status == 2 && result.messages.contains("or another output"), "\(result.messages)")
    }
    #expect(FileManager.default.subpaths(atPath: folder.path("a"))?.isEmpty == true)
  }
}
