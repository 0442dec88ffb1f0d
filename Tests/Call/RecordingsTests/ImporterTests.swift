import TesseraDocuments
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct ImporterTests {
  private static func lines(
    _ files: [String: String], media: [String] = [], manifest: String? = nil
  ) throws -> [String] {
    try ImporterRegistry.recording(from: .folder(files, media: media, manifest: manifest)).lines
  }

  @Test func vonageStreamsOfOnePersonAreGrouped() throws {
    let manifest = """
      {"createdAt": 1760000000000, "name": "", "files": [
        {"filename": "1.webm", "streamId": "s1", "startTimeOffset": 0, "stopTimeOffset": 10000,
         "connectionData": "{\\"id\\": 7, \\"userName\\": \\"Ada\\"}"},
        {"filename": "2.webm", "streamId": "s2", "startTimeOffset": 9000, "stopTimeOffset": 30000,
         "connectionData": "{\\"id\\": 7, \\"userName\\": \\"Ada\\"}"},
        {"filename": "3.webm", "streamId": "s3", "startTimeOffset": 5000, "stopTimeOffset": 8000,
         "connectionData": "{\\"id\\": 7, \\"userName\\": \\"Ada\\"}", "videoType": "screen"},
        {"filename": "4.webm", "streamId": "s4", "startTimeOffset": 0, "stopTimeOffset": 30000,
         "connectionData": "guest"},
        {"filename": "5.webm", "streamId": "s5", "startTimeOffset": 1, "stopTimeOffset": 30000,
         "connectionData": "guest"},
        {"filename": "6.webm", "streamId": "s6", "startTimeOffset": 0, "stopTimeOffset": 30000,
         "connectionData": "name=Cy,role=host", "videoType": "custom"}]}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(["a.json": manifest], media: ["1.mkv", "2.webm", "3.webm"]))
    #expect(
      recording.lines == [
        "Ada: camera 1.mkv 0.000-10.000", "Ada: screen 3.webm 5.000-8.000",
        "Ada: camera 2.webm 9.000-30.000", "guest: camera 4.webm 0.000-30.000",
        "guest: camera 5.webm 0.001-30.000", "Cy: media 6.webm 0.000-30.000",
      ])
    #expect(recording.participants.map(\.id).first == "7")
    #expect(recording.startedAt == MediaTime(seconds: 1_760_000_000))
  }

  @Test(arguments: [
    (#"{"user":{"displayName":"Ada"}}"#, "Ada"), (#"{"data":"{\"name\":\"Ada\"}"}"#, "Ada"),
    ("Ada", "Ada"), (#""Ada""#, "Ada"), ("username=Ada&x=1", "Ada"),
    (#"{"first_name":"Ada","last_name":"L"}"#, "Ada L"), (#"{"userId":"u7"}"#, "u7"),
    (#"{"name":""}"#, #"{"name":""}"#), ("  Ada \n", "Ada"),
  ])
  func namesAreFoundInConnectionData(data: String, name: String) throws {
    let quoted = DocumentValue.text(data).json()
    let manifest = """
      {"files": [{"filename": "1.webm", "startTimeOffset": 0, "connectionData": \(quoted)}]}
      """
    let recording = try ImporterRegistry.recording(from: .folder(["a.json": manifest]))
    #expect(recording.participants.map(\.name) == [name])
  }

  @Test func twilioFilesAreFoundByIdentifier() throws {
    let manifest = """
      {"recordings": [
        {"sid": "RT1", "source_sid": "MT1", "type": "audio", "offset": 500, "track_name": "MT1",
         "container_format": "mka", "grouping_sids": {"participant_sid": "PA1"}},
        {"sid": "RT2", "type": "video", "offset": "100", "track_name": "screen-ada",
         "grouping_sids": {"participant_sid": "PA1"}},
        {"sid": "RT3", "type": "data", "offset": 100},
        {"sid": "RT4", "type": "video", "offset": 100, "status": "deleted"}]}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(["list.json": manifest], media: ["m/MT1.mka", "room-RT2-x.mkv"]))
    #expect(
      recording.lines == [
        "ada: screen room-RT2-x.mkv 0.000-end", "ada: microphone m/MT1.mka 0.400-end",
      ])
    #expect(!recording.tracks.contains { $0.place?.event != .zero })
    #expect(recording.notes.count == 2)
  }

  @Test func splitSoraRecordingsAreJoined() throws {
    let archive = { (id: String, start: String, stop: String) in
      #"{"connection_id":"\#(id)","format":"webm","audio":true,"video":true,"#
        + #""start_time_offset":\#(start),"stop_time_offset":\#(stop)}"#
    }
    let recording = try ImporterRegistry.recording(
      from: .folder(
        [
          "split-archive-A_0001.json": archive("A", "0", "10"),
          "split-archive-A_0002.json": archive("A", "10.5", "20"),
          "archive-SCREEN1.json": archive("SCREEN1", "2", "5"), "report-1.json": "{\"x\": 1}",
          "layout.jsonc": """
          {  // Only A is audible.
            "video_layout": {"g": {"video_sources": ["*archive-A*.json"]}},
            "audio_sources": ["split-archive-A*"], "video_codec": "VP9", "resolution": "640x360", "trim": true, }
          """,
        ],
        media: ["split-archive-A_0001.webm", "split-archive-A_0002.webm", "archive-SCREEN1.webm"]))
    #expect(
      recording.lines == [
        "SCREEN1: screen archive-SCREEN1.webm 2.000-5.000",
        "A: camera split-archive-A_0001.webm 0.000-10.000",
        "A: camera split-archive-A_0002.webm 10.500-20.000",
      ])
    #expect(recording.tracks.map(\.isHeard) == [false, true, true])
    #expect(recording.canvas.size == "640x360" && recording.trimsIdle == true)
    #expect(recording.notes.contains("layout.jsonc: these keys are ignored: video_codec."))
  }

  @Test func dailyEventsOfUnknownPeopleAreIgnored() throws {
    let person = "11111111-1111-4111-8111-111111111111"
    let events = """
      {"recording": {"type": "raw-tracks"}, "events": [
        {"ts": 1760000001, "type": "track-added", "participant_id": "x",
         "data": {"trackSessionNum": 1, "trackType": "cam-video", "paused": true}}]}
      """
    let media = ["1760000000000-\(person)-cam-video-1760000000412.webm"]
    let recording = try ImporterRegistry.recording(from: .folder(["e.json": events], media: media))
    #expect(recording.participants.map(\.id) == [person] && recording.events.isEmpty)
  }

  @Test func liveKitCompositesAreSkipped() throws {
    let room =
      #"{"egress_id":"EG_1","room_name":"r","started_at":1,"files":[{"filename":"r.mp4"}]}"#
    let track = """
      {"egress_id":"EG_2","track_id":"TR_1","track_kind":"audio","track_source":"microphone",
       "publisher_identity":"ada","started_at":1760000000412000000,"files":[{"filename":"a.ogg"}]}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(["EG_1.json": room, "EG_2.json": track], media: ["r.mp4", "a.ogg"]))
    #expect(recording.lines == ["ada: microphone a.ogg 0.000-end"])
    #expect(recording.notes == ["EG_1.json is left out: it is a composite of the whole room."])
    #expect(
      message { _ = try Self.lines(["EG_1.json": room], media: ["r.mp4"]) }?
        .contains("everyone is mixed already") == true)
  }

  /// A local Zoom recording without separate files, and a cloud recording.
  @Test(arguments: [
    (
      ["zoom_0.mp4", "audio_only.m4a", "playback.m3u"],
      ["Everyone: media zoom_0.mp4 0.000-end"], ["audio_only.m4a"]
    ),
    (
      ["zoom_0.mp4", "zoom_1.mp4"],
      ["Everyone: media zoom_0.mp4 0.000-end", "Everyone: media zoom_1.mp4 after zoom_0-end"], []
    ),
    (["audio_only.m4a"], ["Everyone: media audio_only.m4a 0.000-end"], []),
    // Stopped and restarted.
    (
      [
        "audio_only.m4a", "audio_only_1.m4a", "zoom_0.mp4", "zoom_1.mp4", "zoom_10.mp4",
        "zoom_2.mp4",
      ],
      [
        "Everyone: media zoom_0.mp4 0.000-end", "Everyone: media zoom_1.mp4 after zoom_0-end",
        "Everyone: media zoom_2.mp4 after zoom_1-end",
        "Everyone: media zoom_10.mp4 after zoom_2-end",
      ], ["audio_only.m4a", "audio_only_1.m4a"]
    ),
    (
      ["audio1234567890.m4a", "audio2234567890.m4a", "video1234567890.mp4", "video2234567890.mp4"],
      [
        "Everyone: media video1234567890.mp4 0.000-end",
        "Everyone: media video2234567890.mp4 after video1234567890-end",
      ], ["audio1234567890.m4a", "audio2234567890.m4a"]
    ),
    (
      ["audio98796876.m4a", "video98796876.mp4"], ["Everyone: media video98796876.mp4 0.000-end"],
      ["audio98796876.m4a"]
    ),
    (
      [
        "GMT20251009-085320_Recording_1920x1080.mp4",
        "GMT20251009-085320_Recording_gallery_1920x1080.mp4", "GMT20251009-085320_Recording.m4a",
      ],
      ["Everyone: media GMT20251009-085320_Recording_1920x1080.mp4 0.000-end"],
      ["GMT20251009-085320_Recording_gallery_1920x1080.mp4", "GMT20251009-085320_Recording.m4a"]
    ),
  ])
  func zoomsCompositeAloneIsRendered(media: [String], lines: [String], leftOut: [String]) throws {
    for format in [nil, "zoom"] {
      let recording = try ImporterRegistry.recording(
        from: .folder([:], media: media), format: format)
      #expect(recording.lines == lines)
      #expect(recording.notes.contains { $0.contains("shows everyone together") })
      #expect(recording.leftOut == Set(leftOut))
    }
  }

  @Test func openViduIsNotVonage() throws {
    func file(_ stream: String, _ connection: String, _ more: String) -> String {
      """
      {"connectionId": "\(connection)", "streamId": "\(stream)", "size": 10, "serverData": "", \(more)}
      """
    }
    let ada = #""clientData": "{\"clientData\": \"Ada\"}", "#
    let ben = #""clientData": "Ben", "#
    let files = [
      file(
        "str_CAM_a", "con_A",
        ada
          + #""hasAudio": true, "hasVideo": true, "typeOfVideo": "CAMERA", "startTimeOffset": 412, "endTimeOffset": 30412"#
      ),
      file(
        "str_SCR_a", "con_B",
        ada
          + #""hasAudio": false, "hasVideo": true, "typeOfVideo": "SCREEN", "startTimeOffset": 5000, "endTimeOffset": 9000"#
      ),
      file(
        "str_MIC_b", "con_C",
        ben
          + #""hasAudio": true, "hasVideo": false, "startTimeOffset": 1000, "endTimeOffset": 30000"#
      ),
    ]
    let manifest = """
      {"createdAt": 1760000000000, "id": "s", "name": "standup", "sessionId": "s",
       "files": [\(files.joined(separator: ","))]}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(
        ["s.json": manifest], media: ["str_CAM_a.webm", "str_SCR_a.webm", "str_MIC_b.webm"]))
    #expect(
      recording.lines == [
        "Ada: camera str_CAM_a.webm 0.412-30.412", "Ada: screen str_SCR_a.webm 5.000-9.000",
        "Ben: microphone str_MIC_b.webm 1.000-30.000",
      ])
    #expect(recording.startedAt == MediaTime(seconds: 1_760_000_000))
    #expect(recording.notes.isEmpty && recording.title == "standup")
  }

  @Test func vonagesOutputModeDoesNotMakeARequest() throws {
    let manifest = """
      {"outputMode": "individual", "sessionId": "x", "hasAudio": true, "createdAt": 1760000000000,
       "files": [{"filename": "1.webm", "streamId": "s1", "startTimeOffset": 0}]}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(["a.json": manifest], media: ["1.webm"]))
    #expect(recording.lines == ["Guest 1: camera 1.webm 0.000-end"] && recording.notes.isEmpty)
  }

  /// If one importer cannot use a manifest, the next importer can.
  @Test func theNextImporterIsTried() throws {
    let vonage = #"{"files": [{"streamId": "s1"}]}"#
    let live = """
      {"egress_id":"EG_2","track_id":"TR_1","track_kind":"audio","track_source":"microphone",
       "publisher_identity":"ada","started_at":1760000000412000000,"files":[{"filename":"a.ogg"}]}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(["EG_2.json": live, "x.json": vonage], media: ["a.ogg"]))
    #expect(recording.lines == ["ada: microphone a.ogg 0.000-end"])
    #expect(
      recording.notes.contains { $0.contains("startTimeOffset") && $0.contains("skipped") })
    let broken = RecordingSource.folder([
      "session.yaml": "version: 1\npeople: 7", "EG_2.json": live,
    ])
    #expect(
      message { _ = try ImporterRegistry.recording(from: broken) }?.contains("session.yaml") == true
    )
  }

  @Test func aSingleLayoutFileMustBeChosen() throws {
    let archive = """
      {"connection_id": "c", "client_id": "ada", "start_time_offset": 0, "filename": "archive-1.webm"}
      """
    let layout = #"{"resolution": "640x480", "audio_sources": ["*"]}"#
    let recording = try ImporterRegistry.recording(
      from: .folder(
        ["archive-1.json": archive, "b.json": layout, "a.json": layout], media: ["archive-1.webm"]))
    #expect(
      recording.notes == ["the layout is a.json's, not b.json's; --layout FILE names another one."])
  }

  @Test func anEmptyManifestIsReportedAsEmpty() {
    #expect(
      message {
        _ = try ImporterRegistry.recording(
          from: .folder(["archive-1.json": ""], media: ["archive-1.webm"]))
      }
        == "archive-1.json cannot be read: it is empty; repair it, or take the media files as they are "
        + "with --format files.")
  }

  @Test func formatsCanBeForced() throws {
    let source = RecordingSource.folder(["broken.json": "{"], media: ["ada.webm"])
    let said = message { _ = try ImporterRegistry.recording(from: source) }
    #expect(
      said == "broken.json cannot be read: it is not JSON: in column 2, it ends too early; "
        + "repair it, or take the media files as they are with --format files.")
    #expect(try ImporterRegistry.recording(from: source, format: "files").tracks.count == 1)
    #expect(
      message { _ = try ImporterRegistry.recording(from: source, format: "fils") }
        == "call cannot be read: unknown --format \"fils\": did you mean \"files\"?")
    #expect(Set(ImporterRegistry.formats).count == ImporterRegistry.all.count)
    for importer in ImporterRegistry.all {
      #expect(message { _ = try importer.recording(ImporterInput(.folder([:]))) } != nil)
    }
  }

  @Test(arguments: [
    ("call.yaml", "version: 1\ncut: [ { from: 1, to: 2 } ]", "a file of edits", "edits"),
    ("call.yaml", "version: 1\nmute: [ { person: ada, to: 2 } ]", "a file of edits", "edits"),
    (
      "words.json", #"{"text":" Hi","segments":[{"start":0.5,"end":1,"text":" Hi"}]}"#,
      "a transcript", "transcript"
    ),
    (
      "words.json", #"{"transcription":[{"offsets":{"from":0,"to":9},"text":" Hi"}]}"#,
      "a transcript", "transcript"
    ),
    (
      "words.json", #"{"result":[{"start":0.5,"end":1,"word":"hi"}],"text":"hi"}"#,
      "a transcript", "transcript"
    ),
  ])
  func filesOfOptionsAreRefusedByTheirKind(
    name: String, text: String, kind: String, option: String
  ) {
    let said = message {
      _ = try ImporterRegistry.recording(
        from: .folder([name: text], media: ["ada.webm"], manifest: name))
    }
    #expect(
      said
        == "\(name) cannot be read: it is \(kind), not a recording: give it as --\(option) beside a "
        + "recording.")
  }

  @Test func requestsBesideARecordingAreNoted() throws {
    let recording = try ImporterRegistry.recording(
      from: .folder(["r.json": #"{"items":[{"id":"a","layoutClassList":[]}]}"#], media: ["a.webm"]))
    #expect(
      recording.notes == [
        "r.json is a request to set the classes of streams, not a recording; it is skipped."
      ])
  }
}
