import Foundation
import TesseraSystem
import TestSupport
import Testing

/// Renders with a decoder under an attacker's control.
@Suite(.timed) struct HostileDecoderTests {
  /// The library that replaces a decoder's behavior, compiled here.
  private static let library = Result { () throws -> (TemporaryFolder, String) in
    let folder = try TemporaryFolder()
    let source = SourceTree.path("Tests/Support/HostileDecoder/hostile_decoder.c")
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

  /// Renders a call with one recording whose decoder does `deed` after `count` frames.
  private func render(
    _ deed: String, codec: String = "vp8", after count: Int = 100, in folder: TemporaryFolder,
    _ more: [String] = []
  ) throws -> Tool.Result {
    let clip = folder.path("good.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=30:d=8", "-c:v", "libx264", "-preset",
      "ultrafast", clip,
    ])
    let bad = try TesseraTool.makeClip(folder, "bad.webm", seconds: 8)
    return try run(
      deed, codec: codec, after: count, in: folder,
      [
        "render", clip, bad, "-o", folder.path("out.mp4"), "--size", "160x96", "--progress", "none",
      ] + more)
  }

  /// Runs `tessera` with the hostile decoder.
  private func run(
    _ deed: String, codec: String = "vp8", after count: Int = 0, in folder: TemporaryFolder,
    _ arguments: [String]
  ) throws -> Tool.Result {
    try Tool.run(
      "env",
      [
        "LD_PRELOAD=\(try Self.library.get().1)", "TESSERA_HOSTILE_CODEC=\(codec)",
        "TESSERA_HOSTILE_PACKET=\(count)", "TESSERA_HOSTILE_DEED=\(deed)",
        "TESSERA_HOSTILE_TRACE=\(folder.path("trace"))", TesseraTool.path,
      ] + arguments)
  }

  @Test("A decoder crash during inspect ends a worker and is reported")
  func inspecting() throws {
    let folder = try TemporaryFolder()
    let bad = try TesseraTool.makeClip(folder, "bad.webm")
    let result = try run("segv", in: folder, ["inspect", bad])
    #expect(result.status == 1, "\(result)")
    #expect(
      result.messages.contains("bad.webm: reading it crashed a worker (signal "), "\(result)"
    )
  }

  @Test("A decoder crash during drawing loses the tile only")
  func drawing() throws {
    let folder = try TemporaryFolder()
    let bad = try TesseraTool.makeClip(folder, "bad.webm", seconds: 3)
    let picture = folder.path("frame.png")
    let result = try run(
      "segv", after: 20, in: folder,
      ["preview", bad, "--at", "1.9", "-o", picture, "--size", "160x96"])
    #expect(result.status == 3, "\(result)")
    #expect(result.messages.contains("bad.webm: decoding it crashed workers"), "\(result)")
    #expect(FileManager.default.fileExists(atPath: picture))
  }

  @Test("A decoder crash on a still picture ends a worker and is reported")
  func stillPicture() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let mark = folder.path("mark.png")
    try Tool.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=32x32", "-frames:v", "1", mark])
    let result = try run(
      "segv", codec: "png", in: folder,
      ["render", clip, "--watermark", mark, "-o", folder.path("out.mp4"), "--size", "160x96"])
    #expect(result.status == 2, "\(result)")
    #expect(result.messages.contains("\(mark) (reading it crashed a worker"), "\(result)")
  }

  @Test(
    "A decoder that crashes, opens a connection or runs a program is stopped and blamed",
    .enabled(if: Sandbox.available.calls), arguments: ["segv", "connect", "exec"])
  func blamed(deed: String) throws {
    let folder = try TemporaryFolder()
    let result = try render(deed, in: folder)
    #expect(result.status == 3, "\(result)")
    #expect(result.messages.contains("bad.webm: decoding it crashed workers"), "\(result)")
    #expect(!result.messages.contains("good.mp4"), "\(result)")
    #expect(try Probed(folder.path("out.mp4")).video?.nb_frames == "240")
  }

  @Test("Of several outputs, one without the crashing recording equals a separate render")
  func severalOutputs() throws {
    let folder = try TemporaryFolder()
    let result = try render(
      "segv", in: folder,
      [
        "--also", folder.path("rest.mkv") + ":only=good,fps=15", "--also",
        folder.path("small.mp4") + ":size=96x160",
      ])
    #expect(result.status == 3, "\(result)")
    #expect(result.messages.contains("bad.webm: decoding it crashed workers"), "\(result)")
    for name in ["out.mp4", "small.mp4"] {
      #expect(try Probed(folder.path(name)).video?.nb_frames == "240", "\(name)")
    }
    let alone = try TesseraTool.run([
      "render", folder.path("good.mp4"), folder.path("bad.webm"), "-o", folder.path("alone.mkv"),
      "--size", "160x96", "--progress", "none", "--only", "good", "--fps", "15",
    ])
    #expect(alone.status == 0, "\(alone)")
    let files = ["rest.mkv", "alone.mkv"].map {
      FileManager.default.contents(atPath: folder.path($0))
    }
    #expect(files[0] != nil && files[0] == files[1])
  }

  @Test(
    "A decoder cannot open files", .enabled(if: Sandbox.available.files > 0))
  func open() throws {
    let folder = try TemporaryFolder()
    let result = try render("open", in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(!folder.names.contains("trace"))
  }

  @Test(
    "A decoder crash while a file is probed loses that file only",
    .enabled(if: Sandbox.available.calls), arguments: ["segv", "abort", "connect"])
  func probing(deed: String) throws {
    let folder = try TemporaryFolder()
    let result = try render(deed, after: 0, in: folder)
    #expect(result.status == 3, "\(result)")
    #expect(
      result.messages.contains("bad.webm: reading it crashed a worker (signal "), "\(result)"
    )
    #expect(!result.messages.contains("good.mp4"), "\(result)")
    #expect(try Probed(folder.path("out.mp4")).video?.nb_frames == "240")
    #expect(folder.names == ["bad.webm", "good.mp4", "out.mp4"])
  }

  @Test(
    "A decoder crash during speech detection or mixing ends the voice there",
    arguments: ["on", "off"])
  func sound(highlight: String) throws {
    let folder = try TemporaryFolder()
    let report = folder.path("report.json")
    // Without a highlight, no voice is decoded before the mix.
    let result = try render(
      "segv", codec: "opus", after: 200, in: folder,
      ["--highlight-speaker", highlight, "--report", report])
    #expect(result.status == 3, "\(result)")
    #expect(result.messages.contains("bad.webm: decoding it crashed workers"), "\(result)")
    #expect(!result.messages.contains("good.mp4"), "\(result)")
    struct Report: Decodable {
      struct Input: Decodable { var losses: [Loss] }
      struct Loss: Decodable {
        var code: String
        var from, to: Double?
      }
      var inputs: [Input]
    }
    let written = try JSONDecoder().decode(
      Report.self, from: Data(contentsOf: URL(fileURLWithPath: report)))
    let losses = written.inputs.flatMap(\.losses)
    let loss = try #require(losses.first)
    #expect(losses.count == 1 && loss.code == "crash")
    // Packet 200 is played at 4 s.
    let from = try #require(loss.from)
    #expect((2...4).contains(from) && abs((loss.to ?? 0) - 8) < 0.1)
    let probed = try Probed(folder.path("out.mp4"))
    #expect(probed.video?.nb_frames == "240" && probed.audio != nil)
    #expect(try peak(folder.path("out.mp4"), from: 1, to: from - 0.1) > -30)
    #expect(try peak(folder.path("out.mp4"), from: 5, to: 7) < -80)
  }

  /// Returns the peak of a part of a file's sound in dBFS.
  private func peak(_ path: String, from: Double, to: Double) throws -> Double {
    let result = try Tool.run(
      "ffmpeg",
      ["-ss", "\(from)", "-to", "\(to)", "-i", path, "-af", "volumedetect", "-f", "null", "-"])
    let line = result.messages.split(separator: "\n").first { $0.contains("max_volume:") }
    let words = line?.split(separator: " ") ?? []
    return try #require(words.dropLast().last.flatMap { Double($0) })
  }

  @Test("A reader that dies silently is reported, and nothing is rendered")
  func killedReader() throws {
    let folder = try TemporaryFolder()
    let result = try render("kill", after: 0, in: folder)
    #expect(result.status == 75, "\(result)")
    #expect(result.messages.contains("died twice at reading \(folder.path("bad.webm"))"))
    #expect(folder.names == ["bad.webm", "good.mp4"])
  }

  @Test("A worker out of memory keeps finished pieces, and writes no wrong ones")
  func memory() throws {
    let folder = try TemporaryFolder()
    let result = try render(
      "memory", in: folder, ["--jobs", "1", "--work-dir", folder.path("work")])
    #expect([0, 1, 3, 75].contains(result.status), "\(result)")
    let words = ["--size", "160x96", "--progress", "none"]
    let inputs = [folder.path("good.mp4"), folder.path("bad.webm")]
    let (again, clean) = (folder.path("again.mp4"), folder.path("clean.mp4"))
    let resumed = try TesseraTool.run(
      ["render"] + inputs + words
        + ["-o", again, "--work-dir", folder.path("work"), "--retry-losses"])
    #expect(resumed.status == 0, "\(resumed)")
    #expect(try TesseraTool.run(["render"] + inputs + words + ["-o", clean]).status == 0)
    #expect(FileManager.default.contentsEqual(atPath: again, andPath: clean))
    // The decoder may have continued with its remaining memory; then nothing is missing.
    let messages = result.messages
    #expect(
      result.status == 0
        ? FileManager.default.contentsEqual(atPath: folder.path("out.mp4"), andPath: clean)
        : messages.contains("memory ran out"),
      "\(result)")
  }

  @Test(
    "An archive whose unpacking crashes, connects or exhausts memory is reported",
    .enabled(if: Sandbox.available.calls), arguments: ["segv", "connect", "memory"])
  func unpacking(deed: String) throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let archive = folder.path("call.zip")
    let made = try Tool.run("/usr/bin/python3", ["-m", "zipfile", "-c", archive, clip])
    #expect(made.status == 0, "\(made)")
    let result = try run(
      deed, codec: "zip", in: folder, ["render", archive, "-o", folder.path("out.mp4")])
    #expect(result.status == 1, "\(result)")
    #expect(
      result.messages.contains(
        "error: \(archive) cannot be unpacked: reading it crashed a worker ("), "\(result)")
    #expect(deed != "memory" || result.messages.contains("memory ran out"), "\(result)")
    #expect(folder.names == ["a.webm", "call.zip"])
  }

  @Test("A worker that dies silently fails the render, which keeps finished pieces")
  func killed() throws {
    let folder = try TemporaryFolder()
    let result = try render("kill", in: folder, ["--jobs", "1"])
    #expect(result.status == 75, "\(result)")
    #expect(result.messages.contains("died twice"), "\(result)")
    #expect(!folder.names.contains("out.mp4"))
    #expect(folder.names.contains("out.mp4.tessera"))
  }
}
