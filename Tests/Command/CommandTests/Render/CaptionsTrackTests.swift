import Foundation
import TestSupport
import Testing

/// Captions as a track that players can turn on and off.
@Suite(.timed) struct CaptionsTrackTests {
  private static let captions = """
    WEBVTT

    00:00.500 --> 00:01.500 align:start
    <v Ada>Good <b>morning</b> &amp; <i>welcome</i></v>
    to 1 &lt; 2

    00:01.000 --> 00:02.000
    Ünö

    00:02.200 --> 00:02.200
    shown never

    00:02.300 --> 00:02.600
    <b></b>

    00:03.000 --> 00:09.000
    to the end and beyond

    """

  private static func write(_ text: String, _ folder: TemporaryFolder, _ name: String) throws
    -> String
  {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  /// A cue in a player: text, and times in milliseconds from the first picture on.
  private struct Cue: Equatable {
    var from: Int
    var to: Int
    var text: String
  }

  /// Returns the cues of the first caption stream, and the stream's properties from `ffprobe`.
  private static func read(_ path: String) throws -> (cues: [Cue], stream: String) {
    let stream = try Tool.run(
      "ffprobe", ["-v", "error", "-select_streams", "s", "-show_streams", "-of", "flat", path])
    // ffmpeg counts from the file's beginning, which may be audio priming.
    let starts = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries",
        "stream=start_time:format=start_time",
        "-of", "csv=p=0", path,
      ]
    ).text.split(whereSeparator: \.isNewline).compactMap { Double($0) }
    let offset = Int(((starts[0] - starts[1]) * 1000).rounded())
    let text = try Tool.ffmpeg(["-i", path, "-map", "0:s:0", "-f", "srt", "-"])
    let blocks = String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
      .components(separatedBy: "\n\n").filter { !$0.isEmpty }
    let cues = blocks.map { block in
      let lines = block.components(separatedBy: "\n")
      let times = lines[1].components(separatedBy: " --> ").map { milliseconds($0) - offset }
      return Cue(from: times[0], to: times[1], text: lines[2...].joined(separator: "|"))
    }
    return (cues, stream.text)
  }

  /// Returns `00:00:01,500` in milliseconds.
  private static func milliseconds(_ time: String) -> Int {
    let numbers = time.split { !$0.isNumber }.compactMap { Int($0) }
    return ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + numbers[3]
  }

  @Test(arguments: [("mp4", "mov_text"), ("webm", "webvtt"), ("mkv", "subrip")])
  func theOutputContainsACaptionTrack(ending: String, codec: String) throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 4)
    let captions = try Self.write(Self.captions, folder, "a.vtt")
    let output = folder.path("out.\(ending)")
    let result = try TesseraTool.run([
      "render", clip, "-o", output, "--size", "64x36", "--fps", "10", "--captions-track",
      "\(captions):language=deu,title=Deutsch",
    ])
    #expect(result.status == 0, "\(result.messages)")
    let (cues, stream) = try Self.read(output)
    #expect(stream.contains("codec_name=\"\(codec)\""), "\(stream)")
    #expect(stream.contains("tags.language=\"ger\"") || stream.contains("tags.language=\"deu\""))
    let welcome = "Good morning & welcome|to 1 < 2"
    #expect(
      cues == [
        Cue(from: 500, to: 1000, text: welcome), Cue(from: 1000, to: 1500, text: "\(welcome)|Ünö"),
        Cue(from: 1500, to: 2000, text: "Ünö"),
        Cue(from: 3000, to: 4000, text: "to the end and beyond"),
      ])
  }

  /// Captions stay in sync for any cut.
  @Test func captionTimesFollowTheCut() throws {
    let folder = try TemporaryFolder()
    _ = try TesseraTool.makeClip(folder, "ada.webm")
    let session = try Self.write(
      """
      version: 1
      participants:
        - { id: a, tracks: [{ file: ada.webm, out: 2 }, { file: ada.webm, start: 20 }] }
      """, folder, "session.yaml")
    let captions = try Self.write(
      """
      1
      00:00:00,200 --> 00:00:01,200
      before

      2
      00:00:10,000 --> 00:00:12,000
      nobody hears it

      3
      00:00:20,500 --> 00:00:21,000
      after
      """, folder, "a.srt")
    let output = folder.path("out.mp4")
    let result = try TesseraTool.run([
      "render", session, "-o", output, "--size", "64x36", "--fps", "10", "--trim-idle", "--from",
      "1", "--captions-track", captions,
    ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(
      try Self.read(output).cues == [
        Cue(from: 0, to: 200, text: "before"), Cue(from: 1500, to: 2000, text: "after"),
      ])
    let late = try TesseraTool.run([
      "render", session, "-o", output, "--size", "64x36", "--fps", "10", "--from", "1.5", "--to",
      "2", "--captions-track", captions,
    ])
    #expect(late.status == 0 && late.messages.contains("no caption of \(captions) is within"))
    #expect(try Self.read(clipless: output))
  }

  private static func read(clipless path: String) throws -> Bool {
    try Tool.run(
      "ffprobe", ["-v", "error", "-select_streams", "s", "-show_streams", path]
    ).text.isEmpty
  }

  /// Captions do not change the pieces of a plan; the stitch adds them.
  @Test func aPlanContainsCaptions() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    let captions = try Self.write(Self.captions, folder, "a.vtt")
    let (plan, work) = (folder.path("plan.json"), folder.path("work"))
    for arguments in [
      [
        "plan", clip, "-o", plan, "--size", "64x36", "--container", "webm", "--captions-track",
        captions, "--captions-track", "\(captions):language=eng",
      ],
      ["segment", plan, "--work-dir", work, "--index", "0"],
      ["soundtrack", plan, "--work-dir", work],
      ["stitch", plan, "--work-dir", work, "-o", folder.path("out.webm")],
    ] {
      let result = try TesseraTool.run(arguments)
      #expect(result.status == 0, "\(arguments): \(result.messages)")
    }
    let stream = try Self.read(folder.path("out.webm")).stream
    #expect(stream.components(separatedBy: "codec_name=\"webvtt\"").count == 3, "\(stream)")
    #expect(stream.contains("tags.language=\"eng\""))
  }

  @Test func invalidCaptionsAreRefused() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    let captions = try Self.write(Self.captions, folder, "a.vtt")
    let noCaptions = try Self.write("{}", folder, "b.vtt")
    for (file, output, words) in [
      (noCaptions, "out.mp4", "neither WebVTT"),
      (folder.path("none.vtt"), "out.mp4", "cannot read the captions file"),
      (captions, "out.m4a", "a file of sound carries no captions"),
      ("\(captions):language=English", "out.mp4", "--captions-track"),
      (captions, "a.vtt", "has no known ending"),
    ] {
      let result = try TesseraTool.run([
        "render", clip, "-o", folder.path(output), "--captions-track", file,
      ])
      #expect(result.status == 2 && result.messages.contains(words), "\(result.messages)")
    }
    let over = try TesseraTool.run([
      "plan", clip, "-o", captions, "--captions-track", captions,
    ])
    #expect(over.status == 2 && over.messages.contains("is one of the inputs"), "\(over.messages)")
  }
}
