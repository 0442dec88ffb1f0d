import Foundation
import TesseraSystem
import TestSupport
import Testing

/// Renders with a decoder that was taken over.
@Suite struct HostileDecoderTests {
  /// The library that takes over a decoder, compiled here.
  private static let library = Result { () throws -> (TemporaryFolder, String) in
    let folder = try TemporaryFolder()
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "HostileDecoder/hostile_decoder.c").path
    let flags = try Tool.run("pkg-config", ["--cflags", "libavcodec"]).text
      .split { $0 == " " || $0.isNewline }.map(String.init)
    let path = folder.path("hostile.so")
    let result = try Tool.run(
      "cc",
      ["-shared", "-fPIC", "-O1", "-w", "-o", path, source, "-ldl"]
        + flags)
    guard result.status == 0 else { throw Failure(messages: result.messages) }
    return (folder, path)
  }

  private struct Failure: Error { var messages: String }

  /// Renders a call of which one recording has a decoder that does `deed` after a hundred frames.
  private func render(
    _ deed: String, in folder: TemporaryFolder, _ more: [String] = []
  ) throws -> Tool.Result {
    let library = try Self.library.get().1
    let clip = folder.path("good.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=30:d=8", "-c:v", "libx264", "-preset",
      "ultrafast", clip,
    ])
    let bad = try TesseraTool.makeClip(folder, "bad.webm", seconds: 8)
    return try Tool.run(
      "env",
      [
        "LD_PRELOAD=\(library)", "TESSERA_HOSTILE_CODEC=vp8", "TESSERA_HOSTILE_PACKET=100",
        "TESSERA_HOSTILE_DEED=\(deed)", "TESSERA_HOSTILE_TRACE=\(folder.path("trace"))",
        TesseraTool.path, "render", clip, bad, "-o", folder.path("out.mp4"), "--size", "160x96",
        "--progress", "none",
      ] + more)
  }

  @Test(
    "A decoder that crashes, or calls the network or a program, is stopped and blamed",
    .enabled(if: Sandbox.available.calls), arguments: ["segv", "connect", "exec"])
  func blamed(deed: String) throws {
    let folder = try TemporaryFolder()
    let result = try render(deed, in: folder)
    #expect(result.status == 3, "\(result)")
    #expect(result.messages.contains("bad.webm: decoding it brought its worker down"), "\(result)")
    #expect(!result.messages.contains("good.mp4"), "\(result)")
    #expect(try Probed(folder.path("out.mp4")).video?.nb_frames == "240")
  }

  @Test(
    "A decoder that opens a file gets none", .enabled(if: Sandbox.available.files > 0))
  func open() throws {
    let folder = try TemporaryFolder()
    let result = try render("open", in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(!folder.names.contains("trace"))
  }

  @Test("What kills its worker without a word fails the render, which keeps what is finished")
  func killed() throws {
    let folder = try TemporaryFolder()
    let result = try render("kill", in: folder, ["--jobs", "1"])
    #expect(result.status == 1, "\(result)")
    #expect(result.messages.contains("died twice"), "\(result)")
    #expect(!folder.names.contains("out.mp4"))
    #expect(folder.names.contains("out.mp4.tessera"))
  }
}
