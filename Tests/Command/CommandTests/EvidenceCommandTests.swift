import Foundation
import TestSupport
import Testing

/// The owner and the start time of a file, as the command derives them from real files.
@Suite(.timed) struct EvidenceCommandTests {
  /// Writes a file of three participants, whose audio streams have another order than their video
  /// streams.
  private static func makeRoom(_ folder: TemporaryFolder, _ name: String) throws -> String {
    let path = folder.path(name)
    var arguments: [String] = []
    for index in 0..<3 {
      arguments += ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=\(index + 1)"]
    }
    for index in 0..<3 { arguments += ["-f", "lavfi", "-i", "sine=\(index * 300 + 300):d=2"] }
    for index in 0..<6 { arguments += ["-map", "\(index)"] }
    arguments += ["-c:v", "libx264", "-c:a", "aac"]
    for (index, title) in ["Ada", "Ben", "Cyd camera"].enumerated() {
      arguments += ["-metadata:s:v:\(index)", "title=\(title)"]
    }
    for (index, title) in ["Ben", "Cyd", "Ada"].enumerated() {
      arguments += ["-metadata:s:a:\(index)", "title=\(title)"]
    }
    try Tool.ffmpeg(arguments + [path])
    return path
  }

  @Test(arguments: ["room.mkv", "room.mp4"]) func oneFileContainsSeveralParticipants(name: String)
    throws
  {
    let folder = try TemporaryFolder()
    let room = try Self.makeRoom(folder, name)
    func session(_ options: [String]) throws -> String {
      let path = folder.path("\(options.count).yaml")
      let result = try TesseraTool.run(["import", room, "-o", path] + options)
      #expect(result.status == 0, "\(result)")
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    let text = try session([])
    for (person, picture, sound) in [("Ada", 0, 5), ("Ben", 1, 3), ("Cyd", 2, 4)] {
      let begin = try #require(text.firstRange(of: "- id: \(person)\n")?.upperBound)
      let tracks = text[begin...].prefix(300)
      #expect(tracks.contains("the title of its stream"))
      #expect(tracks.contains("file: \(name), stream: \(picture), kind: camera, start: 0.000"))
      #expect(tracks.contains("file: \(name), stream: \(sound), kind: microphone, start: 0.000"))
    }
    #expect(try !session(["--streams", "first"]).contains("stream:"))
  }

  @Test func preferencesWithoutEvidenceAreReported() throws {
    let folder = try TemporaryFolder()
    let clips = try ["ada.webm", "ben.webm"].map { try TesseraTool.makeClip(folder, $0) }
    let inspected = try TesseraTool.run(["inspect", "--align", "clock"] + clips)
    #expect(inspected.status == 3 && inspected.text.contains("as with --align auto"))
    let render = ["render"] + clips + ["--size", "160x90", "-o", folder.path("o.mp4")]
    let rendered = try TesseraTool.run(render + ["--align", "clock"])
    #expect(
      rendered.status == 3
        && rendered.messages.contains("no file has the evidence that --align clock"))
  }

  @Test func theEvidenceIsShownAndSaved() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "a.webm")
    for name in ["ada 2026-03-01 10.00.00.webm", "ben 2026-03-01 10.00.01.webm"] {
      try FileManager.default.copyItem(atPath: clip, toPath: folder.path(name))
    }
    try FileManager.default.removeItem(atPath: clip)
    let inspected = try TesseraTool.run(["inspect", folder.path("")])
    let line =
      "media from 0:01.0 to 0:03.0: ben 2026-03-01 10.00.01.webm, by the date in its name "
      + "(2026-03-01T10:00:01.000Z to 1 s)"
    #expect(inspected.status == 0 && inspected.text.contains(line), "\(inspected)")
    let json = try TesseraTool.run(["inspect", "--json", folder.path("")]).text
    #expect(
      json.contains(#""event" : "created""#) && json.contains(#""resolution" : 1"#), "\(json)")
    let session = folder.path("session.yaml")
    #expect(try TesseraTool.run(["import", folder.path(""), "-o", session]).status == 0)
    let text = try String(contentsOfFile: session, encoding: .utf8)
    #expect(text.contains("start: 1.000") && text.contains("its file's name"))
    #expect(text.contains("2026-03-01T10:00:01.000Z"))
  }

  @Test("An offset moves a recording in what inspect shows and import writes")
  func offsets() throws {
    let folder = try TemporaryFolder()
    let clips = try ["ada.webm", "ben.webm"].map { try TesseraTool.makeClip(folder, $0) }
    let inspected = try TesseraTool.run(["inspect", "--offset", "ben=1.2"] + clips)
    #expect(inspected.status == 0 && inspected.text.contains("2 people, 0:03.2"), "\(inspected)")
    let session = folder.path("session.yaml")
    let options = ["--offset", "ben=1.2", "-o", session]
    #expect(try TesseraTool.run(["import"] + clips + options).status == 0)
    let text = try String(contentsOfFile: session, encoding: .utf8)
    #expect(text.contains("start: 0.000") && text.contains("start: 1.200"), "\(text)")
    let unknown = try TesseraTool.run(["import"] + clips + ["--offset", "eve=1", "-o", session])
    let sentence = "--offset \"eve\" matches no participant"
    #expect(unknown.status == 2 && unknown.messages.contains(sentence))
  }

  @Test("A folder of a browser's parts is one recording") func parts() throws {
    let folder = try TemporaryFolder()
    let whole = folder.path("whole.webm")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=3", "-c:v", "libvpx", "-live", "1", whole,
    ])
    let data = try Data(contentsOf: URL(filePath: whole))
    try FileManager.default.removeItem(atPath: whole)
    try FileManager.default.createDirectory(
      atPath: folder.path("ada"), withIntermediateDirectories: false)
    let size = data.count / 3 + 1
    for number in 0..<3 {
      let part = data[(size * number)..<min(data.count, size * (number + 1))]
      try part.write(to: URL(filePath: folder.path("ada/part-00\(number).webm")))
    }
    let inspected = try TesseraTool.run(["inspect", folder.path("ada")])
    #expect(inspected.status == 0 && inspected.text.contains("1 person, 0:03.0"), "\(inspected)")
    #expect(inspected.text.contains("part-002.webm are read as one recording"), "\(inspected)")
    let output = folder.path("call.mp4")
    let files = (0..<3).map { folder.path("ada/part-00\($0).webm") }
    let rendered = try TesseraTool.run(["render"] + files + ["--size", "160x90", "-o", output])
    #expect(rendered.status == 0 && rendered.text.contains("0:03"), "\(rendered)")
    // Without the second part, the third is of no use.
    try FileManager.default.removeItem(atPath: files[1])
    let incomplete = try TesseraTool.run(["inspect", files[2]])
    #expect(incomplete.status == 1 && incomplete.messages.contains("it has no header"))
  }
}
