import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline
import TestSupport
import Testing

/// The time for which a picture is held without a new one. The recordings have 2 s of pictures, the
/// last one in frame 19, and 9 s of sound.
@Suite(.timed) struct HeldPictureTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let standing = try RecordingFolders.path("standing")
    for name in try FileManager.default.contentsOfDirectory(atPath: standing) {
      try FileManager.default.copyItem(atPath: "\(standing)/\(name)", toPath: folder.path(name))
    }
    // Pictures for 2 s and from 8 s on, 6 s between them.
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=9", "-vf", "select='lt(t,2)+gte(t,8)'",
      "-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast",
      folder.path("hole.mkv"),
    ])
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=9", "-c:v", "libx264", "-preset", "ultrafast",
      folder.path("whole.mkv"),
    ])
  }

  /// Returns the plan of one participant with `tracks`, at 10 frames/s.
  private func plan(_ tracks: String, freezeAfter: Int? = nil) throws -> Plan {
    let path = folder.path("one.yaml")
    let session = "version: 1\nparticipants: [ { id: ada, tracks: [ \(tracks) ] } ]\n"
    try Data(session.utf8).write(to: URL(fileURLWithPath: path))
    let video = VideoEncoderSettings(
      size: PixelSize(width: 64, height: 36), frameRate: try #require(FrameRate(10)))
    var request = RenditionRequest(
      try ImportedCall.open([path], unpackFolder: folder.path("w")),
      output: OutputFormat(video: video))
    request.rendition.freezeAfter = freezeAfter.map { MediaTime(seconds: $0) }
    return try request.plan()
  }

  /// The content of a tile from a frame on: the number of a track, or `nil` for a card.
  private struct VisibleOverlay: Equatable {
    var frame: Int
    var track: Int?
  }

  private func contents(_ plan: Plan) -> [VisibleOverlay] {
    plan.slots[0].contents.all.compactMap { change in
      switch change.value {
      case .nothing: nil
      case .track(let id):
        VisibleOverlay(frame: change.frame, track: plan.tracks.firstIndex { $0.id == id })
      case .card, .still: VisibleOverlay(frame: change.frame, track: nil)
      }
    }
  }

  @Test(
    "A picture is held for --freeze-after while its recording continues, then the card follows",
    arguments: [
      // A camera: 5 s by default; 0 holds until the recording's end.
      ("{ file: ada.webm, kind: camera }", nil, 69), ("{ file: ada.webm, kind: camera }", 2, 39),
      ("{ file: ada.webm, kind: camera }", 0, nil),
      // The camera's sound may be in another file that starts with it, but not in one that starts
      // later.
      ("{ file: ben-camera.webm, kind: camera }, { file: ben-mic.ogg, kind: microphone }", nil, 69),
      ("{ file: ben-camera.webm, kind: camera }, { file: ben-mic.ogg, kind: microphone }", 0, nil),
      (
        "{ file: ben-camera.webm, kind: camera }, { file: ben-mic.ogg, kind: microphone, start: 1 }",
        nil, 20
      ),
      // A recording does not continue past its `out` point.
      (
        "{ file: ada.webm, kind: camera, out: 2 }, { file: ben-mic.ogg, kind: microphone, start: 1 }",
        nil, 20
      ),
      // A plain file with pictures and sound is held to its end by default.
      ("{ file: ada.webm }", nil, nil), ("{ file: ada.webm }", 2, 39),
      ("{ file: ada.webm }", 0, nil),
      // A gap in the middle: the last picture before it is also picture 19.
      ("{ file: hole.mkv, kind: camera }", nil, 69), ("{ file: hole.mkv, kind: camera }", 0, nil),
      ("{ file: hole.mkv }", nil, nil), ("{ file: hole.mkv }", 1, 29),
      ("{ file: hole.mkv }", 0, nil),
    ] as [(String, Int?, Int?)])
  func hold(tracks: String, freezeAfter: Int?, card: Int?) throws {
    let contents = self.contents(try plan(tracks, freezeAfter: freezeAfter))
    #expect(contents.first == VisibleOverlay(frame: 0, track: 0))
    #expect(contents.first { $0.track == nil }?.frame == card)
  }

  @Test("A screen is shown for as long as its sound continues", arguments: [nil, 0, 1])
  func screen(freezeAfter: Int?) throws {
    let plan = try plan("{ file: slides.webm, kind: screen }", freezeAfter: freezeAfter)
    let screen = try #require(plan.slots.first { $0.kind == .screen })
    #expect(screen.presence == [0..<90] && screen.contents.all.count == 1)
  }

  @Test("A moving picture takes precedence over a held one")
  func overlap() throws {
    let plan = try plan(
      "{ file: whole.mkv, kind: camera }, { file: ada.webm, kind: camera, start: 1 }")
    #expect(
      contents(plan) == [
        VisibleOverlay(frame: 0, track: 0), VisibleOverlay(frame: 10, track: 1),
        VisibleOverlay(frame: 30, track: 0),
        VisibleOverlay(frame: 90, track: nil),
      ])
  }

  @Test("A cut-out part is not shown across a short absence", arguments: ["out: 2", "stop: 2"])
  func cutOut(end: String) throws {
    let plan = try plan(
      "{ file: cyd.webm, kind: camera, \(end) }, { file: ada.webm, kind: camera, start: 5 }")
    #expect(
      contents(plan).prefix(2) == [
        VisibleOverlay(frame: 0, track: 0), VisibleOverlay(frame: 50, track: 1),
      ])
    let whole = Rendered(plan, frames: 0..<50)
    #expect((20..<50).allSatisfy { whole.digests[$0] == whole.digests[19] })
    // The start of rendering does not matter.
    #expect(Rendered(plan, frames: 30..<31).digests[30] == whole.digests[30])
    #expect(whole.reports.allSatisfy { $0.isWhole })
  }

  @Test("Pictures with equal times, and a rate that does not divide the output's, are no loss")
  func equalTimes() throws {
    try Tool.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", folder.path("raw.y4m")])
    for name in ["equal.mkv", "raw.y4m"] {
      let plan = try plan("{ file: \(name) }")
      let reports = Rendered(plan, frames: 0..<plan.frameCount).reports
      #expect(plan.losses.isEmpty && reports.map(\.losses) == [[]], "\(name)")
    }
  }
}
