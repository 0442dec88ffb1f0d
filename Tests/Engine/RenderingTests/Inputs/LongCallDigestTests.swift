import Foundation
import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// A small change of a long call affects few segments.
@Suite(.timed) struct LongCallDigestTests {
  private static let minutes = 20

  /// Ada for the whole call, and Bob for the minute after the tenth.
  private static let folder = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=20", "-c:v", "libx264", "-preset", "ultrafast",
      "-g", "10", "-sc_threshold", "0", folder.path("short.mkv"),
    ])
    for (name, count) in [("ada", 3 * minutes), ("longer", 3 * minutes + 1), ("bob", 3)] {
      try Tool.ffmpeg([
        "-stream_loop", "\(count - 1)", "-i", folder.path("short.mkv"), "-c", "copy",
        folder.path("\(name).mkv"),
      ])
    }
    return folder
  }

  private static func digests(
    ada: String = "ada.mkv", _ change: (inout RenditionRequest) -> Void = { _ in }
  ) throws -> [String] {
    var bob = Track(id: "b", file: "bob.mkv")
    bob.start = MediaTime(seconds: 30 * minutes)
    let recording = Recording(
      participants: [
        Participant(id: "ada", name: "Ada", tracks: [Track(id: "a", file: ada)]),
        Participant(id: "bob", name: "Bob", tracks: [bob]),
      ], events: [])
    let video = VideoEncoderSettings(
      size: PixelSize(width: 64, height: 36), frameRate: FrameRate("5") ?? .thirty)
    var request = RenditionRequest(
      ImportedCall(recording, root: try folder.get().path), output: OutputFormat(video: video),
      layout: try LayoutCatalog.policy("grid"))
    request.call.speakerSource = .none
    request.rendition.overlays.captions = (0..<5).map { number in
      CaptionCue(
        from: MediaTime(seconds: 200 * number), to: MediaTime(seconds: 200 * number + 4),
        lines: ["\(number)"])
    }
    change(&request)
    return RenditionPlan(try request.plan()).digests
  }

  private static let base = Result { try digests() }

  /// Returns the segments whose digests differ from `other`.
  private static func changed(_ other: [String]) throws -> [Int] {
    let base = try base.get()
    return other.indices.filter { !base.indices.contains($0) || base[$0] != other[$0] }
  }

  @Test func aNameChangeFromTheMiddleOn() throws {
    let count = try Self.base.get().count
    let changed = try Self.changed(
      Self.digests {
        $0.call.input.recording.events = [
          CallEvent(MediaTime(seconds: 30 * Self.minutes), .renamed("ada", to: "Ada L."))
        ]
      })
    #expect(count > 100 / 2 && changed.last == count - 1)
    #expect(try #require(changed.first) >= count / 2 - 2)
  }

  @Test func oneCaption() throws {
    let changed = try Self.changed(
      Self.digests { $0.rendition.overlays.captions[3].lines = ["Other words"] })
    #expect((1...3).contains(changed.count), "\(changed)")
  }

  @Test func oneOffset() throws {
    let changed = try Self.changed(
      Self.digests {
        $0.call.input.recording.participants[1].tracks[0].start.nanoseconds += 1_000_000_000
      })
    // A participant who is present for a minute is in seven segments of ten seconds.
    #expect((1...9).contains(changed.count), "\(changed)")
  }

  @Test func aLongerRecording() throws {
    let other = try Self.digests(ada: "longer.mkv")
    let (base, changed) = (try Self.base.get(), try Self.changed(other))
    let fresh = other.count - base.count
    // The last segments are cut in other places.
    #expect((1...fresh + 3).contains(changed.count), "\(changed) of \(other.count)")
  }

  @Test func titlesAndChaptersChangeNoSegment() throws {
    let changed = try Self.changed(
      Self.digests {
        $0.rendition.output.title = "Another"
        $0.rendition.hasChapters = false
        $0.rendition.output.audio.bitRate = 64_000
      })
    #expect(changed.isEmpty)
  }
}
