import Foundation
import TestSupport
import Testing

/// Reports about a call, without rendering it or beside a render.
@Suite(.timed) struct CallCommandTests {
  /// Writes a session of two people: one with a file that is too short and occurs twice at once,
  /// and one whose file is missing.
  private static func brokenCall(_ folder: TemporaryFolder) throws -> String {
    _ = try TesseraTool.makeClip(folder, "ada.webm")
    _ = try TesseraTool.makeClip(folder, "spare.webm", seconds: 1)
    let manifest = """
      {"id": "a1", "name": "standup", "sessionId": "2_S", "createdAt": 1760000000000, "files": [
      {"connectionData": "Ada", "filename": "ada.webm", "streamId": "s-ada", "videoType": "camera",
      "startTimeOffset": 0, "stopTimeOffset": 6000, "size": 1},
      {"connectionData": "Ben", "filename": "ben.webm", "streamId": "s-ben", "videoType": "camera",
      "startTimeOffset": 0, "stopTimeOffset": 6000, "size": 1}]}
      """
    try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder.path("archive.json")))
    return folder.path("")
  }

  @Test func inspectReportsContradictions() throws {
    let folder = try TemporaryFolder()
    let result = try TesseraTool.run(["inspect", try Self.brokenCall(folder)])
    #expect(result.status == 1)
    #expect(
      result.text.contains(
        "warning: Ada's ada.webm is to stop at 0:06.0, but its file ends 4.0 s sooner."),
      "\(result.text)")
    #expect(result.text.contains("ben.webm does not exist: "))
    #expect(result.text.contains("warning: spare.webm is not used."))
  }

  /// If a session file names a missing recording, the others are inspected, and rendered on
  /// request.
  @Test func aSessionWithoutOneOfItsFiles() throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, "ada.webm")
    let session = folder.path("session.yaml")
    let text = """
      version: 1
      participants:
        - { id: ada, tracks: [ { file: ada.webm } ] }
        - { id: ben, tracks: [ { file: ben.webm } ] }
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: session))
    let inspected = try TesseraTool.run(["inspect", session])
    #expect(inspected.status == 1)
    #expect(
      inspected.text.contains("ben.webm does not exist: ben's recording is missing."),
      "\(inspected.text)")
    #expect(inspected.text.contains("2 people, 0:02."), "\(inspected.text)")
    let render = ["render", session, "-o", folder.path("o.mp4"), "--size", "64x36", "--fps", "5"]
    #expect(try TesseraTool.run(render).status == 1)
    #expect(try TesseraTool.run(render + ["--allow-missing"]).status == 3)
  }

  @Test func inspectReportsLevels() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let text = try TesseraTool.run(["inspect", clip, "--levels"]).text
    // The generator's sine is 18 dB below full scale.
    #expect(text.contains("level of stream 1: █"), "\(text)")
    #expect(text.contains("peak -18.0 dBFS") || text.contains("peak -17.5 dBFS"), "\(text)")
    let call = try TesseraTool.run(
      ["inspect", try RecordingFolders.path("vonage.zip"), "--levels", "--json"])
    #expect(call.status == 0)
    let reports = try JSONSerialization.jsonObject(with: call.output) as? [[String: Any]] ?? []
    let found = try #require(reports.first?["call"] as? [String: Any])
    let people = try #require(found["people"] as? [[String: Any]])
    #expect(people.map { $0["name"] as? String } == ["Ada", "Ben", "Screen"])
    let tracks = try #require(people[1]["tracks"] as? [[String: Any]])
    #expect(tracks.map { $0["start"] as? Double } == [1, 4])
    let levels = try #require((tracks[0]["levels"] as? [[String: Any]])?.first)
    #expect((levels["levels"] as? [String: Any])?["peak"] as? Double ?? 0 < -17)
  }

  @Test func timelineDrawsAllParticipants() throws {
    let folder = try TemporaryFolder()
    let drawing = folder.path("call.svg")
    let result = try TesseraTool.run(
      ["timeline", try RecordingFolders.path("chime"), "-o", drawing])
    #expect(result.status == 0, "\(result.messages)")
    let svg = try String(contentsOfFile: drawing, encoding: .utf8)
    #expect(["Ada", "Ben", "Everyone", "Ben joins"].allSatisfy { svg.contains(">\($0)</text>") })
    let other = try TesseraTool.run(["timeline", drawing, "-o", folder.path("call.png")])
    #expect(other.status == 2 && other.messages.contains("ends in .svg"))
  }

  /// Projects refer to the original files.
  @Test func projectsAreWritten() throws {
    let folder = try TemporaryFolder()
    for ending in ["kdenlive", "mlt", "xml", "otio", "edl"] {
      let project = folder.path("call.\(ending)")
      let result = try TesseraTool.run(
        ["export", try RecordingFolders.path("vonage"), "-o", project, "--gain", "Ben=-3"])
      #expect(result.messages.contains("Ben -3 dB") == ["otio", "edl"].contains(ending))
      #expect(result.status == 0 && result.text.contains(" track"), "\(result.messages)")
      let text = try String(contentsOfFile: project, encoding: .utf8)
      #expect(text.contains("s-ada.webm"))
      // The EDL has the programme only.
      #expect(ending == "edl" || text.contains("s-screen.webm"))
    }
    let archive = try TesseraTool.run(
      ["export", try RecordingFolders.path("vonage.zip"), "-o", folder.path("zip.otio")])
    #expect(archive.status == 2 && archive.messages.contains("unpack them first"))
    try Tool.ffmpeg(["-f", "lavfi", "-i", "sine=d=1", folder.path("ada.wav")])
    let sound = try TesseraTool.run(["export", folder.path("ada.wav"), "-o", folder.path("a.edl")])
    #expect(sound.status == 2 && sound.messages.contains("the call has no pictures"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.edl")))
    let other = try TesseraTool.run(
      ["export", try RecordingFolders.path("vonage"), "-o", folder.path("call.mp4")])
    #expect(other.status == 2 && other.messages.contains(".xml, .otio or .edl"))
  }

  /// Turns written by the recorder, with names, relative to the beginning of the rendered part.
  @Test func speakersAreWritten() throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, "ada.webm", seconds: 4)
    _ = try TesseraTool.makeClip(folder, "ben.webm", seconds: 4)
    let session = """
      version: 1
      participants:
        - { id: a, name: "Ada <1>", tracks: [{ file: ada.webm }] }
        - { id: b, name: Ben, tracks: [{ file: ben.webm }] }
      events:
        - { at: 0, speaking: a }
        - { at: 2, speaking: b }
        - { at: 2.5, participant: a, name: Countess }
        - { at: 3, speaking: a }
      """
    let path = folder.path("session.yaml")
    try Data(session.utf8).write(to: URL(fileURLWithPath: path))
    let turns = folder.path("turns.vtt")
    let options = ["--size", "160x90", "--from", "1", "-o", folder.path("out.mp4")]
    let result = try TesseraTool.run(["render", path, "--speakers", turns] + options)
    #expect(result.status == 0, "\(result.messages)")
    #expect(
      try String(contentsOfFile: turns, encoding: .utf8)
        .replacing(/NOTE Tessera .*\n\n/, with: "") == """
          WEBVTT

          00:00:00.000 --> 00:00:01.000
          <v Ada &lt;1&gt;>Ada &lt;1&gt;

          00:00:01.000 --> 00:00:02.000
          <v Ben>Ben

          00:00:02.000 --> 00:00:03.000
          <v Countess>Countess

          """)
    let file = folder.path("turns.eaf")
    let elan = try TesseraTool.run(["render", path, "--speakers", file, "--overwrite"] + options)
    #expect(elan.status == 0, "\(elan.messages)")
    let video = folder.path("out.mp4")
    #expect(
      try String(contentsOfFile: file, encoding: .utf8).contains(
        "MEDIA_URL=\"file://\(video)\" MIME_TYPE=\"video/mp4\" RELATIVE_MEDIA_URL=\"./out.mp4\""))
    let over = try TesseraTool.run(
      ["render", path, "--speakers", folder.path("ada.webm"), "--overwrite"] + options)
    #expect(over.status == 2 && over.messages.contains("takes a file that ends in .vtt, .rttm"))
  }

  @Test func idleStretchesAreTrimmed() throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, "ada.webm")
    let session = """
      version: 1
      trim-idle: true
      participants:
        - { id: a, tracks: [{ file: ada.webm, start: 3 }, { file: ada.webm, start: 20 }] }
      """
    let path = folder.path("session.yaml")
    try Data(session.utf8).write(to: URL(fileURLWithPath: path))
    for (option, length) in [([], 4.0), (["--no-trim-idle"], 22.0)] {
      let output = folder.path("out.mp4")
      let result = try TesseraTool.run(
        ["render", path, "--size", "160x90", "--fps", "10", "-o", output] + option)
      #expect(result.status == 0, "\(result.messages)")
      #expect(result.messages.contains("no participant is present in 2 stretches") == (length == 4))
      let durations = try Probed(output).durations
      #expect(durations.allSatisfy { abs($0 - length) < 0.15 }, "\(durations)")
    }
  }
}
