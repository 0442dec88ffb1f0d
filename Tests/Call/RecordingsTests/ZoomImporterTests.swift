import TesseraDocuments
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraRecordings

@Suite(.timed) struct ZoomImporterTests {
  private static func lines(
    _ files: [String: String], media: [String] = [], manifest: String? = nil
  ) throws -> [String] {
    try ImporterRegistry.recording(from: .folder(files, media: media, manifest: manifest)).lines
  }

  @Test func zoomsLocalFolder() throws {
    let recording = try ImporterRegistry.recording(
      from: .folder(
        [:],
        media: [
          "Audio Record/audioAdaLovelace12345678901.m4a", "Audio Record/audioBen22345678901.m4a",
          "audio1234567890.m4a", "video1234567890.mp4",
        ]))
    // The separate audio files contain nothing visible.
    #expect(recording.lines == ["Everyone: media video1234567890.mp4 0.000-end"])
    #expect(recording.leftOut.count == 3 && recording.notes.count == 4)
    let sounds = try ImporterRegistry.recording(
      from: .folder(
        [:],
        media: [
          "Audio Record/audioAdaLovelace12345678901.m4a", "Audio Record/audioBen22345678901.m4a",
          "audio1234567890.m4a",
        ]))
    #expect(sounds.participants.map(\.name) == ["Ada Lovelace", "Ben"])
    #expect(sounds.notes.count == 1)
  }

  /// Zoom's transcript is found by its name in the manifest, or by its extension; without a
  /// transcript, the captions are used.
  @Test func zoomsTimelineNamesTheSpeakers() throws {
    let manifest = """
      {"topic": "Standup", "recording_files": [
        {"id": "t", "file_type": "TIMELINE", "recording_start": "2025-10-09T08:53:20Z"}],
       "participant_audio_files": [
        {"id": "a", "file_name": "Audio only - Ada Lovelace", "file_type": "M4A",
         "recording_start": "2025-10-09T08:53:18Z", "recording_end": "2025-10-09T08:54:20Z"}]}
      """
    let timeline = """
      {"timeline": [{"ts": "00:00:01.000", "users": [{"username": "Nobody"}]}],
       "timeline_refine": [
        {"ts": "00:00:02.500", "users": [{"username": "ada lovelace", "user_id": "1"}]},
        {"ts": "00:00:03.000", "users": [{"username": "Eve"}]},
        {"ts": "00:00:04.000", "users": []}, {"ts": "later", "users": []}]}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(["recording.json": manifest, "timeline.json": timeline], media: ["a.m4a"]))
    #expect(
      recording.events
        == [
          CallEvent(MediaTime(seconds: 4) + MediaTime(nanoseconds: 500_000_000), .speaking("ada")),
          CallEvent(MediaTime(seconds: 6), .speaking(nil)),
        ].map { event in
          if case .speaking(.some) = event.change {
            return CallEvent(event.time, .speaking(recording.participants[0].id))
          }
          return event
        })
  }

  @Test func zoomsTranscript() throws {
    func manifest(_ more: String) -> String {
      """
      {"recording_files": [\(more)], "participant_audio_files": [
        {"recording_start": "2025-10-09T08:53:22Z", "recording_end": "2025-10-09T08:54:20Z",
         "file_type": "M4A", "file_name": "Audio only - Ada"}]}
      """
    }
    func transcripts(_ manifest: String, _ names: [String]) throws -> [TranscriptReference] {
      var files = Dictionary(uniqueKeysWithValues: names.map { ($0, "WEBVTT") })
      files["recording.json"] = manifest
      return try ImporterRegistry.recording(from: .folder(files, media: ["Audio only - Ada.m4a"]))
        .transcripts
    }
    let entry = { (type: String) in
      "{\"id\": \"t1\", \"file_type\": \"\(type)\", \"recording_start\": \"2025-10-09T08:53:20Z\"}"
    }
    let both = manifest("\(entry("CC")), \(entry("TRANSCRIPT"))")
    // Speech two seconds before the first sound precedes the timeline.
    let start = MediaTime(seconds: -2)
    #expect(try transcripts(both, ["t1.vtt"]) == [.init(file: "t1.vtt", start: start)])
    let name = "GMT20251009-085320_Recording.transcript.vtt"
    #expect(try transcripts(both, [name]) == [.init(file: name, start: start)])
    #expect(try transcripts(both, ["x.cc.vtt"]) == [.init(file: "x.cc.vtt", start: start)])
    #expect(try transcripts(both, ["notes.vtt"]) == [])
    let local = try ImporterRegistry.recording(
      from: .folder([name: "WEBVTT"], media: ["Audio Record/audioAda12345678901.m4a"]))
    #expect(local.transcripts == [.init(file: name)])
  }

  @Test func zoomsCloudCompositeAloneIsRendered() throws {
    let manifest = """
      {"recording_files": [
        {"recording_start": "2025-10-09T08:53:20Z", "recording_end": "2025-10-09T08:54:20Z",
         "recording_type": "audio_only", "file_type": "M4A", "file_name": "sound"},
        {"recording_start": "2025-10-09T08:53:20Z", "recording_end": "2025-10-09T08:54:20Z",
         "recording_type": "gallery_view", "file_type": "MP4", "file_name": "view"}]}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(["recording.json": manifest], media: ["view.mp4", "sound.m4a"]))
    #expect(recording.lines == ["Everyone: media view.mp4 0.000-60.000"])
    #expect(recording.leftOut == ["sound.m4a"] && recording.notes.count == 2)
    // The separate audio files contain nothing visible; a second take follows.
    let more =
      manifest.dropLast(2) + """
        , {"recording_start": "2025-10-09T08:55:20Z", "recording_end": "2025-10-09T08:56:20Z",
           "recording_type": "gallery_view", "file_type": "MP4", "file_name": "again"}],
         "participant_audio_files": [
          {"recording_start": "2025-10-09T08:53:22Z", "recording_end": "2025-10-09T08:54:20Z",
           "file_type": "M4A", "file_name": "Audio only - Ada"}]}
        """
    let views = try ImporterRegistry.recording(
      from: .folder(
        ["recording.json": String(more)],
        media: ["view.mp4", "again.mp4", "sound.m4a", "Audio only - Ada.m4a"]))
    #expect(
      views.lines == [
        "Everyone: media view.mp4 0.000-60.000", "Everyone: media again.mp4 120.000-180.000",
      ])
    #expect(views.leftOut == ["sound.m4a", "Audio only - Ada.m4a"])
  }
}
