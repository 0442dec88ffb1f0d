import TesseraLayout
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

/// Every manifest in `../shared` is read, or refused with its kind.
@Suite(.timed, .enabled(if: SharedManifests.isPresent)) struct ManifestTests {
  @Test(arguments: [
    (
      "opentok-individual-archive.json",
      [
        "Ada: camera 0c0f2f5e-1111-4f3a-8f5e-000000000001.webm 0.000-30.000",
        "Bob: camera 0c0f2f5e-2222-4f3a-8f5e-000000000002.webm 4.250-21.500",
        "Screen: screen 0c0f2f5e-3333-4f3a-8f5e-000000000003.webm 9.000-18.000",
      ]
    ),
    (
      "opentok-barc-extended.json",
      [
        "Ada: camera a.webm 0.000-20.000", "Bob: camera b.webm 0.500-20.000",
        "Screen: still slide.png 2.000-8.000",
      ]
    ),
    (
      "twilio-recordings-list.json",
      [
        "ada: microphone RT00000000000000000000000000000001.mka 0.000-end",
        "ada: camera RT00000000000000000000000000000002.mkv 0.050-end",
        "bob: camera RT00000000000000000000000000000003.mkv 4.250-end",
      ]
    ),
    (
      "sora-archive-ADA.json",
      ["ADA00000000000000000000001: camera sora-archive-ADA.webm 0.000-30.000"]
    ),
    (
      "sora-hisui-layout.json",
      ["ADA00000000000000000000001: camera sora-archive-ADA.webm 0.000-30.000"]
    ),
    (
      "daily-raw-tracks-manifest.json",
      [
        "Ada: microphone 1760000000000-11111111-1111-4111-8111-111111111111-cam-audio-1760000000398"
          + ".webm 0.398-30.000",
        "Ada: camera 1760000000000-11111111-1111-4111-8111-111111111111-cam-video-1760000000412"
          + ".webm 0.412-30.000",
        "22222222-2222-4222-8222-222222222222: camera "
          + "1760000000000-22222222-2222-4222-8222-222222222222-cam-video-1760000004250.webm "
          + "4.250-end",
      ]
    ),
    ("livekit-EG_track1.json", ["ada: camera video-camera-TR_VCada01.webm 0.000-30.000"]),
    ("livekit-EG_composite1.json", ["bob: camera bob.mp4 0.000-17.250"]),
    (
      "videosdk-track-recording.json",
      ["Ada: camera 0001.webm 0.000-end", "Ada: camera 0002.webm after rec-1-0001-end"]
    ),
    ("zoom-recording.json", ["Ada: microphone Audio only - Ada.m4a 0.000-30.000"]),
    (
      "janus-mjr-header-video.json",
      ["janus-mjr-header: camera janus-mjr-header-video.webm 0.000-end"]
    ),
  ])
  func manifestsAreRead(name: String, lines: [String]) throws {
    let recording = try ImporterRegistry.recording(from: SharedManifests.source(name))
    #expect(recording.lines == lines)
  }

  @Test func dailyEventsSuffice() throws {
    let recording = try ImporterRegistry.recording(from: SharedManifests.source("daily.event.json"))
    #expect(recording.participants.first?.name == "Ada")
    #expect(
      recording.eventLines == [
        #"6.000 disabled("11111111-1111-4111-8111-111111111111", TesseraRecordings.TrackKind.camera)"#,
        #"9.500 enabled("11111111-1111-4111-8111-111111111111", TesseraRecordings.TrackKind.camera)"#,
      ])
  }

  @Test func layoutsAreImported() throws {
    let barc = try ImporterRegistry.recording(
      from: SharedManifests.source("opentok-barc-extended.json"))
    #expect(barc.participants.map(\.tracks[0].classes) == [["focus"], [], ["focus"]])
    #expect(
      barc.events == [
        CallEvent(.at("2"), .layout(.named("horizontal-presentation"))),
        CallEvent(.at("8"), .classes("stream-b", ["focus", "presenter"])),
        CallEvent(
          .at("12"),
          .layout(
            .stylesheet("stream { float: left; width: 50%; height: 100%; object-fit: cover; }"))),
      ])
    let twilio = try ImporterRegistry.recording(
      from: SharedManifests.source("twilio-video-layout.json"))
    guard case .regions(let json) = twilio.layout else {
      Issue.record("no regions")
      return
    }
    #expect(json.contains("chess") && twilio.tracks.count == 3)
    #expect((try LayoutFileParser.policy(json) as? RegionLayout)?.regions.count == 3)
    let sora = try ImporterRegistry.recording(
      from: SharedManifests.source("sora-hisui-layout.json"))
    #expect(sora.canvas == CanvasSettings(size: "1280x720", frameRate: .thirty))
    #expect(sora.trimsIdle == false)
    guard case .regions(let grid) = sora.layout else {
      Issue.record("no regions")
      return
    }
    #expect((try LayoutFileParser.policy(grid) as? RegionLayout)?.regions.count == 2)
  }

  @Test(arguments: [
    (
      "opentok-start-archive-request.json",
      "it is a request to start an archive, not a recording: give the folder or the .zip of the "
        + "recording."
    ),
    (
      "opentok-stream-classes-request.json",
      "it is a request to set the classes of streams, not a recording: give the folder or the "
        + ".zip of the recording."
    ),
    (
      "jibri-metadata.json",
      "it belongs to a recording of Jibri, which is already mixed: there are no separate "
        + "recordings; its video can be given as a plain file."
    ),
  ])
  func otherDocumentsAreRefusedByTheirKind(name: String, reason: String) throws {
    let source = try SharedManifests.source(name)
    #expect(
      message { _ = try ImporterRegistry.recording(from: source) }
        == "\(name) cannot be read: \(reason)")
  }
}
