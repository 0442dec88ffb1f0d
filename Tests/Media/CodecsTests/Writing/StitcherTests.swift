import Foundation
import TesseraCodecs
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// The frames and times of a stitched output, as `ffprobe` reads them.
private struct Frames: Decodable, Equatable {
  struct Frame: Decodable, Equatable {
    var pts_time: String?
    var dts_time: String?
    var flags: String
  }
  var packets: [Frame]

  init(_ path: String, stream: String = "v:0") throws {
    let result = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time,dts_time,flags",
        "-of", "json", path,
      ])
    self = try JSONDecoder().decode(Frames.self, from: result.output)
  }

  var times: [Double] { packets.compactMap { $0.pts_time.flatMap { Double($0) } } }
  var decodingTimes: [Double] { packets.compactMap { $0.dts_time.flatMap { Double($0) } } }
}

@Suite(.timed) struct StitcherTests {
  private func settings(_ encoder: String = "libx264") -> VideoEncoderSettings {
    TestPieces.settings(encoder)
  }

  @Test(
    "Joints are invisible in the timestamps, and no two packets share a decoding time",
    arguments: ["libx264", "libx265", "libvpx-vp9", "libsvtav1"])
  func joints(encoder: String) throws {
    let folder = try TemporaryFolder()
    let settings = settings(encoder)
    var stitcher = Stitcher(
      segments: try TestPieces.segments(folder, [0..<40, 40..<41, 41..<90], settings),
      soundtrack: nil,
      container: .mp4)
    try stitcher.write(to: folder.path("pieces.mp4"), cancellation: Cancellation())
    stitcher.segments = try TestPieces.segments(folder, [0..<90], settings, name: "one")
    try stitcher.write(to: folder.path("one.mp4"), cancellation: Cancellation())
    let (pieces, one) = (
      try Frames(folder.path("pieces.mp4")), try Frames(folder.path("one.mp4"))
    )
    #expect(pieces.times.sorted() == one.times.sorted())
    #expect(pieces.times.count == 90)
    #expect(zip(pieces.decodingTimes, pieces.decodingTimes.dropFirst()).allSatisfy(<))
    #expect(zip(pieces.decodingTimes, pieces.times).allSatisfy { $0 <= $1 })
    let decoded = try Tool.ffmpeg([
      "-i", folder.path("pieces.mp4"), "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
    ])
    #expect(decoded.count == 90 * 96 * 64 * 3 / 2)
  }

  @Test("An MP4 file with sound, captions, chapters and tags has its index in front")
  func wholeFile() throws {
    let folder = try TemporaryFolder()
    try TestPieces.encodeSound(seconds: 3, to: folder.path("sound"))
    var stitcher = Stitcher(
      segments: try TestPieces.segments(folder, [0..<60, 60..<90], settings()),
      soundtrack: Stitcher.Input(path: folder.path("sound"), digest: "s"), container: .mp4)
    stitcher.captions = [
      SubtitleTrack(
        [
          .init(start: 1500, end: 2000, text: "second"), .init(start: 200, end: 900, text: "Ünö"),
        ], language: "eng")
    ]
    stitcher.chapters = [.init("One", start: 0), .init("Two", start: 2000)]
    stitcher.tags = ["title": "A call", "encoding_tool": "test"]
    let path = folder.path("out.mp4")
    try stitcher.write(to: path, cancellation: Cancellation())
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let (index, media) = (bytes.range(of: Data("moov".utf8)), bytes.range(of: Data("mdat".utf8)))
    #expect(try #require(index).lowerBound < #require(media).lowerBound)
    let shown = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_streams", "-show_format", "-show_chapters", "-of", "flat", path]
    ).text
    for words in [
      "codec_name=\"mov_text\"", "tags.language=\"eng\"", "chapter.1.start_time=\"2.000000\"",
      "chapter.1.tags.title=\"Two\"", "chapter.1.end_time=\"3.000000\"",
      "format.tags.title=\"A call\"", "format.duration=\"3.000000\"",
    ] {
      #expect(shown.contains(words), "\(words)\n\(shown)")
    }
    stitcher.chapters = [.init("Late", start: 2000)]
    try stitcher.write(to: folder.path("late.mp4"), cancellation: Cancellation())
    let late = try Tool.run(
      "ffprobe", ["-v", "error", "-show_chapters", "-of", "flat", folder.path("late.mp4")]
    ).text
    #expect(late.contains("chapter.0.tags.title=\"A call\""), "\(late)")
    #expect(late.contains("chapter.1.start_time=\"2.000000\""), "\(late)")
    #expect(late.contains("chapter.1.tags.title=\"Late\""), "\(late)")
    let text = try Tool.ffmpeg(["-i", path, "-map", "0:s", "-f", "srt", "-"])
    #expect(
      String(decoding: text, as: UTF8.self)
        == "1\n00:00:00,200 --> 00:00:00,900\nÜnö\n\n2\n00:00:01,500 --> 00:00:02,000\nsecond\n\n")
    #expect(try Frames(path, stream: "a:0").packets.count > 140)
  }

  @Test("Equal pieces give equal bytes", arguments: OutputContainer.videos)
  func repeatable(container: OutputContainer) throws {
    let folder = try TemporaryFolder()
    let stitcher = Stitcher(
      segments: try TestPieces.segments(folder, [0..<30, 30..<45], settings("libvpx-vp9")),
      soundtrack: nil,
      container: container)
    let files = try ["a", "b"].map { name in
      try stitcher.write(to: folder.path(name), cancellation: Cancellation())
      return try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
    }
    #expect(files[0] == files[1])
    #expect(try Frames(folder.path("a")).packets.count == 45)
  }

  @Test(
    "In Matroska, pictures, sound, captions and chapters keep the call's times with every codec",
    arguments: [SoundEncoderSettings.Codec.opus, .aac, .flac, .mp3])
  func matroskaTimes(codec: SoundEncoderSettings.Codec) throws {
    let folder = try TemporaryFolder()
    try TestPieces.encodeSound(
      seconds: 3, SoundEncoderSettings(codec: codec, bitRate: 64_000), to: folder.path("sound"))
    var stitcher = Stitcher(
      segments: try TestPieces.segments(folder, [0..<90], settings()),
      soundtrack: Stitcher.Input(path: folder.path("sound"), digest: "s"), container: .matroska)
    stitcher.captions = [SubtitleTrack([.init(start: 200, end: 900, text: "a")])]
    stitcher.chapters = [.init("One", start: 0), .init("Two", start: 2000)]
    let path = folder.path("out.mkv")
    try stitcher.write(to: path, cancellation: Cancellation())
    #expect(try Frames(path).times.min() == 0)
    #expect(try Frames(path, stream: "s:0").times == [0.2])
    let start = try #require(try Frames(path, stream: "a:0").times.min())
    #expect((codec == .opus ? -0.008...0 : 0...0.002).contains(start), "\(start)")
    // The pixels are square, and the only video and audio tracks are the default ones.
    let shown = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=sample_aspect_ratio:stream_disposition=default",
        "-show_format", "-of", "flat", path,
      ]
    ).text
    for words in [
      "stream.0.disposition.default=1", "stream.1.disposition.default=1",
      "stream.2.disposition.default=0", "stream.0.sample_aspect_ratio=\"1:1\"",
    ] {
      #expect(shown.contains(words), "\(words)\n\(shown)")
    }
    let length = try #require(
      shown.split(separator: "\n").first { $0.hasPrefix("format.duration") }?.split(separator: "\"")
        .last.flatMap { Double($0) })
    #expect(abs(length - 3) < 0.03, "\(length)")
    // DisplayUnit (0x54B2) would change the unit from pixels.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.range(of: Data([0x54, 0xb2, 0x81])) == nil)
  }

  @Test(
    "Captions are off until the viewer turns them on, unless they are a default",
    arguments: OutputContainer.videos, [false, true])
  func defaultCaptions(container: OutputContainer, isDefault: Bool) throws {
    let folder = try TemporaryFolder()
    var stitcher = Stitcher(
      segments: try TestPieces.segments(
        folder, [0..<60], settings(container == .webm ? "libvpx-vp9" : "libx264")),
      soundtrack: nil, container: container)
    stitcher.captions = ["eng", "deu"].map {
      SubtitleTrack([.init(start: 200, end: 900, text: "a")], language: $0)
    }
    stitcher.captions[1].isDefault = isDefault
    let path = folder.path("out.\(container.rawValue)")
    try stitcher.write(to: path, cancellation: Cancellation())
    let shown = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "s", "-show_entries", "stream_disposition=default", "-of",
        "csv=p=0", path,
      ]
    ).text
    #expect(shown.split(separator: "\n") == ["0", isDefault ? "1" : "0"], "\(shown)")
  }

  @Test("Sound alone, and sound in a separate file")
  func soundOnly() throws {
    let folder = try TemporaryFolder()
    try TestPieces.encodeSound(seconds: 1, to: folder.path("sound"))
    let stitcher = Stitcher(
      segments: [], soundtrack: Stitcher.Input(path: folder.path("sound")), container: .mp4)
    try stitcher.write(to: folder.path("out.m4a"), cancellation: Cancellation())
    let samples = try Tool.ffmpeg(["-i", folder.path("out.m4a"), "-f", "s16le", "-"])
    #expect(abs(samples.count / 4 - 48_000) <= 1024)
  }

  @Test("Pieces of different outputs are refused")
  func gaps() throws {
    let folder = try TemporaryFolder()
    let pieces =
      try TestPieces.segments(folder, [0..<10], settings())
      + TestPieces.segments(folder, [0..<10], settings("libvpx-vp9"), name: "t")
    let stitcher = Stitcher(segments: pieces, soundtrack: nil, container: .mp4)
    #expect(throws: Stitcher.Failure.self) {
      try stitcher.write(to: folder.path("out"), cancellation: Cancellation())
    }
    #expect(!folder.names.contains("out"))
  }

  @Test("A caption that is too long for the format ends after a complete character")
  func longCaption() throws {
    let folder = try TemporaryFolder()
    var stitcher = Stitcher(
      segments: try TestPieces.segments(folder, [0..<30], settings()), soundtrack: nil,
      container: .mp4)
    let text = "a" + String(repeating: "ü", count: 40_000)
    stitcher.captions = [SubtitleTrack([.init(start: 0, end: 500, text: text)])]
    let path = folder.path("out.mp4")
    try stitcher.write(to: path, cancellation: Cancellation())
    let shown = try Tool.ffmpeg(["-i", path, "-map", "0:s", "-f", "srt", "-"])
    #expect(String(decoding: shown, as: UTF8.self).split(separator: "\n")[2].utf8.count == 65535)
  }

  @Test("Captions are in order and do not overlap")
  func cues() {
    let track = SubtitleTrack([
      .init(start: 1000, end: 3000, text: "b"), .init(start: 0, end: 2000, text: "a"),
      .init(start: 2000, end: 2000, text: "none"), .init(start: 2500, end: 2600, text: ""),
    ])
    #expect(
      track.cues == [
        .init(start: 0, end: 1000, text: "a"), .init(start: 1000, end: 3000, text: "b"),
      ])
  }
}

@Suite(.timed) struct PacketFileTests {
  /// Writes the file of a small soundtrack.
  private func sample(_ folder: TemporaryFolder, digest: String = "abc") throws -> String {
    let path = folder.path("a.tsnd")
    var encoder = try AudioEncoder.open(SoundEncoderSettings(bitRate: 64_000))
    var writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Header(
        digest: digest, segment: nil, range: 0..<2048, parameters: try encoder.parameters()))
    for packet in try encoder.encode([Float](repeating: 0.25, count: 2048).span) {
      try writer.append(packet)
    }
    for packet in try encoder.finish() { try writer.append(packet) }
    #expect(folder.names.count == 1 && folder.names[0].hasSuffix(".part"))
    try writer.finish(note: "done")
    return path
  }

  @Test("Written files can be read")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    var reader = try PacketFileReader(try sample(folder), digest: "abc")
    #expect(folder.names == ["a.tsnd"])
    #expect(reader.tail.note == "done")
    #expect(reader.head.parameters.codec == "aac")
    #expect(reader.head.parameters.priming == 1024)
    var times: [Double] = []
    while let packet = try reader.next() { times.append(packet.decodingSeconds) }
    #expect(times.count == reader.tail.packetCount)
    #expect(times[0] == -1024.0 / 48_000)
  }

  @Test("An abandoned file leaves nothing")
  func abandoned() throws {
    let folder = try TemporaryFolder()
    do {
      let encoder = try AudioEncoder.open(SoundEncoderSettings(bitRate: 64_000))
      let writer = try PacketFileWriter.create(
        folder.path("a"),
        head: PacketFile.Header(
          digest: "", segment: nil, range: 0..<1, parameters: try encoder.parameters()))
      _ = consume writer
    }
    #expect(folder.names.isEmpty)
  }

  @Test("Every truncated file, and every changed byte, is refused")
  func damage() throws {
    let folder = try TemporaryFolder()
    let path = try sample(folder)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var generator = SplitMix64(seed: 3)
    let other = folder.path("other")
    for count in [0, 3, 8, 9, 40, whole.count / 2, whole.count - 20, whole.count - 1] {
      try whole.prefix(count).write(to: URL(fileURLWithPath: other))
      #expect(throws: PacketFile.OpenError.self, "\(count)") { _ = try PacketFileReader(other) }
    }
    for _ in 0..<200 {
      var changed = whole
      let place = Int.random(in: 0..<whole.count, using: &generator)
      changed[place] ^= UInt8.random(in: 1...255, using: &generator)
      try changed.write(to: URL(fileURLWithPath: other))
      #expect(throws: PacketFile.OpenError.self, "\(place)") { _ = try PacketFileReader(other) }
    }
    try (whole + [0]).write(to: URL(fileURLWithPath: other))
    #expect(throws: PacketFile.OpenError.self) { _ = try PacketFileReader(other) }
  }

  @Test("Other files, other inputs and missing files have distinct errors")
  func refusals() throws {
    let folder = try TemporaryFolder()
    let path = try sample(folder)
    let reason = { (path: String, digest: String?) -> PacketFile.OpenError.Reason? in
      do throws(PacketFile.OpenError) {
        _ = try PacketFileReader(path, digest: digest)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason(path, "abc") == nil)
    #expect(reason(path, "abd") == .outdated)
    #expect(reason(folder.path, nil) == .unreadable("it is not a regular file"))
    #expect(reason(folder.path("none"), nil) == .unreadable("No such file or directory"))
    try Data("RIFF of another kind".utf8).write(to: URL(fileURLWithPath: path))
    #expect(reason(path, nil) == .foreign)
  }
}
