import Foundation
import TestSupport
import Testing

/// Audio processing, measured in the rendered files.
@Suite("Sound of a render", .timed)
struct SoundCommandTests {
  private let folder: TemporaryFolder
  /// Two people who speak one after the other, one of them 30 LU louder.
  private let voices: [String]

  init() throws {
    let folder = try TemporaryFolder()
    let lines = [
      ("kal", "We had a look at the numbers again, and they are better than anyone thought."),
      ("slt", "That is good to hear. Shall we go through the list of what is still open today?"),
    ]
    self.folder = folder
    voices = try zip(lines, [("quiet", -40.0), ("loud", -10.0)]).enumerated().map { index, pair in
      let path = "\(folder.path)/\(pair.1.0).wav"
      let raw = "\(folder.path)/raw.wav"
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "flite=text='\(pair.0.1)':voice=\(pair.0.0)", "-af",
        "aresample=48000,pan=stereo|c0=c0|c1=c0", "-c:a", "pcm_f32le", raw,
      ])
      let gain = pair.1.1 - (try Self.loudness(raw))
      let delay = index == 0 ? 0 : 6000
      try Tool.ffmpeg([
        "-i", raw, "-af", "volume=\(gain)dB,adelay=\(delay):all=1,apad=whole_dur=12", "-c:a",
        "pcm_f32le", path,
      ])
      return path
    }
  }

  /// Returns the loudness of a part of a file in LUFS.
  private static func loudness(_ path: String, _ part: String = "") throws -> Double {
    try measure(path, part, after: "I:")
  }

  /// Returns the true peak of a decoded file in dBTP.
  private static func truePeak(_ path: String) throws -> Double {
    try measure(path, "", after: "Peak:")
  }

  private static func measure(_ path: String, _ part: String, after mark: String) throws -> Double {
    let filter = part + "ebur128=peak=true:framelog=verbose"
    let result = try Tool.run(
      "ffmpeg", ["-nostats", "-i", path, "-vn", "-af", filter, "-f", "null", "-"])
    let summary = try #require(result.messages.range(of: "Summary:"))
    let tail = result.messages[summary.upperBound...]
    let place = try #require(tail.range(of: mark))
    let word = tail[place.upperBound...].split(separator: " ", maxSplits: 1)[0]
    return try #require(Double(word))
  }

  private func render(_ output: String, _ options: String...) throws -> Tool.Result {
    try TesseraTool.run(["render"] + voices + ["-o", folder.path(output)] + options)
  }

  @Test("Voices are leveled, and the mix reaches its target below the ceiling")
  func loudness() throws {
    let result = try render(
      "call.m4a", "--loudness", "-16", "--audio-bitrate", "64k", "--stems", folder.path("stems"))
    #expect(result.status == 0, "\(result.messages)")
    let call = folder.path("call.m4a")
    #expect(abs(try Self.loudness(call) + 16) <= 0.7)
    #expect(try Self.truePeak(call) <= -0.9)
    let parts = try ["atrim=0:5,", "atrim=6:11,"].map { try Self.loudness(call, $0) }
    // The gain of the quiet voice is limited to 24 dB.
    #expect(abs(parts[0] - parts[1]) <= 1.5)
    let stems = try ["quiet", "loud"].map { try Probed(folder.path("stems/\($0).wav")) }
    #expect(stems.map(\.format.duration) == ["12.000000", "12.000000"])
    #expect(!folder.names.contains { $0.hasSuffix(".part") || $0.hasSuffix(".tessera") })
  }

  @Test("A person heard in another's microphone is leveled in their own")
  func bleed() throws {
    let paths = try [(0, 1), (1, 0)].map { own, other in
      let path = folder.path(["ada.wav", "ben.wav"][own])
      try Tool.ffmpeg([
        "-i", voices[own], "-i", voices[other], "-filter_complex",
        "[1]volume=-24dB,adelay=80:all=1[late];[0][late]amix=duration=first:normalize=0",
        "-c:a", "pcm_f32le", path,
      ])
      return path
    }
    let call = folder.path("room.wav")
    let result = try TesseraTool.run(
      ["render"] + paths + ["-o", call, "--loudness", "speech", "--stems", folder.path("room")])
    #expect(result.status == 0, "\(result.messages)")
    #expect(abs(try Self.loudness(call) + 16) <= 0.7)
    let parts = try ["atrim=0:5,", "atrim=6:11,"].map { try Self.loudness(call, $0) }
    #expect(abs(parts[0] - parts[1]) <= 1.5)
    #expect(try Self.loudness(folder.path("room/ada.wav"), "atrim=7:11,") < -50)
  }

  @Test("A microphone on one channel is panned to the center, with a note")
  func oneSide() throws {
    let lone = folder.path("lone.wav")
    try Tool.ffmpeg(
      ["-i", voices[1], "-af", "pan=stereo|c0=0*c0|c1=c1", "-c:a", "pcm_f32le", lone])
    for (name, inputs) in [("alone", [lone]), ("both", [voices[0], lone])] {
      let output = folder.path("\(name).wav")
      let result = try TesseraTool.run(["render"] + inputs + ["-o", output])
      #expect(result.status == 0, "\(result.messages)")
      let note = "lone.wav: its sound is only on the right; it is heard in the middle."
      #expect(result.messages.contains(note), "\(result.messages)")
      #expect(abs(try Self.loudness(output, "atrim=6:11,") + 10) < 1.5)
      #expect(try Self.loudness(output, "pan=stereo|c0=c0-c1|c1=c0-c1,") <= -60)
    }
    let plain = try render("plain.wav")
    #expect(!plain.messages.contains("in the middle"), "\(plain.messages)")
  }

  @Test("A voice at its gain limit and a missed target are noted")
  func limits() throws {
    let faint = folder.path("faint.wav")
    try Tool.ffmpeg(["-i", voices[0], "-af", "volume=-12dB", "-c:a", "pcm_f32le", faint])
    let result = try TesseraTool.run(
      ["render", faint, "-o", folder.path("missed.wav"), "--loudness", "speech"])
    #expect(result.status == 0, "\(result.messages)")
    let limit = "LU below the others: a voice is raised by 24 dB at most."
    #expect(result.messages.contains("faint stays") && result.messages.contains(limit))
    let loudness = try Self.loudness(folder.path("missed.wav"))
    let text = try #require(result.messages.split(separator: "the mix has ").last)
    let told = try #require(Double(text.split(separator: " ")[0]))
    #expect(text.contains("LUFS instead of -16 LUFS.") && abs(told - loudness) < 1)
  }

  @Test("Without a target, samples stay unchanged, and people can be excluded")
  func off() throws {
    let result = try render("call.wav", "--only-sound", "quiet")
    #expect(result.status == 0, "\(result.messages)")
    let samples = try [folder.path("call.wav"), voices[0]].map { path in
      try unsafe Tool.ffmpeg(["-i", path, "-f", "f32le", "-"]).withUnsafeBytes {
        unsafe Array($0.bindMemory(to: Float.self))
      }
    }
    #expect(samples[0].count == samples[1].count)
    // Half a step of 24 bits.
    #expect(zip(samples[0], samples[1]).allSatisfy { abs($0 - $1) <= 0x1p-24 })
    let excluded = try render("none.flac", "--exclude-sound", "quiet", "loud")
    #expect(excluded.status == 0, "\(excluded.messages)")
    #expect(try Self.loudness(folder.path("none.flac")) <= -70)
    let nobody = try render("none.wav", "--only-sound", "ada")
    #expect(
      nobody.status == 2 && nobody.messages.contains("--only-sound \"ada\" matches no participant"))
  }

  @Test(
    "Each container supports its audio formats",
    arguments: [
      ("a.flac", [], "flac"), ("a.mp3", ["--audio-channels", "mono"], "mp3"),
      ("a.opus", [], "opus"),
      ("b.mp4", ["--audio-encoder", "flac"], "flac"),
      ("a.mp4", ["--audio-encoder", "libopus"], "opus"),
      ("a.mkv", ["--audio-encoder", "flac"], "flac"),
      ("a.webm", [], "opus"), ("b.mkv", [], "opus"),
    ])
  func formats(name: String, options: [String], codec: String) throws {
    let result = try TesseraTool.run(
      ["render", voices[1], "-o", folder.path(name), "--size", "64x36", "--fps", "5"] + options)
    #expect(result.status == 0, "\(result.messages)")
    let probed = try Probed(folder.path(name))
    #expect(probed.audio?.codec_name == codec)
    let videos = ["a.mp4", "b.mp4", "a.mkv", "b.mkv", "a.webm"]
    #expect((probed.video == nil) == !videos.contains(name))
    let length = try #require(probed.format.duration.flatMap { Double($0) })
    #expect(abs(length - 12) < 0.1)
    #expect(abs(try Self.loudness(folder.path(name)) + 10) < (options.contains("mono") ? 4 : 1))
  }

  @Test("Unsupported audio formats are refused")
  func refusals() throws {
    for (name, encoder) in [("a.wav", "aac"), ("a.webm", "aac"), ("a.mp3", "flac")] {
      let result = try render(name, "--audio-encoder", encoder)
      #expect(
        result.status == 2 && result.messages.contains("cannot carry the sound of \(encoder)"))
    }
    let high = try render("a.mp3", "--audio-bitrate", "400k")
    #expect(high.status == 2 && high.messages.contains("32k to 320k"))
  }

  @Test("One of several audio tracks is selected, or all are mixed")
  func tracks() throws {
    let path = folder.path("two.mkv")
    try Tool.ffmpeg([
      "-i", voices[0], "-i", voices[1], "-map", "0", "-map", "1", "-metadata:s:a:0", "language=ger",
      "-metadata:s:a:1", "language=eng", "-c:a", "flac", path,
    ])
    for (track, loudness) in [("eng", -10.0), ("1", -40), ("all", -10)] {
      let output = folder.path("\(track).wav")
      let result = try TesseraTool.run(["render", path, "-o", output, "--audio-track", track])
      #expect(result.status == 0, "\(result.messages)")
      #expect(abs(try Self.loudness(output) - loudness) < 1)
    }
    let none = try TesseraTool.run(
      ["render", path, "-o", folder.path("no.wav"), "--audio-track", "fre"])
    #expect(none.status == 2 && none.messages.contains("--audio-track fre is in none"))
  }

  @Test("A shared screen's sound is ducked while a person speaks, and only then")
  func ducking() throws {
    let (speech, screen) = (folder.path("ada-mic.wav"), folder.path("ada-screen.wav"))
    try FileManager.default.copyItem(atPath: voices[0], toPath: speech)
    // The voice has no energy at that frequency.
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "sine=frequency=11000:sample_rate=48000:d=12", "-c:a", "pcm_f32le",
      screen,
    ])
    let output = folder.path("ducked.wav")
    let result = try TesseraTool.run(["render", speech, screen, "-o", output, "--duck", "20"])
    #expect(result.status == 0, "\(result.messages)")
    let only = "bandpass=f=11000:w=20,"
    let alone = try Self.loudness(output, "atrim=7:11," + only)
    let under = try Self.loudness(output, "atrim=1:4," + only)
    #expect(abs(alone - under - 20) < 1)
  }

  @Test("The report has the drift of each voice's clock")
  func report() throws {
    let path = folder.path("report.json")
    _ = try render("call.wav", "--report", path)
    let report = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: path)))
    let inputs = (report as? [String: Any])?["inputs"] as? [[String: Any]]
    let voice = (inputs?.first?["voices"] as? [[String: Any]])?.first
    #expect(voice?["driftPartsPerMillion"] as? Double == 0 && voice?["breakCount"] as? Int == 0)
  }
}
