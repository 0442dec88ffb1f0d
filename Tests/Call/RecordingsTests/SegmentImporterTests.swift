import TesseraDocuments
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraRecordings

/// Recorders that write segments and playlists.
@Suite("Importers of segments", .timed) struct SegmentImporterTests {
  private static func list(_ lines: String...) -> String {
    (["#EXTM3U"] + lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n")
  }

  @Test("A LiveKit egress in segments starts at the server's time, otherwise at its playlist's")
  func liveKit() throws {
    let egress = """
      {"egress_id": "EG_1", "room_name": "standup", "started_at": 1759999900000000000,
       "publisher_identity": "ada", "audio_track_id": "TR_A", "video_track_id": "TR_V",
       "playlists": [{"location": "https://b/standup/ada.m3u8", "segments": []}]}
      """
    let playlist = Self.list(
      "#EXT-X-PROGRAM-DATE-TIME:2025-10-09T08:53:20.412Z", "#EXTINF:4.004,", "ada_00000.ts")
    let files = ["EG_1.json": egress, "ada.m3u8": playlist]
    let media = ["ada_00000.ts"]
    let recording = try ImporterRegistry.recording(from: .folder(files, media: media))
    #expect(recording.lines == ["ada: camera ada.m3u8 0.000-end"])
    #expect(recording.startedAt.map(WallClockFormat.text) == "2025-10-09T08:53:20.412Z")
    let info = """
      {"egressId": "EG_1", "roomName": "standup", "startedAt": "1",
       "segmentResults": [{"playlistName": "ada.m3u8", "startedAt": "1760000000100000000"}]}
      """
    let known = try ImporterRegistry.recording(
      from: .folder(files.merging(["info.json": info]) { $1 }, media: media))
    #expect(known.startedAt.map(WallClockFormat.text) == "2025-10-09T08:53:20.100Z")
    let gone = try ImporterRegistry.recording(
      from: .folder(
        [
          "EG_1.json": egress, "EG_2.json": egress.replacing("ada", with: "ben"),
          "ben.m3u8": playlist,
        ], media: media))
    #expect(gone.participants.map(\.name) == ["ben"])
    #expect(gone.notes.contains { $0.contains("the playlist that it names does not exist") })
  }

  @Test("Agora's playlists precede files of the same person, and mixes are skipped")
  func agora() throws {
    let stem = "sid_room__uid_s_a_b__uid_e_"
    let files = [
      "\(stem)video.m3u8": Self.list(
        "#EXT-X-AGORA-TRACK-EVENT:EVENT=START,TRACK_TYPE=VIDEO,TIME=20251009085320412",
        "#EXTINF:15.2", "\(stem)video_20251009085320412.ts"),
      "\(stem)audio.m3u8": Self.list("#EXTINF:15.2", "\(stem)audio_20251009085320400.ts"),
    ]
    let media = [
      "\(stem)video_20251009085320412.ts", "\(stem)audio_20251009085320400.ts", "\(stem)0.mp4",
      "sid_room_0.mp4", "sid_room__uid_s_9__uid_e_video_20251009085325412.webm",
    ]
    let recording = try ImporterRegistry.recording(from: .folder(files, media: media))
    #expect(
      recording.lines == [
        "9: camera sid_room__uid_s_9__uid_e_video_20251009085325412.webm 5.012-end",
        "a_b: microphone \(stem)audio.m3u8 0.000-end", "a_b: camera \(stem)video.m3u8 0.012-end",
      ])
    #expect(recording.leftOut.isSuperset(of: ["\(stem)0.mp4", "sid_room_0.mp4"]))
  }

  @Test("TRTC's user IDs are decoded, aux is a screen, and either playlists or files are used")
  func trtc() throws {
    let stem = "1400000001_7__UserId_s_YWRh__UserId_e_"
    let main = Self.list(
      "#EXT-X-TRTC-START-REC-TIME:1760000000412", "#EXTINF:10,",
      "\(stem)main_video_20251009085320412.ts", "#EXTINF:10,", "\(stem)main_video_2.ts")
    let screen = Self.list(
      "#EXT-X-TRTC-START-REC-TIME:1760000010412", "#EXTINF:10,",
      "\(stem)aux_video_20251009085330412.ts")
    let files = ["\(stem)main_video.m3u8": main, "\(stem)aux_video.m3u8": screen]
    var media = [
      "\(stem)main_video_20251009085320412.ts", "\(stem)aux_video_20251009085330412.ts",
      "\(stem)main_0.mp4", "\(stem)main_1.mp4", "1400000001_7.mp4",
    ]
    // An incomplete playlist gives way to the files.
    let partial = try ImporterRegistry.recording(from: .folder(files, media: media))
    #expect(
      partial.lines == [
        "ada: camera \(stem)main_0.mp4 0.000-end",
        "ada: camera \(stem)main_1.mp4 after \(stem)main_0-end",
        "ada: screen \(stem)aux_video.m3u8 10.000-end",
      ])
    media.append("\(stem)main_video_2.ts")
    let whole = try ImporterRegistry.recording(from: .folder(files, media: media))
    #expect(
      whole.lines == [
        "ada: camera \(stem)main_video.m3u8 0.000-end",
        "ada: screen \(stem)aux_video.m3u8 10.000-end",
      ])
    let callback = """
      {"EventType": 311, "EventInfo": {"Payload": {"FileMessage": [
        {"FileName": "1400000001_7_UserId_s_YmVu_UserId_e_main_0.mp4", "UserId": "ben",
         "TrackType": "audio_video", "MediaId": "main", "StartTimeStamp": 1760000001412}]}}}
      """
    let known = try ImporterRegistry.recording(
      from: .folder(
        ["a.json": callback],
        media: [
          "1400000001_7_UserId_s_YmVu_UserId_e_main_0.mp4",
          "1400000001_7_UserId_s_x!_UserId_e_main_0.mp4",
        ]))
    #expect(known.participants.map(\.name).sorted() == ["ben", "x!"])
    #expect(known.startedAt.map(WallClockFormat.text) == "2025-10-09T08:53:21.412Z")
    #expect(known.notes.contains { $0.contains("has no clock") })
  }

  @Test("Recall's parts are placed by their times, and events name the speakers")
  func recall() throws {
    func part(_ id: String, _ person: Int, _ at: Double, _ type: String?) -> String {
      """
      {"id": "\(id)", "participant": {"id": \(person), "name": "\(person == 1 ? "Ada" : "Ben")"},
       "start_timestamp": {"relative": \(at)}, "duration": 5,
       \(type.map { "\"type\": \"\($0)\"," } ?? "")
       "download_url": "https://b/x/\(id).\(type == nil ? "mp3" : "mp4")?sig=1"}
      """
    }
    let files = [
      "video.json": "[\(part("v1", 1, 4.25, "webcam")), \(part("s1", 1, 6, "screenshare"))]",
      "audio.json":
        "[\(part("a1", 1, -0.5, nil)), \(part("a2", 2, 2, nil)), \(part("a3", 2, 9, nil))]",
      "events.json": """
      [{"id": 1, "action": "speech_on", "participant": {"id": "2", "name": null},
        "timestamp": {"relative": 3.5}, "data": null},
       {"id": 2, "action": "webcam_off", "participant": {"id": 1}, "timestamp": {"relative": 8}}]
      """,
      "speakers.json": """
      [{"participant": {"id": 1, "name": "Ada"}, "start_timestamp": {"relative": 1},
        "end_timestamp": {"relative": 2}}]
      """,
    ]
    let recording = try ImporterRegistry.recording(
      from: .folder(files, media: ["v1.mp4", "s1.mp4", "a1.mp3", "a2.mp3"]))
    #expect(
      recording.lines == [
        "Ada: microphone a1.mp3 0.000-end", "Ada: camera v1.mp4 4.250-end",
        "Ada: screen s1.mp4 6.000-end", "Ben: microphone a2.mp3 2.000-end",
      ])
    #expect(recording.tracks.first?.inPoint?.seconds == 0.5)
    #expect(recording.notes.contains { $0.contains("the part a3 does not exist") })
    let (ada, ben) = (recording.participants[0].id, recording.participants[1].id)
    #expect(
      recording.events.map { "\($0.time) \($0.change)" }
        == [
          CallEvent(MediaTime(seconds: 1), .speaking(ada)),
          CallEvent(MediaTime(seconds: 2), .speaking(nil)),
          CallEvent(MediaTime(nanoseconds: 3_500_000_000), .speaking(ben)),
          CallEvent(MediaTime(seconds: 8), .disabled(ada, .camera)),
        ].map { "\($0.time) \($0.change)" })
    // A list without visible parts is not Recall's.
    let parts = "[\(part("x", 1, 0, "webcam"))]"
    let none = #expect(throws: DocumentError.self) {
      try ImporterRegistry.recording(from: .folder(["p.json": parts], media: []))
    }
    #expect("\(none.map { "\($0)" } ?? "")".contains("it names no recording"))
  }

  @Test("IVS has a folder per publication; compositions are mixes")
  func ivs() throws {
    func folder(_ who: String, _ at: String, dated: Bool = true) -> [String: String] {
      let base = "st/se/\(who)/2025-10-09T08-53-\(at)Z/media/hls"
      let date = dated ? ["#EXT-X-PROGRAM-DATE-TIME:2025-10-09T08:53:\(at).5Z"] : []
      return [
        "\(base)/multivariant.m3u8":
          "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\nhigh/playlist.m3u8\n",
        "\(base)/high/playlist.m3u8": (["#EXTM3U"] + date + ["#EXTINF:6,", "1.mp4"]).joined(
          separator: "\n"),
      ]
    }
    let files = [folder("p1", "20"), folder("p1", "40"), folder("p2", "30")].reduce(
      folder("mix", "10", dated: false)
    ) { $0.merging($1) { $1 } }
    let media = files.keys.filter { $0.hasSuffix("playlist.m3u8") }.map {
      "\($0.dropLast("playlist.m3u8".count))1.mp4"
    }
    let recording = try ImporterRegistry.recording(from: .folder(files, media: media))
    #expect(
      recording.participants.map { [$0.name] + $0.tracks.map { "\($0.start)" } } == [
        ["p1", "0.000", "20.000"], ["p2", "10.000"],
      ])
    #expect(recording.notes.contains { $0.contains("it is a composition of all") })
  }
}
