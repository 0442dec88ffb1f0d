import Foundation
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TestSupport
import Testing

@testable import TesseraBatch

@Suite("Digests of jobs", .timed) struct JobDigesterTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Data("one".utf8).write(to: URL(fileURLWithPath: folder.path("in.webm")))
  }

  private func digest(_ change: (inout RenderRequest) -> Void = { _ in }) -> String? {
    var request = RenderRequest(folder.path("in.webm"), to: folder.path("out.mp4"))
    change(&request)
    return JobDigester.text(of: BatchJob("job", request), nil)
  }

  @Test("Every change of pictures or sound changes the digest")
  func changes() throws {
    let plain = try #require(digest())
    let all = [
      plain, digest { $0.outputDefaults.layout = .named("speaker") },
      digest { $0.outputs[0].destination = "out.mkv" },
      digest { $0.outputs.append(.file("other.mp4")) }, digest { $0.execution.isStrict = true },
      digest { $0.sidecars.speakers = "turns.vtt" },
    ]
    #expect(Set(all.compactMap(\.self)).count == all.count)
    try Data("other".utf8).write(to: URL(fileURLWithPath: folder.path("in.webm")))
    #expect(digest() != plain)
  }

  @Test("Execution settings, destinations and reports do not change the digest")
  func same() {
    #expect(digest() == digest { ($0.execution.jobs, $0.execution.cache) = (3, "/cache") })
    #expect(digest() == digest { $0.execution.overwrites = true })
    #expect(digest() == digest { $0.outputs[0].destination = "/elsewhere/name.mp4" })
    #expect(digest() == digest { ($0.sidecars.report, $0.sidecars.page) = ("r.json", "p.html") })
  }

  @Test("Clips of a template are recognized as done once their render has ended")
  func clips() throws {
    var request = RenderRequest(
      folder.path("in.webm"), to: folder.path("clips/{number} {title}.mp4"))
    request.outputDefaults.layout = .named("grid")
    let job = BatchJob("job", request)
    let digest = try #require(JobDigester.text(of: job, nil))
    #expect(job.finished(digest, nil) == nil)
    let (clips, work) = (folder.path("clips"), folder.path("clips/1 Start.mp4.tessera"))
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    for (name, comment) in [("1 Start.mp4", " losses"), ("2 End.mp4", "")] {
      try Data("ftyp tessera-batch \(digest)\(comment)".utf8).write(
        to: URL(fileURLWithPath: "\(clips)/\(name)"))
    }
    #expect(job.finished(digest, nil) == nil, "some clips have no names yet")
    try FileManager.default.removeItem(atPath: work)
    #expect(job.finished(digest, nil)?.hasLosses == true)
    #expect(job.finished(String(repeating: "0", count: 64), nil) == nil)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
  }

  /// Returns the digest of a job whose only input is the file `name`.
  private func digest(of name: String) -> String? {
    JobDigester.text(
      of: BatchJob("job", RenderRequest(folder.path(name), to: folder.path("out.mp4"))), nil)
  }

  @Test("Recordings that a manifest refers to by identifier count, other files do not")
  func manifest() throws {
    // The name of the first track is also the name of a file.
    try write(
      "twilio.json",
      """
      {"recordings": [
        {"sid": "RT1", "type": "audio", "track_name": "in.webm", "offset": 0,
          "container_format": "mka", "grouping_sids": {"participant_sid": "PA1"}},
        {"sid": "RT2", "type": "video", "track_name": "cam", "offset": 0,
          "container_format": "mkv", "grouping_sids": {"participant_sid": "PA1"}}
      ]}
      """)
    for name in ["RT1.mka", "RT2.mkv"] { try write(name, name) }
    let before = try #require(digest(of: "twilio.json"))
    for name in ["out.mp4", "report.json", "RT3.mkv"] { try write(name, "{}") }
    #expect(digest(of: "twilio.json") == before)
    for name in ["RT1.mka", "RT2.mkv"] {
      let before = digest(of: "twilio.json")
      try write(name, "replaced \(name)")
      #expect(digest(of: "twilio.json") != before, "\(name)")
    }
    let replaced = digest(of: "twilio.json")
    try write(
      "layout.json",
      #"{"grid": {"video_sources": ["*"], "x_pos": 0, "y_pos": 0, "width": 640, "height": 480}}"#)
    #expect(
      digest(of: "twilio.json") != replaced, "the layout beside the manifest is part of the call")
  }

  @Test("All files beside an unreadable manifest count")
  func unknown() throws {
    try write("other.json", "{}")
    let before = try #require(digest(of: "other.json"))
    try write("recording.mkv", "added")
    #expect(digest(of: "other.json") != before)
  }

  @Test("Recordings that a session file names count, other files do not")
  func session() throws {
    try write(
      "call.json",
      """
      {"version": 1, "participants": [{"id": "ada", "tracks": [{"file": "in.webm"}]}]}
      """)
    let before = try #require(digest(of: "call.json"))
    try write("out.mp4", "made")
    #expect(digest(of: "call.json") == before)
    try write("in.webm", "replaced")
    #expect(digest(of: "call.json") != before)
  }

  @Test("Files that options name count")
  func files() throws {
    let theme = folder.path("theme.json")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: theme))
    let before = digest { $0.outputDefaults.theme = .named(theme) }
    try Data("{ }".utf8).write(to: URL(fileURLWithPath: theme))
    #expect(before != digest { $0.outputDefaults.theme = .named(theme) })
  }
}
