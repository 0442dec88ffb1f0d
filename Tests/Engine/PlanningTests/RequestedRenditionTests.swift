import TesseraCodecs
import TesseraLayout
import TesseraPixels
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

@Suite("Renditions of requests", .timed) struct RequestedRenditionTests {
  private func input(_ session: String) throws -> ImportedCall {
    ImportedCall(try SessionFile.recording(from: session, file: "s.yaml"), root: "/calls/17")
  }

  private static let people = "participants: [{id: ada, name: Ada}]"

  @Test("A session file's canvas gives the defaults, which options override")
  func canvas() throws {
    let input = try input(
      """
      version: 1
      canvas: {size: 640x360, fps: 25, background: sky.png}
      \(Self.people)
      """)
    let usual = try RenditionOptions().rendition(of: input)
    #expect(usual.output.video.size == PixelSize(width: 640, height: 360))
    #expect(usual.output.video.frameRate == FrameRate(25))
    #expect(usual.overlays.background == "/calls/17/sky.png")
    var options = RenditionOptions()
    options.size = ProposedSize(width: 320, height: 180)
    options.background = .color(Color(red: 1, green: 2, blue: 3))
    let own = try options.rendition(of: input)
    #expect(own.output.video.size == PixelSize(width: 320, height: 180))
    #expect(own.output.background == Color(red: 1, green: 2, blue: 3))
    #expect(own.overlays.background == nil)
  }

  @Test("A session file's outputs are rendered beside the main output")
  func sessionOutputs() throws {
    let input = try input(
      """
      version: 1
      \(Self.people)
      outputs:
        - {file: mail.mp4, size: 320x180}
        - {file: sound.m4a}
        - {file: small.jpg, at: 5}
      """)
    let request = RenderRequest("session.yaml", to: "/out/call.mp4")
    let outputs = try request.outputs(with: input, in: "/out/")
    let found = try request.renditions(for: outputs, of: input)
    #expect(
      outputs.flatMap(\.targets) == [
        .file("/out/call.mp4"), .file("/out/mail.mp4"), .file("/out/sound.m4a"),
      ])
    #expect(
      found.map(\.output.video.size) == [
        PixelSize(width: 1920, height: 1080), PixelSize(width: 320, height: 180),
        PixelSize(width: 1920, height: 1080),
      ])
    #expect(found.map(\.hasPictures) == [true, true, false])
    #expect(outputs.filter(\.isStill).map(\.destination) == ["/out/small.jpg"])
  }

  @Test("A folder for HTTP Live Streaming has a rendition for each size, with one aspect ratio")
  func rungs() throws {
    var request = RenderRequest(["call"], to: [.stream("/out/web", [720, 360])])
    request.outputDefaults.gap = 8
    let input = try input("version: 1\n\(Self.people)")
    let found = try request.renditions(for: request.outputs, of: input)
    #expect(
      request.outputs.flatMap(\.targets) == [
        .rung("720p", of: "/out/web"), .rung("360p", of: "/out/web"),
      ])
    #expect(
      found.map(\.output.video.size) == [
        PixelSize(width: 1280, height: 720), PixelSize(width: 640, height: 360),
      ])
    #expect(found.map(\.gap) == [5, 3])
  }

  @Test("Each kind of file has its default encoders")
  func encoders() throws {
    let request = RenderRequest(
      ["call"], to: [.file("a.mp4"), .file("b.webm"), .file("c.opus"), .file("d.wav")])
    let found = try request.renditions(
      for: request.outputs, of: try input("version: 1\n\(Self.people)"))
    #expect(
      found.map(\.output.video.encoder).prefix(2) == ["libx264", "libvpx-vp9"])
    #expect(found.map(\.output.audio.codec) == [.aac, .opus, .opus, .pcm])
  }

  @Test("A name with an unknown extension is refused")
  func endings() throws {
    let request = RenderRequest(["call"], to: [.file("a.mp4"), .file("b.xyz")])
    let input = try input("version: 1\n\(Self.people)")
    #expect(throws: RenderError.self) {
      try request.renditions(for: request.outputs, of: input)
    }
  }
}
