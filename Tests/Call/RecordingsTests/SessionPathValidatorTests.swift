import Foundation
import TesseraDocuments
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct SessionPathValidatorTests {
  @Test(arguments: ["../a.webm", "/etc/passwd", "a/../../b"])
  func receivedRecordingsStayInTheirFolder(path: String) throws {
    let session =
      #"{"version": 1, "participants": [{"id": "a", "tracks": [{"file": "\#(path)"}]}]}"#
    let source = RecordingSource.folder(["session.json": session])
    #expect(
      message { _ = try ImporterRegistry.recording(from: source) }?.contains("leads out") == true)
  }

  /// Members of a session file that name PATH, which a recorder or another person has chosen.
  private static let members =
    [
      #""canvas": {"background": "PATH.png"}"#, #""layout": "PATH.css""#,
      #""overlays": [{"image": "PATH.png"}]"#, #""transcripts": [{"file": "PATH.vtt"}]"#,
      #""events": [{"at": 0, "layout": "PATH.json"}]"#,
    ]
    + [
      #""watermark": "PATH.png:height=0.9""#, #""background": "PATH.png""#,
      #""captions": "PATH.srt""#, #""captions-track": ["b.vtt", "PATH.vtt:language=eng"]"#,
      #""theme": "PATH.yaml""#, #""layout": "PATH.css""#,
    ].map { #""outputs": [{"file": "b.mp4", \#($0)}]"# }

  private static func session(_ member: String, _ path: String) -> String {
    let tracks = #"[{"id": "a", "tracks": [{"file": "a.webm"}]}]"#
    return #"{"version": 1, "participants": \#(tracks), "#
      + member.replacing("PATH", with: path) + "}"
  }

  @Test(arguments: members, ["../a", "/etc/a", "x/../../b"])
  func everyFileOfAReceivedRecordingIsInItsFolder(member: String, path: String) throws {
    let text = Self.session(member, path)
    let document = try DocumentValue(text, .json, file: "s.json")
    let recording = try SessionFile.recording(from: document, file: "s.json")
    #expect(recording.pathOutside?.hasPrefix(path) == true)
    let said = message {
      _ = try SessionFile.recording(from: document, file: "s.json", mayLeaveFolder: false)
    }
    #expect(said?.contains("leads out of the folder") == true, "\(said ?? "")")
  }

  @Test(arguments: members) func everyFileMovesWithTheSession(member: String) throws {
    let document = try DocumentValue(Self.session(member, "x/y"), .json, file: "s.json")
    var recording = try SessionFile.recording(from: document, file: "s.json")
    recording.mapPaths { "/away/\($0)" }
    let moved = SessionFile.document(recording).json()
    #expect(moved.contains("\"/away/x/y.") && moved.contains("/away/a.webm"), "\(moved)")
    #expect(!moved.contains("\"x/y"))
  }

  @Test func valuesThatAreNoPathsAreUnchanged() throws {
    let options =
      #"{"file": "b.mp4", "layout": "grid:ratio=1.5", "theme": "light", "captions": "transcript", "#
      + #""captions-track": "transcript:language=eng", "background": "navy", "fps": 29.97, "#
      + #""title": "a/b.c"}"#
    let document = try DocumentValue(
      Self.session(#""outputs": [\#(options)]"#, ""), .json, file: "s.json")
    let recording = try SessionFile.recording(from: document, file: "s.json")
    #expect(recording.paths == ["a.webm"])
  }

  @Test func pathsAreRelativeToTheSessionFile() throws {
    let session =
      "version: 1\nparticipants: [ { id: a, avatar: ./a.png, tracks: [ { file: a.webm } ] } ]"
    let recording = try ImporterRegistry.recording(
      from: .folder(["x/session.yaml": session], media: ["x/a.webm", "x/a.png"]))
    #expect(recording.tracks.map(\.file) == ["x/a.webm"])
    #expect(recording.participants.map(\.avatar) == ["x/a.png"])
  }
}
