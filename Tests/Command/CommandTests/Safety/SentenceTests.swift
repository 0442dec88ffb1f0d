import Foundation
import TestSupport
import Testing

/// Errors of the command line: the expected input, and one thing to try.
@Suite(.timed) struct SentenceTests {
  @Test(arguments: [
    (
      ["rendr", "a.webm", "-o", "x.mp4"],
      #"unknown command "rendr": did you mean "tessera render"?"#
    ),
    (
      ["a.webm", "-o", "x.mp4"],
      #""a.webm" is not a command: to render it, try "tessera render a.webm -o call.mp4"."#
    ),
    (
      ["render", "a.webm", "-o", "x.mp4", "--laoyut", "grid"],
      "the option --laoyut is unknown: did you mean --layout?"
    ),
    (
      ["batch", "calls", "-o", "{name}.mp4", "--sizze", "640x360"],
      "the option --sizze is unknown: did you mean --size?"
    ),
    (
      ["batch", "calls", "-o", "{name}.mp4", "--layout", "speeker"],
      #"--layout is wrong: unknown layout "speeker": did you mean "speaker"?"#
    ),
    (["render", "a.webm", "-o", "x.mp4", "--max-size", "10M"], "--crf 28 or --for web"),
    (["render", "a.webm", "-o", "x.mp4", "--name", "a=Ada"], "--people people.csv"),
    (["render", "a.webm", "-o", "x.mp4", "--names", "Ada,Ben"], "--people people.csv"),
    (["verify", "a.mp4", "--offset", "a.webm=1"], "preview, plan, inspect and import take it"),
    (["render", "a.webm", "-o", "x.mp4", "--bitrate", "2M"], "--crf 28 or --for web"),
    (["render", "a.webm", "-o", "x.mp4", "--vertical"], "--size 1080x1920 makes an upright"),
    (["render", "a.webm", "-o", "x.mp4", "--aspect", "9:16"], "--size 1080x1920 makes an upright"),
    (["render", "a.webm", "-o", "x.mp4", "--thumbnail", "a.jpg"], "--also poster.jpg makes"),
    (["render", "a.webm", "-o", "x.mp4", "--normalize"], "--loudness speech brings"),
    (["render", "a.webm", "-o", "x.mp4", "--rttm", "a.rttm"], "--speakers turns.rttm writes"),
    (["render", "a.webm", "-o", "x.mp4", "--mic", "b.wav"], "as a further input with the same"),
    (["render", "a.webm", "-o", "x.mp4", "--start", "10"], "--from 90 --to 2:30 renders a part"),
    (["render", "a.webm", "-o", "x.mp4", "--size", "9:16"], "such as 1080x1920 for 9:16"),
    (["render", "a.webm", "-o", "x.mp4", "--chapters", "a.txt"], "--chapters-from FILE takes"),
    (["doctor", "x"], #""x" is not expected here: leave it out"#),
    (["render", "a.webm", "-o", "x.mp4", "--cpu", "avx9"], "give one of auto, c"),
    (["render", "a.webm", "-o", "x.mp4", "--cache", "/etc/hostname"], "is a file: name a folder"),
    (["help", "rendr"], #"did you mean "tessera render"?"#),
    (["render", "a.webm"], "no output is named: add -o and a file, such as -o out.mp4."),
    (["render", "-o", "x.mp4"], "no input is named: give a call's folder"),
    (
      ["render", "a.webm", "-o", "x.mp4", "--work-dir", "https://a.example/w"],
      "https://a.example/w cannot hold a work folder; give --work-dir s3://bucket/prefix/"
    ),
    (["render", "a.webm", "-o", "/"], "/ is a folder: name a file in it"),
    (
      ["render", "ftp://a.example/b.mp4", "-o", "x.mp4"],
      "ftp:// is not read; give a path, s3://bucket/key, or an https:// address."
    ),
    (
      ["render", "http://a.example/b.mp4?c=d", "-o", "x.mp4"],
      "http://a.example/b.mp4 is not encrypted"
    ),
    (["render", "s3://b/call/", "-o", "x.mp4"], #""b" is not the name of a bucket"#),
    (
      ["render", "a.webm", "-o", "https://a.example/b.mp4"],
      "https://a.example/b.mp4 cannot be written; write to an object"
    ),
    (
      ["import", "https://a.example/b.mp4?c=d", "-o", "x.yaml"],
      "https://a.example/b.mp4 has a query, which may be a signature"
    ),
    (
      ["plan", "a.webm", "-o", "x.json", "--also", "s3://bucket/b.m4a"],
      "a plan with outputs in a bucket has to be in a bucket, too"
    ),
    (
      ["render", "a.webm", "-o", "x.mp4", "--fps", "0"],
      #"--fps cannot be "0": give a rate above 0"#
    ),
    (
      ["render", "a.webm", "-o", "x.mp4", "--size", "640"], "both sides in pixels, such as 1280x720"
    ),
    (["render", "a.webm", "-o", "x.mp4", "--from", "-3"], "seconds or [hh:]mm:ss, from 0 on"),
    (
      ["render", "a.webm", "-o", "x.mp4", "--crf", "low"],
      #"--crf cannot be "low": give a whole number"#
    ),
    (["render", "a.webm", "-o", "x.mp4", "--memory", "8GB"], "give bytes, such as 8G or 500M."),
    (["render", "a.webm", "-o", "x.mp4", "--gain", "ada"], "such as ada=-3."),
    (["render", "a.webm", "-o", "x.mp4", "--gain", "ada=loud"], "such as ada=-3."),
    (
      ["render", "a.webm", "-o", "x.mp4", "--fit", "fill"],
      #"--fit cannot be "fill": give one of auto, cover"#
    ),
    (
      ["render", "a.webm", "-o", "x.mp4", "--encoder", "h264"],
      "--encoder names a codec, h264: give its encoder, libx264."
    ),
    (
      ["render", "a.webm", "-o", "x.mp4", "--encoder", "hevc_vaapi"],
      "hevc_vaapi is an encoder of the machine's hardware, which workers may not open: give libx265."
    ),
    (["render", "a.webm", "-o", "x.mp4", "--hls", "720p"], "hls makes a folder: name one"),
    (
      ["render", "a.webm", "-o", "x.mp4", "--also", "y.mp4:hls=720p"],
      "hls makes a folder: name one"
    ),
    (["render", "a.webm", "-o", "web", "--hls", "7"], #"--hls cannot be "7": give even heights"#),
    (["render", "a.webm", "-o", "web/"], "make it one for HTTP Live Streaming with --hls"),
    (["render", "a.webm", "-o", "x.mp4", "--size", "721p"], "takes even sides only"),
    (["render", "a.webm", "-o", "x.mp4", "--memory", "1M"], "--memory takes 64M or more"),
    (["layout", "grid", "-o", "x.svg", "--count", "0"], "--count takes 1 to 1000 participants."),
    (
      ["render", "a.webm", "-o", "x.mp4", "--people", "none.csv"],
      "check the name given to --people."
    ),
  ])
  func sentences(words: [String], said: String) throws {
    let result = try TesseraTool.run(words)
    #expect(
      result.messages.hasPrefix("error: ") && result.messages.contains(said), "\(result.messages)")
    #expect(result.status == 2)
  }

  @Test func aBackgroundThatIsNeitherColorNorPicture() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    let result = try TesseraTool.run([
      "render", clip, "-o", folder.path("x.mp4"), "--background", "bleu",
    ])
    #expect(
      result.messages.contains("did you mean blue? Else give #rrggbb, a color such as navy"),
      "\(result.messages)")
  }

  @Test func textIsNotARecording() throws {
    let folder = try TemporaryFolder()
    let text = folder.path("notes.txt")
    try Data("hello\n".utf8).write(to: URL(fileURLWithPath: text))
    let result = try TesseraTool.run(["render", text, "-o", folder.path("x.mp4")])
    #expect(
      result.messages.contains("it is text, but not a recorder's JSON; give a media file"),
      "\(result.messages)")
  }

  @Test func theHelpOfRenderHasExamplesAndCompletions() throws {
    let help = try TesseraTool.run(["help", "render"]).text
    #expect(help.contains("tessera render recording/ -o call.mp4"))
    #expect(help.contains("--generate-completion-script bash"))
    #expect(help.contains("standard error"))
  }

  /// Tessera's own outputs are replaced; other files only with `--overwrite`.
  @Test(arguments: ["mp4", "webm", "wav", "opus"])
  func onlyItsOwnOutputsAreReplaced(ending: String) throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    let output = folder.path("out.\(ending)")
    let words = ["render", clip, "-o", output, "--size", "64x36", "--fps", "5"]
    #expect(try TesseraTool.run(words).status == 0)
    let again = try TesseraTool.run(words)
    #expect(again.status == 0, "\(again.messages)")
    let other = Data("somebody's holiday".utf8)
    try other.write(to: URL(fileURLWithPath: output))
    let refused = try TesseraTool.run(words)
    #expect(refused.status == 2 && refused.messages.contains("or --overwrite to replace it"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == other)
  }

  /// A manifest's recording is missing: the message names its owner.
  @Test func aMissingRecordingNamesItsOwner() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "RT1.webm", seconds: 1)
    let list = """
      [{"sid": "RT1", "type": "video", "offset": 0, "grouping_sids": {"participant_sid": "ada"}},
       {"sid": "RT2", "type": "audio", "offset": 0, "grouping_sids": {"participant_sid": "ada"}}]
      """
    let manifest = folder.path("recordings.json")
    try Data(list.utf8).write(to: URL(fileURLWithPath: manifest))
    let words = ["render", manifest, "-o", folder.path("x.mp4"), "--size", "64x36", "--fps", "5"]
    #expect(try TesseraTool.run(words).messages.contains("RT2.mka, ada's microphone: No such file"))
    let result = try TesseraTool.run(words + ["--allow-missing"])
    #expect(
      result.messages.contains("ada's microphone is missing without it."), "\(result.messages)")
    #expect(FileManager.default.fileExists(atPath: clip))
  }

  /// Bad captions never fail a render.
  @Test func emptyAndBadCaptionsAreNoted() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    let captions = folder.path("c.vtt")
    try Data("WEBVTT\n\nbad --> cue\nx\n".utf8).write(to: URL(fileURLWithPath: captions))
    let result = try TesseraTool.run([
      "render", clip, "-o", folder.path("x.mp4"), "--size", "64x36", "--fps", "5", "--captions",
      captions,
    ])
    #expect(result.status == 0 && result.messages.contains("note: the caption at line 3 of"))
  }
}
