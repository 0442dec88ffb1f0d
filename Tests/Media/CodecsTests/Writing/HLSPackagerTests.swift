import Foundation
import TesseraCodecs
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct HLSPackagerTests {
  /// Writes finished pieces of 12 s in two sizes and with sound.
  private func call(
    _ folder: TemporaryFolder, encoder: String = "libx264",
    sound: SoundEncoderSettings = SoundEncoderSettings(bitRate: 64_000)
  ) throws -> HLSPackager {
    let large = TestPieces.settings(encoder)
    let small = TestPieces.settings(encoder, size: PixelSize(width: 48, height: 32))
    let ranges = [0..<153, 153..<360]
    let keyframes: Set = [77, 153, 303]
    try TestPieces.encodeSound(seconds: 12, sound, to: folder.path("sound"))
    var stream = HLSPackager(
      rungs: [
        .init(
          "64p",
          segments: try TestPieces.segments(
            folder, ranges, large, name: "large", keyframes: keyframes)),
        .init(
          "32p",
          segments: try TestPieces.segments(
            folder, ranges, small, name: "small", keyframes: keyframes.union([200]))),
      ], soundtrack: Stitcher.Input(path: folder.path("sound"), digest: "s"))
    stream.captions = [
      SubtitleTrack([.init(start: 200, end: 7000, text: "Ünö <b> &\n\n--> no")], language: "eng"),
      SubtitleTrack([.init(start: 0, end: 500, text: "a")]),
    ]
    stream.chapters = [.init("One", start: 0), .init("Two \"quoted\"", start: 4000)]
    stream.title = "A \"call\"\nof two"
    return stream
  }

  private func write(_ stream: HLSPackager, _ folder: TemporaryFolder) throws -> String {
    let path = folder.path("web")
    try FileOperations.makeFolder(path)
    try stream.write(to: path, cancellation: Cancellation())
    return path
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("A folder conforms to RFC 8216, with sound, captions and chapters")
  func whole() throws {
    let folder = try TemporaryFolder()
    let path = try write(try call(folder), folder)
    #expect(try PlaylistCheck.complaints(path) == [])
    #expect(
      FileOperations.names(in: path) == [
        "32p", "64p", "audio", "captions", "captions-2", "chapters.json", "master.m3u8",
      ])
    // Segments of two rungs with one number cover the same interval.
    for rung in ["64p", "32p"] {
      #expect(
        try text("\(path)/\(rung)/index.m3u8") == """
          #EXTM3U
          #EXT-X-VERSION:6
          #EXT-X-TARGETDURATION:5
          #EXT-X-PLAYLIST-TYPE:VOD
          #EXT-X-INDEPENDENT-SEGMENTS
          #EXT-X-MAP:URI="init.mp4"
          #EXTINF:5.100000,
          00001.m4s
          #EXTINF:5.000000,
          00002.m4s
          #EXTINF:1.900000,
          00003.m4s
          #EXT-X-ENDLIST

          """)
    }
    let master = try text("\(path)/master.m3u8")
    for words in [
      "RESOLUTION=96x64,FRAME-RATE=30.000,AUDIO=\"audio\",SUBTITLES=\"captions\"\n64p/index.m3u8\n",
      "CODECS=\"avc1.64000a,mp4a.40.2\"", "NAME=\"Captions\",LANGUAGE=\"en\"",
      "NAME=\"Captions 2\"", "GROUP-ID=\"audio\",NAME=\"Audio\",LANGUAGE=\"und\",",
      "VALUE=\"A 'call' of two\"",
      "DATA-ID=\"com.apple.hls.chapters\",URI=\"chapters.json\"",
    ] {
      #expect(master.contains(words), "\(words)\n\(master)")
    }
    #expect(
      try text("\(path)/captions/00001.vtt") == """
        WEBVTT
        X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000

        00:00:00.200 --> 00:00:07.000
        Ünö &lt;b&gt; &amp;
        --&gt; no

        """)
    #expect(
      try text("\(path)/chapters.json") == """
        [{"chapter":1,"duration":4,"start-time":0,"titles":[{"language":"und","title":"One"}]},\
        {"chapter":2,"duration":8,"start-time":4,"titles":[{"language":"und","title":"Two \\"quoted\\""}]}]
        """)
  }

  @Test("Default captions are marked, and transcribed captions have the language of the sound")
  func languages() throws {
    let folder = try TemporaryFolder()
    var stream = try call(folder)
    (stream.captions[0].isSpoken, stream.captions[0].isDefault) = (true, true)
    let master = try text("\(try write(stream, folder))/master.m3u8")
    #expect(master.contains("NAME=\"Audio\",LANGUAGE=\"en\","))
    #expect(master.contains("NAME=\"Captions\",LANGUAGE=\"en\",DEFAULT=YES,"))
    #expect(master.contains("NAME=\"Captions 2\",DEFAULT=NO,"))
  }

  @Test("Each rung has an I-frame playlist, with one complete picture per byte range")
  func keyframes() throws {
    let folder = try TemporaryFolder()
    let path = try write(try call(folder), folder)
    let master = try text("\(path)/master.m3u8")
    for (rung, size) in [("64p", "96x64"), ("32p", "48x32")] {
      #expect(
        master.contains("RESOLUTION=\(size),URI=\"\(rung)/keyframes.m3u8\"\n"), "\(master)")
      let lines = try text("\(path)/\(rung)/keyframes.m3u8").split(separator: "\n")
      #expect(lines.contains("#EXT-X-I-FRAMES-ONLY"))
      let ranges = lines.filter { $0.hasPrefix("#EXT-X-BYTERANGE:") }
      #expect(ranges.count == 3)
      for (number, range) in ranges.enumerated() {
        let size = try #require(
          Int(range.dropFirst("#EXT-X-BYTERANGE:".count).prefix { $0 != "@" }))
        let bytes = try ["init", "0000\(number + 1)"].map { name in
          let ending = name == "init" ? "mp4" : "m4s"
          return try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(rung)/\(name).\(ending)"))
        }
        #expect(size < bytes[1].count && range.hasSuffix("@0"))
        let file = folder.path("picture.mp4")
        try (bytes[0] + bytes[1].prefix(size)).write(to: URL(fileURLWithPath: file))
        let picture = try Tool.ffmpeg([
          "-i", file, "-frames:v", "1", "-f", "rawvideo", "-",
        ])
        #expect(picture.count == (rung == "64p" ? 96 * 64 : 48 * 32) * 3 / 2)
      }
    }
  }

  @Test("Playback equals that of one file: each frame once, with its sound")
  func plays() throws {
    let folder = try TemporaryFolder()
    let stream = try call(folder)
    let path = try write(stream, folder)
    for (rung, area) in zip(stream.rungs, [96 * 64, 48 * 32]) {
      let file = folder.path("\(rung.name).mp4")
      try Stitcher(segments: rung.segments, soundtrack: stream.soundtrack, container: .mp4)
        .write(to: file, cancellation: Cancellation())
      let played = try ["\(path)/\(rung.name)/index.m3u8", file].map {
        try Tool.ffmpeg(["-xerror", "-i", $0, "-map", "0:v", "-f", "rawvideo", "-"])
      }
      #expect(played[0].count == 360 * area * 3 / 2)
      #expect(played[0] == played[1])
      let heard = try ["\(path)/audio/index.m3u8", file].map {
        try Tool.ffmpeg(["-xerror", "-i", $0, "-map", "0:a", "-f", "s16le", "-"])
      }
      // In fragments, ffmpeg keeps the priming and gives it negative times.
      #expect(heard[0].dropFirst(4 * 1024).elementsEqual(heard[1]))
    }
    let times = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_type,start_time", "-of", "csv=p=0",
        "\(path)/master.m3u8",
      ])
    #expect(times.messages == "")
    #expect(times.text.split(separator: "\n").contains("video,0.000000"), "\(times.text)")
  }

  @Test(
    "Codec strings match the players' syntax",
    arguments: [
      ("libx265", "hvc1.1.6.L30.90"), ("libsvtav1", "av01.0.00M.08"),
      ("libvpx-vp9", "vp09.00.10.08"),
    ])
  func codecs(encoder: String, name: String) throws {
    let folder = try TemporaryFolder()
    let settings = TestPieces.settings(encoder, size: PixelSize(width: 160, height: 96))
    try TestPieces.encodeSound(seconds: 1, .init(codec: .opus), to: folder.path("sound"))
    let stream = HLSPackager(
      rungs: [.init("96p", segments: try TestPieces.segments(folder, [0..<30], settings))],
      soundtrack: Stitcher.Input(path: folder.path("sound")))
    let path = try write(stream, folder)
    #expect(try text("\(path)/master.m3u8").contains("CODECS=\"\(name),Opus\""))
    #expect(try PlaylistCheck.complaints(path) == [])
  }

  @Test("Equal pieces give equal bytes")
  func repeatable() throws {
    let folder = try TemporaryFolder()
    let stream = try call(folder)
    let paths = ["a", "b"].map { folder.path($0) }
    for path in paths {
      try FileOperations.makeFolder(path)
      try stream.write(to: path, cancellation: Cancellation())
    }
    #expect(try Tool.run("diff", ["--recursive", paths[0], paths[1]]).text == "")
  }

  @Test("Silent video, and rungs of other rates, which share keyframes where possible")
  func rates() throws {
    let folder = try TemporaryFolder()
    let slow = TestPieces.settings(rate: FrameRate(15, 1) ?? .thirty)
    let stream = HLSPackager(
      rungs: [
        .init(
          "a",
          segments: try TestPieces.segments(
            folder, [0..<300], TestPieces.settings(), name: "a", keyframes: [75, 150])),
        .init(
          "b",
          segments: try TestPieces.segments(folder, [0..<150], slow, name: "b", keyframes: [75])),
      ], soundtrack: nil)
    let path = try write(stream, folder)
    #expect(try PlaylistCheck.complaints(path) == [])
    #expect(
      FileOperations.names(in: "\(path)/b")
        == ["00001.m4s", "00002.m4s", "index.m3u8", "init.mp4", "keyframes.m3u8"])
  }
}

/// The complaints of `scripts/check-hls` about a folder.
enum PlaylistCheck {
  static func complaints(_ folder: String) throws -> [String] {
    let script = SourceTree.path("scripts/check-hls")
    let result = try Tool.run("python3", [script, folder])
    return (result.text + result.messages).split(separator: "\n").map(String.init)
  }
}
