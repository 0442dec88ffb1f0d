import Foundation
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

/// Defaults derived from an output's purpose and from the recordings.
@Suite("Purposes and derived frame rates", .timed) struct OutputPresetTests {
  private static func rendition(_ texts: [String: String]) throws -> Rendition {
    var options = RenditionOptions()
    for (name, text) in texts { try options.set(name, [text]) }
    return try options.rendition(of: ImportedCall(.init()), as: .mp4)
  }

  @Test("A purpose decides unset options only")
  func purposes() throws {
    let slides = try Self.rendition(["for": "slides"])
    #expect(slides.findsFrameRate && slides.output.audio.channelCount == 1)
    #expect(slides.output.video.size == PixelSize(width: 1280, height: 720))
    let own = try Self.rendition(["for": "slides", "fps": "25", "crf": "30", "size": "640x360"])
    #expect(!own.findsFrameRate && own.output.video.frameRate == FrameRate("25"))
    #expect(own.output.video.quality == 30 && own.output.video.size.width == 640)
    let archive = try Self.rendition(["for": "archive"])
    #expect(archive.output.video.quality == 18 && archive.output.video.preset == "medium")
    // Another encoder has its own qualities.
    let other = try Self.rendition(["for": "archive", "encoder": "libx265"])
    #expect(other.output.video.quality == nil && other.output.video.preset == nil)
    let small = try Self.rendition(["for": "slides", "encoder": "libsvtav1"])
    #expect(small.output.video.quality == 45 && small.output.video.preset == "10")
    let usual = try Self.rendition([:])
    #expect(usual.output.video.quality == 24 && usual.output.video.frameRate == .thirty)
  }

  @Test(
    "The derived rate is the lowest without lost pictures",
    arguments: [
      ("5", "10"), ("10", "10"), ("12", "12.5"), ("15", "15"), ("24", "24"), ("25", "25"),
      ("30000/1001", "30"), ("60", "30"),
    ])
  func rates(source: String, found: String) throws {
    let folder = try TemporaryFolder()
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=\(source):d=12", "-c:v", "libx264", "-preset",
      "ultrafast", folder.path("a.mkv"),
    ])
    var request = RenditionOptions()
    request.findsFrameRate = true
    let call = CallRequest(try ImportedCall.open([folder.path("a.mkv")]))
    let plan = try Planner.plan(try request.rendition(of: call.input), of: call)
    #expect(plan.output.video.frameRate == FrameRate(found))
  }
}
