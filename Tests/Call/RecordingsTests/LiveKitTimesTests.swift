import TesseraDocuments
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraRecordings

/// The start times of LiveKit's files, which differ from the times of the requests.
@Suite("LiveKit's times", .timed) struct LiveKitTimesTests {
  private static func manifest(_ id: String, _ who: String, _ start: Int, _ end: Int) -> String {
    """
    {"egress_id": "\(id)", "room_name": "standup", "started_at": \(start)000000000,
      "ended_at": \(end)000000000, "publisher_identity": "\(who)", "track_id": "TR_\(who)",
      "files": [{"filename": "standup/\(who).webm"}]}
    """
  }

  private static let manifests = [
    "EG_a.json": manifest("EG_a", "ada", 1_760_000_000, 1_760_000_306),
    "EG_b.json": manifest("EG_b", "ben", 1_760_000_299, 1_760_000_306),
  ]

  private static func info(_ id: String, _ file: String, _ start: String, _ end: String) -> String {
    """
    {"egressId": "\(id)", "roomName": "standup", "startedAt": "1760000000000000000",
      "fileResults": [{"filename": "x/\(file)", "startedAt": "\(start)", "endedAt": "\(end)"}]}
    """
  }

  @Test(
    "The server's times are used, in each form of the document",
    arguments: [
      "[A, B]", "{\"items\": [A, B]}", "{\"event\": \"egress_ended\", \"egressInfo\": A}",
    ])
  func egressInfo(form: String) throws {
    let text = form.replacing(
      "A", with: Self.info("EG_a", "ada.webm", "1760000300000000000", "1760000306000000000")
    ).replacing(
      "B", with: Self.info("EG_b", "ben.webm", "1760000300500000000", "1760000306000000000"))
    var files = Self.manifests
    files["egress.json"] = text
    let recording = try ImporterRegistry.recording(
      from: .folder(files, media: ["standup/ada.webm", "standup/ben.webm"]))
    let ben = form.contains("B") ? "0.500-6.000" : "0.000-7.000"
    let ada = form.contains("B") ? "0.000-6.000" : "1.000-7.000"
    #expect(
      recording.lines == [
        "ada: media standup/ada.webm \(ada)", "ben: media standup/ben.webm \(ben)",
      ])
    #expect(!recording.notes.contains { $0.contains("placed by the end") })
  }

  @Test("The server's document alone suffices, with names from webhooks")
  func withoutManifests() throws {
    let list = """
      [{"egress_id": "EG_1", "room_name": "standup", "track": {"track_id": "TR_1"},
        "file_results": [{"filename": "cam.webm", "started_at": 1760000000250000000}]},
       {"egressId": "EG_2", "participant": {"identity": "ben"},
        "fileResults": [{"filename": "ben.mp4", "startedAt": "1760000001000000000"}]},
       {"egressId": "EG_3", "roomComposite": {"layout": "grid"},
        "fileResults": [{"filename": "all.mp4", "startedAt": "1760000000000000000"}]},
       {"event": "track_published", "participant": {"identity": "ada", "name": "Ada"},
        "track": {"sid": "TR_1", "source": "SCREEN_SHARE"}},
       {"event": "participant_joined", "participant": {"identity": "ben", "name": "Ben L."}}]
      """
    let recording = try ImporterRegistry.recording(
      from: .folder(["egress.json": list], media: ["cam.webm", "ben.mp4", "all.mp4"]))
    #expect(
      recording.lines == [
        "Ada: screen cam.webm 0.000-end", "Ben L.: media ben.mp4 0.750-end",
      ])
    #expect(recording.leftOut.contains("all.mp4"))
  }

  @Test("Without the document a file is placed by its end, with a note on the uncertainty")
  func byTheEnd() throws {
    var source = RecordingSource.folder(
      Self.manifests, media: ["standup/ada.webm", "standup/ben.webm"])
    source.spans = {
      $0.map { _ in RecordingSource.ContainerInfo(duration: MediaTime(seconds: 6)) }
    }
    let recording = try ImporterRegistry.recording(from: source)
    #expect(
      recording.lines == [
        "ada: media standup/ada.webm 0.000-6.000", "ben: media standup/ben.webm 0.000-6.000",
      ])
    #expect(
      recording.notes.contains {
        $0.contains("up to 5:00.0 earlier") && $0.contains("--align sound")
      },
      "\(recording.notes)")
  }

  @Test(
    "An invalid LiveKit time is an error",
    arguments: [
      "{\"egressId\": \"EG_a\", \"fileResults\": [{\"filename\": \"a\", \"startedAt\": \"soon\"}]}",
      "{\"egressId\": \"EG_a\", \"fileResults\": [{\"filename\": \"a\", \"startedAt\": \"99999999999999999999\"}]}",
    ])
  func wrong(text: String) throws {
    var files = Self.manifests
    files["egress.json"] = text
    let error = #expect(throws: DocumentError.self) {
      try ImporterRegistry.recording(from: .folder(files, media: ["standup/ada.webm"]))
    }
    #expect(error?.file == "egress.json", "\(String(describing: error))")
  }
}
