import Foundation
import TestSupport
import Testing

/// Transcripts, from files to files.
@Suite(.timed) struct TranscriptCommandTests {
  private static func write(_ text: String, _ path: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  @Test func wordsOfAllPeopleAreMergedIntoOneTranscript() throws {
    let folder = try TemporaryFolder()
    let (ada, ben) = (
      try TesseraTool.makeClip(folder, "ada.webm"), try TesseraTool.makeClip(folder, "ben.webm")
    )
    let words = try Self.write(
      #"{"segments": [{"start": 0.5, "end": 1.0, "text": " Good <morning>."}]}"#,
      folder.path("ada=1.json"))
    let call = try Self.write(
      "WEBVTT\n\n00:01.250 --> 00:01.750\n<v Ben>Hi, ada.\n", folder.path("call.vtt"))
    let (page, output) = (folder.path("call.html"), folder.path("out.mp4"))
    let written = ["vtt", "txt", "md"].map { folder.path("said.\($0)") }
    let result = try TesseraTool.run(
      [
        "render", ada, ben, "-o", output, "--size", "64x36", "--fps", "10", "--from", "0.25",
        "--transcript", "ada=\(words):start=0", "--transcript", call, "--captions", "transcript",
        "--captions-track", "transcript:language=eng", "--page", page, "--title", "Sync",
      ] + written.flatMap { ["--transcript-out", $0] })
    #expect(result.status == 0, "\(result.messages)")
    #expect(
      try Self.text(written[0]).replacing(/NOTE Tessera .*\n\n/, with: "")
        == "WEBVTT\n\n00:00:00.200 --> 00:00:00.700\n<v ada>Good &lt;morning&gt;.\n\n"
        + "00:00:00.950 --> 00:00:01.450\n<v ben>Hi, ada.\n")
    #expect(
      try Self.text(written[1]) == "Sync\n\n[0:00] ada: Good <morning>.\n\n[0:00] ben: Hi, ada.\n")
    #expect(
      try Self.text(written[2]).hasPrefix(
        "# Sync\n\n**ada** [0:00.2]\n\nGood \\<morning\\>."))
    let captions = try Tool.ffmpeg(["-i", output, "-map", "0:s:0", "-f", "srt", "-"])
    #expect(String(decoding: captions, as: UTF8.self).contains("ben: Hi, ada."))
    let html = try Self.text(page)
    #expect(
      html.contains(#"[0,200,500,"Good \u003cmorning>."],[1,750,500,"Hi, ada."]"#),
      "\(html.suffix(3000))")
  }

  @Test("A part of a name matches a participant, with a note")
  func partsOfNames() throws {
    let folder = try TemporaryFolder()
    let clips = try ["Prof Weber", "ada"].map { try TesseraTool.makeClip(folder, "\($0).webm") }
    let words = try Self.write(
      "WEBVTT\n\n00:00.250 --> 00:00.750\n<v Weber>Good morning.\n", folder.path("words.vtt"))
    let said = folder.path("said.txt")
    let result = try TesseraTool.run(
      ["plan"] + clips + [
        "-o", folder.path("plan.json"), "--transcript", words, "--transcript-out", said,
      ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try Self.text(said).contains("Prof Weber: Good morning."))
    #expect(
      result.messages.contains(
        "Weber in words.vtt is assigned to Prof Weber, the only participant with a matching name."),
      "\(result.messages)")
  }

  /// Pauses are found without words, and written as edits.
  @Test func pausesWithoutATranscriptAreWrittenAsEdits() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let result = try TesseraTool.run([
      "edit", clip, "--tighten", "on", "-o", folder.path("call.md"),
    ])
    #expect(result.status == 2 && result.messages.contains("-o edits.yaml"), "\(result.messages)")
  }

  /// Zoom's transcript is beside its recordings, and a session file names it.
  @Test(arguments: ["zoom", "session"]) func theRecordersTranscriptIsFound(format: String) throws {
    let folder = try TemporaryFolder()
    var input = try RecordingFolders.path("zoom")
    if format == "session" {
      let session = folder.path("session.yaml")
      #expect(try TesseraTool.run(["import", input, "-o", session]).status == 0)
      input = session
    }
    let said = folder.path("said.txt")
    let result = try TesseraTool.run([
      "plan", input, "-o", folder.path("plan.json"), "--transcript-out", said,
    ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try Self.text(said) == "standup\n\n[0:01] Ada: Good morning.\n\n[0:03] Ben: Hello.\n")
  }

  @Test func invalidTranscriptsAreRefused() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, "ada.webm", seconds: 1)
    let words = try Self.write("words", folder.path("a.txt"))
    let good = try Self.write("WEBVTT\n", folder.path("a.vtt"))
    for (options, sentence) in [
      (["--transcript", words], "a.txt is not a transcript that can be read"),
      (["--transcript", folder.path("none.vtt")], "cannot read the transcript file"),
      (["--transcript", "zoe=\(good)"], "--transcript \"zoe\" matches no participant"),
      (["--transcript", "\(good):start=x"], "--transcript cannot be"),
      (["--transcript-out", folder.path("a.doc")], "give a file that ends in .vtt, .srt"),
      (["--transcript", good, "--transcript-out", good], "is one of the inputs or another output"),
    ] {
      let result = try TesseraTool.run(
        ["render", clip, "-o", folder.path("out.mp4"), "--size", "64x36"] + options)
      #expect(result.status == 2 && result.messages.contains(sentence), "\(result.messages)")
    }
    let nothing = try TesseraTool.run([
      "plan", clip, "-o", folder.path("p.json"), "--captions", "transcript",
    ])
    #expect(
      nothing.status == 2 && nothing.messages.contains("the call has no transcript to show"),
      "\(nothing.messages)")
  }
}
