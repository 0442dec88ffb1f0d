import TesseraDocuments
import TesseraMessages
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct FileNameImporterTests {
  private static func lines(
    _ files: [String: String], media: [String] = [], manifest: String? = nil
  ) throws -> [String] {
    try ImporterRegistry.recording(from: .folder(files, media: media, manifest: manifest)).lines
  }

  @Test func dailyFileNamesSuffice() throws {
    let person = "11111111-1111-4111-8111-111111111111"
    let recording = try ImporterRegistry.recording(
      from: .folder(
        [:],
        media: [
          "1760000000000-\(person)-cam-video-1760000000412.webm",
          "1760000000000-\(person)-screen-video-1760000002000.webm",
          "1750000000000-\(person)-cam-video-1750000000412.webm", "other.webm",
        ]))
    #expect(recording.lines.count == 1 || recording.lines.count == 2)
    #expect(recording.notes.contains { $0.contains("another recording") })
  }

  @Test func videoSDKFoldersSuffice() throws {
    let recording = try ImporterRegistry.recording(
      from: .folder(
        [:],
        media: ["s/p1/video/0001.webm", "s/p1/video/0002.webm", "s/p1/screen_audio/0001.webm"]))
    #expect(
      recording.lines == [
        "p1: camera s/p1/video/0001.webm 0.000-end",
        "p1: screen-audio s/p1/screen_audio/0001.webm 0.000-end",
        "p1: camera s/p1/video/0002.webm after s/p1/video/0001.webm-end",
      ] || recording.lines.count == 3)
  }

  @Test func eachJitsiStreamIsAParticipant() throws {
    let facts = [
      RecordingSource.StreamHeader(0, .audio, tags: ["title": "0a1b2c3d-123"]),
      RecordingSource.StreamHeader(1, .audio, tags: ["title": "4e5f6a7b-456"]),
      RecordingSource.StreamHeader(2, .audio, tags: ["title": "0a1b2c3d-123"]),
      RecordingSource.StreamHeader(3, .audio, tags: ["title": "x", "endpoint_id": "00ff00ff"]),
    ]
    let source = RecordingSource(
      name: "call", files: [.init("recording.mka", size: 9, streams: facts)]
    ) { path throws(DocumentError) in throw DocumentError(file: path, reason: "") }
    let recording = try ImporterRegistry.recording(from: source)
    #expect(recording.participants.map(\.id) == ["0a1b2c3d", "4e5f6a7b", "00ff00ff"])
    #expect(recording.tracks.map(\.stream) == [0, 2, 1, 3])
    #expect(!recording.tracks.contains { $0.place?.event != .zero })
  }

  @Test func janusNames() throws {
    let base = "videoroom-1234-user-77-1760000000412000"
    let header = #"{"t":"a","c":"opus","s":1760000000400000,"u":1760000000500000}"#
    #expect(
      try Self.lines(
        ["\(base)-audio-0.mjr.json": header],
        media: ["\(base)-audio-0.opus", "\(base)-video-1.webm"]) == [
          "77: camera \(base)-video-1.webm 0.000-end",
          "77: microphone \(base)-audio-0.opus 0.088-end",
        ])
    #expect(
      message { _ = try Self.lines([:], media: ["\(base)-audio-0.mjr"]) }?.contains("janus-pp-rec")
        == true)
  }

  @Test func chimeEvents() throws {
    let events = """
      {"Timestamp":"2025-10-09T08:53:20.000Z","EventType":"CaptureStarted","EventParameters":{}}
      {"Timestamp":"2025-10-09T08:53:21.000Z","EventType":"AttendeeJoined","EventParameters":{"attendeeId":"a-1","externalUserId":"Ada"}}
      {"Timestamp":"2025-10-09T08:53:25.500Z","EventType":"AttendeeVideoLeft","EventParameters":{"attendeeId":"a-1"}}
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(
        ["meeting-events/2025-10-09-08-53-20-000.txt": events],
        media: ["video/2025-10-09-08-53-22-412-a-1.mp4", "audio/2025-10-09-08-53-20-000.mp4"]))
    #expect(
      recording.lines == [
        "Ada: camera video/2025-10-09-08-53-22-412-a-1.mp4 2.412-end",
        "Everyone: microphone audio/2025-10-09-08-53-20-000.mp4 0.000-end",
      ])
    #expect(
      recording.events == [
        CallEvent(.at("1"), .joined("a-1")), CallEvent(.at("5.5"), .disabled("a-1", .camera)),
      ])
    #expect(recording.participants.map(\.hasTile) == [true, false])
  }

  @Test func oneVersionOfARiversideFileIsUsed() throws {
    let recording = try ImporterRegistry.recording(
      from: .folder(
        [:],
        media: [
          "riverside_ada_lovelace_raw-video-cfr_my_studio_0042.mp4",
          "riverside_ada_lovelace_raw-synced-video-cfr_my_studio_0042.mp4",
          "riverside_ada_lovelace_raw-audio_my_studio_0042.wav",
          "riverside_ada_lovelace_compressed-audio_my_studio_0042.mp3",
          "riverside_all_participants_cloud-video_my_studio_0042.mp4",
        ]))
    #expect(
      recording.lines == [
        "Ada Lovelace: camera riverside_ada_lovelace_raw-synced-video-cfr_my_studio_0042.mp4 "
          + "0.000-end",
        "Ada Lovelace: microphone riverside_ada_lovelace_raw-audio_my_studio_0042.wav 0.000-end",
      ])
  }

  @Test func riversideTakesAreConsecutive() throws {
    var source = RecordingSource.folder(
      [:],
      media: [
        "riverside_ada_raw-synced-video-cfr_studio_0002.mp4",
        "riverside_ada_raw-synced-video-cfr_studio_0003.mp4",
        "riverside_ben_raw-synced-video-cfr_studio_0003.mp4",
      ])
    source.spans = { paths in
      paths.map {
        RecordingSource.ContainerInfo(duration: MediaTime(seconds: $0.contains("0002") ? 9 : 5))
      }
    }
    let recording = try ImporterRegistry.recording(from: source)
    #expect(recording.tracks.map(\.start.seconds) == [0, 9, 9])
    #expect(recording.notes.contains { $0.contains("it holds the takes 0002, 0003") })
  }

  @Test func galeneFilesAreOrderedByTheirTimes() throws {
    let base = "2025-10-09T08"
    var source = RecordingSource.folder(
      [:],
      media: [
        "\(base):53:20.412-Ada Lovelace.webm", "\(base):53:25.500-Ada Lovelace.webm",
        "\(base)-53-22-412-a-slash-b-01.webm", "\(base):53:21.412-Ada Lovelace.mkv", "other.webm",
      ])
    source.spans = {
      $0.map { _ in RecordingSource.ContainerInfo(duration: MediaTime(seconds: 5)) }
    }
    let recording = try ImporterRegistry.recording(from: source)
    #expect(
      recording.participants.map { [$0.name] + $0.tracks.map { "\($0.start) \($0.source ?? "")" } }
        == [
          ["Ada Lovelace", "0.000 ", "1.000 2", "5.088 "], ["a/b", "2.000 "],
        ])
    #expect(recording.startedAt.map(WallClockFormat.text) == "2025-10-09T08:53:20.412Z")
    #expect(recording.leftOut == ["other.webm"])
  }

  @Test func aRiversideMixAloneIsRendered() throws {
    let mix = "riverside_all_participants_cloud-video_my_studio_0042.mp4"
    for own in [[], ["riverside_ada_raw-audio_my_studio_0042.wav"]] {
      let recording = try ImporterRegistry.recording(from: .folder([:], media: own + [mix]))
      #expect(recording.lines == ["Everyone: media \(mix) 0.000-end"])
      #expect(recording.leftOut == Set(own))
    }
  }

  @Test func agoraNames() throws {
    let base = "sid1_room__uid_s_42__uid_e_"
    #expect(
      try Self.lines(
        [:],
        media: [
          "\(base)video_20251009085320412.webm", "\(base)video_20251009085335412.webm",
          "\(base)audio_20251009085320000.webm",
        ]) == [
          "42: microphone \(base)audio_20251009085320000.webm 0.000-end",
          "42: camera \(base)video_20251009085320412.webm 0.412-end",
          "42: camera \(base)video_20251009085335412.webm 15.412-end",
        ])
  }
}
