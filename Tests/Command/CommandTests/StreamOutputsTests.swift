import Foundation
import TestSupport
import Testing

/// Folders for HTTP Live Streaming and still pictures, written by the command.
@Suite(.timed) struct StreamOutputsTests {
  private static func names(_ folder: TemporaryFolder, _ path: String) -> [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path(path))) ?? []).sorted()
  }

  private static let rungs = ["128p", "96p"]
  private static let files = ["audio", "captions", "128p", "96p"].flatMap { rendition in
    let segments = ["00001.\(rendition == "captions" ? "vtt" : "m4s")", "index.m3u8"]
    let all =
      segments + (rendition == "captions" ? [] : ["init.mp4"])
      + (rungs.contains(rendition) ? ["keyframes.m3u8"] : [])
    return [rendition] + all.map { "\(rendition)/\($0)" }
  }

  @Test("A folder is equal as main and as further output, with one size and with several")
  func sameFolders() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "ada.webm")
    let captions = folder.path("a.vtt")
    try "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"
      .write(toFile: captions, atomically: true, encoding: .utf8)
    let common = ["--size", "320x180", "--preset", "ultrafast", "--captions-track", captions]
    let main = try TesseraTool.run(
      ["render", clip, "-o", folder.path("web") + "/", "--hls", "128p,96p"] + common)
    #expect(main.status == 0, "\(main.messages)")
    let text = String(decoding: main.output, as: UTF8.self)
    #expect(text.hasPrefix(folder.path("web/master.m3u8") + ": "), "\(text)")
    let names = Self.names(folder, "web").filter { $0 != "chapters.json" }
    #expect(names == (Self.files + ["master.m3u8"]).sorted())
    let beside = try TesseraTool.run(
      [
        "render", clip, "-o", folder.path("call.mp4"), "--also",
        folder.path("also/:hls=128p,96p"), "--also", folder.path("one/:hls=96p"),
      ] + common)
    #expect(beside.status == 0, "\(beside.messages)")
    #expect(try Tool.run("diff", ["-r", folder.path("web"), folder.path("also")]).status == 0)
    for rendition in ["audio", "captions", "96p"] {
      let paths = ["web/\(rendition)", "one/\(rendition)"].map(folder.path)
      #expect(try Tool.run("diff", ["-r"] + paths).status == 0, "\(rendition)")
    }
    #expect(folder.names.filter { $0.hasPrefix(".") || $0.hasSuffix(".tessera") } == [])
    let size = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of",
        "csv=p=0", folder.path("web/96p/index.m3u8"),
      ])
    #expect(size.text.hasPrefix("170,96\n"))
  }

  @Test("Pieces of a plan are joined into a folder")
  func pieces() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "ada.webm", seconds: 1)
    let (plan, work) = (folder.path("plan.json"), folder.path("work"))
    for words in [
      ["plan", clip, "-o", plan, "--size", "320x180", "--hls", "128p,96p"],
      ["segment", plan, "--index", "0", "--work-dir", work],
      ["soundtrack", plan, "--work-dir", work],
      ["stitch", plan, "--work-dir", work, "-o", folder.path("web")],
    ] {
      let result = try TesseraTool.run(words)
      #expect(result.status == 0, "\(words[0]): \(result.messages)")
    }
    let made = try TesseraTool.run([
      "render", clip, "-o", folder.path("alone"), "--size", "320x180", "--hls", "128p,96p",
    ])
    #expect(made.status == 0, "\(made.messages)")
    #expect(try Tool.run("diff", ["-r", folder.path("web"), folder.path("alone")]).status == 0)
  }

  @Test("Thumbnails and posters of a file and of a folder")
  func stills() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "ada.webm")
    let size = ["--size", "320x180", "--preset", "ultrafast", "--from", "0.5"]
    let stills = { (name: String) in
      [
        "--also", folder.path("\(name)/:every=0.5"), "--also", folder.path("\(name).jpg"),
        "--also", folder.path("\(name).png:at=1"),
      ]
    }
    let file = try TesseraTool.run(
      ["render", clip, "-o", folder.path("call.mp4")] + size + stills("file"))
    #expect(file.status == 0, "\(file.messages)")
    let stream = try TesseraTool.run(
      ["render", clip, "-o", folder.path("web"), "--hls", "180p"] + size + stills("stream"))
    #expect(stream.status == 0, "\(stream.messages)")
    let cues = try ["file", "stream"].map {
      try String(contentsOfFile: folder.path("\($0)/thumbnails.vtt"), encoding: .utf8)
    }
    // The mark also covers the sheets, whose bytes may differ.
    let own = cues.map { $0.replacing(/NOTE Tessera .*\n\n/, with: "") }
    #expect(own[0] == own[1])
    #expect(cues[0].contains("00:00:00.000 --> 00:00:00.500\nsheet-001.jpg#xywh=0,0,320,180\n"))
    #expect(Self.names(folder, "file") == ["sheet-001.jpg", "thumbnails.vtt"])
    for name in ["jpg", "png"] {
      let paths = ["file.\(name)", "stream.\(name)"].map(folder.path)
      #expect(try Tool.run("cmp", paths).status == 0)
    }
    // The frame one second after the output's beginning.
    let preview = try TesseraTool.run([
      "preview", clip, "--at", "1.5", "--size", "320x180", "-o", folder.path("preview.png"),
    ])
    #expect(preview.status == 0, "\(preview.messages)")
    #expect(
      try Tool.run("cmp", [folder.path("preview.png"), folder.path("file.png")]).status == 0)
  }

  @Test(
    "Invalid outputs are refused by name before rendering",
    arguments: [
      (["-o", "web/"], "web/"),
      (["-o", "web/", "--hls", "1080"], "hls"),
      (["-o", "web/", "--hls", "720p,720p"], "hls"),
      (["-o", "web/", "--hls", "96p", "--encoder", "mpeg4"], "mpeg4"),
      (["-o", "call.mp4", "--also", "web/"], "hls=1080p,720p or every=10"),
      (["-o", "call.mp4", "--also", "web/:hls=90"], "hls takes"),
      (["-o", "call.mp4", "--also", "web/:hls=96p,audio-encoder=libmp3lame"], "libmp3lame"),
      (["-o", "call.mp4", "--also", "thumbs/:every=0"], "every takes"),
      (["-o", "call.mp4", "--also", "thumbs/:every=1,size=20x20"], "size"),
      (["-o", "call.mp4", "--also", "poster.jpg:at=x"], "at is an invalid time"),
      (["-o", "call.m4a", "--also", "poster.jpg"], "no output has pictures"),
    ])
  func refused(words: [String], sentence: String) throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "ada.webm", seconds: 1)
    let placed = words.map { word in
      ["web/", "call.", "thumbs/", "poster."].contains { word.hasPrefix($0) }
        ? folder.path(word) : word
    }
    let result = try TesseraTool.run(["render", clip] + placed)
    #expect(result.status == 2, "\(result.messages)")
    #expect(result.messages.contains(sentence), "\(result.messages)")
    #expect(folder.names == ["ada.webm"])
  }

  @Test("A folder with any other content is left alone")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "ada.webm", seconds: 1)
    try FileManager.default.createDirectory(
      atPath: folder.path("web"), withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder.path("web/index.html")))
    let result = try TesseraTool.run([
      "render", clip, "-o", folder.path("web/"), "--hls", "96p", "--overwrite",
    ])
    #expect(result.status == 2 && result.messages.contains("index.html"), "\(result.messages)")
    #expect(Self.names(folder, "web") == ["index.html"])
  }
}
