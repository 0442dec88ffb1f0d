import TesseraDocuments
import TesseraMessages
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct HostileManifestTests {
  private static func said(_ files: [String: String], media: [String] = []) -> String {
    message { _ = try ImporterRegistry.recording(from: .folder(files, media: media)) } ?? ""
  }

  private static func vonage(_ files: String) -> String {
    #"{"createdAt": 0, "sessionId": "s", "files": [\#(files)]}"#
  }

  @Test(arguments: [
    (
      #"{"filename": "a", "streamId": "s"}"#,
      #""files[0].startTimeOffset" is missing: add a number of milliseconds, or take the media files "#
        + "as they are with --format files."
    ),
    (
      #"{"filename": "a", "streamId": "s", "startTimeOffset": -1}"#,
      #""files[0].startTimeOffset" must not be negative."#
    ),
    (
      #"{"filename": "a", "streamId": "s", "startTimeOffset": 5, "stopTimeOffset": 5}"#,
      #""files[0].stopTimeOffset" must be later than the start."#
    ),
    (
      #"{"filename": "a", "streamId": "s", "startTimeOffset": 1e30}"#,
      #""files[0].startTimeOffset" is a time too far away for a call: correct it."#
    ),
    (
      #"{"filename": "a", "streamId": "s", "startTimeOffset": "soon"}"#,
      #""files[0].startTimeOffset" must be a number of milliseconds."#
    ),
    (
      #"{"startTimeOffset": 5}"#,
      #""files[0].filename" is missing: add a file's name, or take the media files as they are with "#
        + "--format files."
    ),
  ])
  func wrongEntriesAreNamed(entry: String, said: String) {
    #expect(Self.said(["m.json": Self.vonage(entry)]) == "m.json: \(said)")
  }

  @Test func timesAYearApartAreRefused() {
    let entry = #"{"filename": "a", "streamId": "s", "startTimeOffset": 31536000000}"#
    #expect(
      Self.said(["m.json": Self.vonage(entry)])
        == "call cannot be read: its times are more than 7 days apart.")
  }

  @Test func aManifestNeverEscapesItsFolder() throws {
    for path in ["../../etc/passwd", "/etc/passwd", "..\\..\\passwd", "a/../../passwd"] {
      let entry = #"{"filename": \#(DocumentValue.text(path).json()), "startTimeOffset": 0}"#
      let recording = try ImporterRegistry.recording(from: .folder(["m.json": Self.vonage(entry)]))
      #expect(recording.tracks.map(\.file) == ["passwd"])
    }
  }

  @Test func duplicateIdentifiersAreMadeUnique() throws {
    let entry = #"{"filename": "a.webm", "streamId": "s", "startTimeOffset": 0}"#
    let recording = try ImporterRegistry.recording(
      from: .folder(["m.json": Self.vonage("\(entry),\(entry)")], media: ["a.webm"]))
    #expect(recording.tracks.map(\.id) == ["s", "s-2"])
  }

  @Test func aHundredThousandEntriesAreRefused() {
    let entry = #"{"filename": "a.webm", "startTimeOffset": 0}"#
    let entries = Array(repeating: entry, count: 100_000).joined(separator: ",")
    #expect(Self.said(["m.json": Self.vonage(entries)]) == #"m.json: "files" are more than 10000."#)
    let media = (0..<100_000).map { "\($0 + 1_000_000)x.webm" }
    #expect(
      Self.said([:], media: media)
        == "call cannot be read: it holds more than 10000 media files; list the files to use.")
  }

  @Test func largeManifestsAreRefusedWithoutReading() {
    let source = RecordingSource(
      name: "call", files: [.init("m.json", size: 17 << 20), .init("a.webm", size: 9)]
    ) { path throws(DocumentError) in throw DocumentError(file: path, reason: "it was read") }
    #expect(
      message { _ = try ImporterRegistry.recording(from: source) }
        == "m.json cannot be read: it is larger than the limit of 16 MB; repair "
        + "it, or take the media files as they are with --format files.")
  }

  @Test(arguments: [
    "[[[[", "{\"a\":", String(repeating: "[", count: 100_000), "\u{0}", "{\"a\": 1, \"a\": 2}",
  ])
  func brokenManifestsAreErrors(text: String) {
    let said = Self.said(["m.json": text], media: ["a.webm"])
    #expect(said.hasPrefix("m.json cannot be read: it is ") && said.hasSuffix("--format files."))
  }

  @Test func wrongTypesNeverCrash() throws {
    let values = ["null", "5", "\"x\"", "[]", "{}", "[5]", "{\"a\": 5}", "-1e400", "true"]
    let shapes = [
      #"{"createdAt": V, "sessionId": "s", "name": V, "files": [{"filename": V, "startTimeOffset": V, "stopTimeOffset": V, "connectionData": V, "videoType": V, "layoutClass": V}], "layoutEvents": [{"createdAt": V, "action": "layoutChanged", "layout": V}]}"#,
      #"{"recordings": [{"sid": V, "grouping_sids": V, "offset": V, "type": "audio", "track_name": V}]}"#,
      #"{"connection_id": "A", "start_time_offset": V, "stop_time_offset": V, "format": V, "video": V}"#,
      #"{"recordingStartTs": V, "participants": [{"id": V, "tracks": [{"file": V, "mediaType": V, "startTs": V}]}]}"#,
      #"{"recording": {"type": "raw-tracks"}, "events": [{"ts": V, "type": V, "participant_id": V, "data": V}]}"#,
      #"{"egress_id": "E", "track_id": V, "publisher_identity": V, "started_at": V, "ended_at": V, "files": V}"#,
      #"{"roomId": V, "files": [{"fileUrl": V}], "start": V, "end": V}"#,
      #"{"recording_files": [{"recording_start": V, "recording_type": V}], "participant_audio_files": [V, {"file_name": V, "recording_start": V}]}"#,
      #"{"t": "v", "s": V, "u": V}"#,
      #"[{"Timestamp": V, "EventType": "AttendeeJoined", "EventParameters": V}]"#,
      #"{"version": 1, "participants": V, "events": V}"#,
    ]
    for shape in shapes {
      for value in values {
        let text = shape.replacing("V", with: value)
        let said = Self.said(["session.json": text], media: ["a.webm"])
        #expect(said.isEmpty || said.hasSuffix(".") || said.hasSuffix("?"), "\(text): \(said)")
      }
    }
  }
}
