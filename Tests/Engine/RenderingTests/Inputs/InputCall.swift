import Foundation
import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraRecordings
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// A call of 22 s at 5 frames/s in two segments, with everything that can be drawn. The segment
/// boundary is near the middle, and a camera is turned off shortly before.
struct InputCall {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (index, name) in ["ada.mkv", "bob.mkv"].enumerated() {
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=\(22 - index)", "-f", "lavfi", "-i",
        "sine=frequency=\(300 + 200 * index):duration=\(22 - index)", "-c:v", "libx264", "-preset",
        "ultrafast", "-g", "10", "-c:a", "libopus", "-vf", "hue=h=\(90 * index)", folder.path(name),
      ])
    }
    try still("red")
  }

  /// Writes Eve's still picture.
  func still(_ color: String) throws {
    try Tool.ffmpeg([
      "-y", "-f", "lavfi", "-i", "color=\(color):s=32x32", "-frames:v", "1", folder.path("eve.png"),
    ])
  }

  var recording: Recording {
    var eve = TesseraRecordings.Track(id: "eve", file: "eve.png", kind: .still)
    eve.stop = MediaTime(seconds: 22)
    return Recording(
      participants: [
        Participant(id: "ada", name: "Ada", tracks: [Track(id: "a", file: "ada.mkv")]),
        Participant(id: "bob", name: "Bob", tracks: [Track(id: "b", file: "bob.mkv")]),
        Participant(id: "eve", name: "Eve", tracks: [eve]),
      ],
      events: [
        CallEvent(MediaTime(seconds: 2), .speaking("ada")),
        CallEvent(MediaTime(seconds: 4), .disabled("bob", .microphone)),
        CallEvent(MediaTime(seconds: 5), .speaking("bob")),
        CallEvent(MediaTime(nanoseconds: 9_600_000_000), .disabled("ada", .camera)),
        CallEvent(MediaTime(seconds: 14), .enabled("ada", .camera)),
        CallEvent(MediaTime(seconds: 15), .left("eve")),
        CallEvent(MediaTime(seconds: 16), .renamed("bob", to: "Robert")),
      ])
  }

  func request(_ recording: Recording? = nil) throws -> RenditionRequest {
    let video = VideoEncoderSettings(
      size: PixelSize(width: 160, height: 96), frameRate: FrameRate("5") ?? .thirty)
    var request = RenditionRequest(
      ImportedCall(recording ?? self.recording, root: folder.path),
      output: OutputFormat(video: video), layout: try LayoutCatalog.policy("grid"))
    request.call.speakerSource = .events
    request.rendition.transition = LayoutTransition(duration: MediaTime(seconds: 1))
    request.rendition.overlays.clock = .call
    request.rendition.overlays.captions = [
      CaptionCue(from: MediaTime(seconds: 17), to: MediaTime(seconds: 18), lines: ["So."])
    ]
    return request
  }

  func plan(_ request: RenditionRequest) throws -> Plan { try request.plan() }
}

extension Plan {
  /// Returns the digest of each segment's input, for all frames that are encoded for it.
  func inputs(_ segments: [Range<Int>]) -> [[UInt8]] {
    var inputs = SegmentInputBuilder(self)
    return segments.map { segment in
      let bytes = CanonicalBytes()
      bytes.append(inputs.input(for: FrameSelection(segment)))
      return bytes.bytes
    }
  }

  /// The frames that are encoded for each segment.
  var encodedSegments: [Range<Int>] {
    let work = RenditionPlan(self)
    return work.segments.indices.map(work.encodedFrames)
  }
}
