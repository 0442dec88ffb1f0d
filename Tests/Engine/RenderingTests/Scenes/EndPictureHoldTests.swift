import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

/// Both ends of a call of plain files: cameras of 4 s without sound, and longer microphones, at 10
/// frames/s.
@Suite("Pictures at the ends of a call", .timed) struct EndPictureHoldTests {
  private static let cameras = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    func black(_ times: String) -> String { "drawbox=t=fill:color=black:enable='\(times)'" }
    for (name, filter) in [
      ("camera", "null"), ("dark-first", black("lt(t,0.5)")), ("dark-last", black("gt(t,3.5)")),
    ] {
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=4", "-vf", filter, "-c:v", "libx264",
        "-preset", "ultrafast", folder.path("\(name).mp4"),
      ])
    }
    // The file's own sound begins 1 s before its pictures.
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "sine=d=5", "-itsoffset", "1", "-i", folder.path("camera.mp4"), "-c:v",
      "copy", "-c:a", "pcm_s16le", folder.path("late.mkv"),
    ])
    for length in [7, 8, 15, 30] {
      try Tool.ffmpeg(["-f", "lavfi", "-i", "sine=d=\(length)", folder.path("\(length).wav")])
    }
    return folder
  }

  /// A file of the call: its name there, its source file, and its start in seconds.
  private typealias File = (name: String, file: String, start: Int)

  private static let mic: File = ("ada-mic.wav", "7.wav", 0)

  private func plan(
    _ files: [File], session: String? = nil, freezeAfter: Int? = nil
  ) throws -> (plan: Plan, folder: TemporaryFolder) {
    let (cameras, folder) = (try Self.cameras.get(), try TemporaryFolder())
    for file in files {
      try FileManager.default.createDirectory(
        atPath: folder.path("call"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: cameras.path(file.file), toPath: folder.path("call/\(file.name)"))
    }
    var path = folder.path("call")
    if let session {
      path = folder.path("call/session.yaml")
      try Data("version: 1\n\(session)\n".utf8).write(to: URL(fileURLWithPath: path))
    }
    let video = VideoEncoderSettings(
      size: PixelSize(width: 64, height: 36), frameRate: try #require(FrameRate(10)))
    var request = RenditionRequest(
      try ImportedCall.open([path], unpackFolder: folder.path("w")),
      output: OutputFormat(video: video))
    if session == nil {
      request.call.offsets = files.map {
        PersonOffset(person: $0.name, time: MediaTime(seconds: $0.start))
      }
    }
    request.rendition.freezeAfter = freezeAfter.map { MediaTime(seconds: $0) }
    return (try request.plan(), folder)
  }

  /// Returns the contents of the first tile while it is present: `p10 c5` for a picture of ten
  /// frames, then a card of five.
  private func contents(_ plan: Plan) -> String {
    let slot = plan.slots[0]
    var runs: [(kind: String, count: Int)] = []
    for frame in slot.presence.flatMap({ $0 }) {
      let kind =
        switch slot.contents[frame] {
        case .track: "p"
        case .card: "c"
        default: "-"
        }
      if runs.last?.kind == kind {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((kind, 1))
      }
    }
    return runs.map { "\($0.kind)\($0.count)" }.joined(separator: " ")
  }

  @Test(
    "The nearest picture is held for 3 s, or for --freeze-after if that is shorter",
    arguments: [
      (1, "7.wav", nil, "p70"), (1, "7.wav", 0, "p70"), (1, "7.wav", 1, "p60 c10"),
      (1, "7.wav", 60, "p70"), (5, "15.wav", nil, "c20 p100 c30"), (5, "15.wav", 1, "c40 p60 c50"),
    ] as [(Int, String, Int?, String)])
  func lengths(start: Int, mic: String, freezeAfter: Int?, expected: String) throws {
    let (plan, _) = try plan(
      [("ada-camera.mp4", "camera.mp4", start), ("ada-mic.wav", mic, 0)], freezeAfter: freezeAfter)
    #expect(contents(plan) == expected)
  }

  @Test(
    "No black picture is held, none beside other pictures, and none within a file",
    arguments: [
      ([("ada-camera.mp4", "dark-first.mp4", 1)], "c10 p60"),
      ([("ada-camera.mp4", "dark-last.mp4", 1)], "p50 c20"),
      ([("ada-camera.mp4", "camera.mp4", 1), ("ada-screen.mp4", "camera.mp4", 2)], "c10 p40 c20"),
      ([("ada-camera.mkv", "late.mkv", 0)], "c10 p60"),
    ] as [([(String, String, Int)], String)])
  func exceptions(files: [(String, String, Int)], expected: String) throws {
    let (plan, _) = try plan(files.map { ($0.0, $0.1, $0.2) } + [Self.mic])
    #expect(contents(plan) == expected)
  }

  @Test(
    "Pictures are held only at the ends of the call",
    arguments: [("8.wav", "p70"), ("30.wav", "p50 c20")])
  func ends(other: String, expected: String) throws {
    let (plan, _) = try plan([
      ("ada-camera.mp4", "camera.mp4", 1), Self.mic, ("ben-mic.wav", other, 0),
    ])
    #expect(contents(plan) == expected)
  }

  @Test(
    "Recorders, and sessions that turn the camera off and on, override the hold",
    arguments: [
      ("", "", "c10 p40 c20"), ("name-source: its file's name,", "", "p70"),
      (
        "name-source: its file's name,",
        "events: [{ at: 2, participant: ada, camera: off }, { at: 3, participant: ada, camera: on }]",
        "c10 p10 c10 p20 c20"
      ),
    ])
  func sessions(source: String, events: String, expected: String) throws {
    let session = """
      participants:
        - { id: ada, \(source) tracks: [ { file: ada-camera.mp4, kind: camera, start: 1 },
              { file: ada-mic.wav, kind: microphone } ] }
      \(events)
      """
    let (plan, _) = try plan(
      [("ada-camera.mp4", "camera.mp4", 1), Self.mic], session: session)
    #expect(contents(plan) == expected)
  }

  @Test("The held pictures are the first and the last one, for any start of rendering")
  func pictures() throws {
    let (plan, folder) = try plan([("ada-camera.mp4", "camera.mp4", 1), Self.mic])
    let whole = Rendered(plan, frames: 0..<70)
    #expect((0..<10).allSatisfy { whole.digests[$0] == whole.digests[10] })
    #expect((50..<70).allSatisfy { whole.digests[$0] == whole.digests[49] })
    #expect(whole.digests[10] != whole.digests[11])
    for frame in [4, 9, 11, 60] {
      #expect(Rendered(plan, frames: frame..<frame + 1).digests[frame] == whole.digests[frame])
    }
    #expect(whole.reports.allSatisfy { $0.isWhole })
    _ = folder
  }
}
