import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Recordings in segments that a playlist lists.
@Suite("Recordings in segments", .timed) struct SegmentedFileTests {
  /// Writes a call of 6 s in segments of 2 s, and returns their names.
  @discardableResult
  private static func segments(
    _ folder: TemporaryFolder, _ stem: String = "ada", kind: String = "mpegts"
  ) throws -> [String] {
    let ending = kind == "fmp4" ? "m4s" : "ts"
    _ = try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=10:duration=6", "-f", "lavfi", "-i",
        "sine=duration=6:sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-g", "10",
        "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0",
        "-hls_segment_type", kind, "-hls_fmp4_init_filename", "init.mp4", "-hls_segment_filename",
        folder.path("\(stem)%d.\(ending)"), folder.path("\(stem).m3u8"),
      ])
    return (0..<3).map { "\(stem)\($0).\(ending)" }
  }

  private static func write(_ lines: [String], _ path: String) throws {
    try Data((["#EXTM3U"] + lines).joined(separator: "\n").utf8).write(
      to: URL(fileURLWithPath: path))
  }

  private static func scan(_ path: String) throws -> MediaScanResult {
    try MediaFileInfo.scan(path, cancellation: Cancellation())
  }

  /// Returns the presentation times of a track's pictures.
  private static func times(_ scan: MediaScanResult, _ track: MediaTrack) -> [Double] {
    scan.index(of: track).ticks[track.packets].map { track.clock.time(ticks: $0).seconds }.sorted()
  }

  @Test("Segments form one recording, in TS and in MP4", arguments: ["mpegts", "fmp4"])
  func whole(kind: String) throws {
    let folder = try TemporaryFolder()
    try Self.segments(folder, kind: kind)
    let scan = try Self.scan(folder.path("ada.m3u8"))
    #expect(scan.file.losses.isEmpty && scan.file.notes.isEmpty, "\(scan.file.losses)")
    let pictures = try #require(scan.file.tracks(.video).first)
    #expect(scan.file.tracks.count == 2 && pictures.packets.count == 60)
    let times = Self.times(scan, pictures)
    #expect(zip(times, 0..<60).allSatisfy { abs($0 - Double($1) / 10) < 0.002 }, "\(times)")
    #expect(abs(scan.file.duration.seconds - 6) < 0.1)
    // From the middle on, read by the packets' positions.
    var reader = try SoundReader.open(
      scan.sound(scan.file.tracks(.audio)[0]),
      from: scan.sound(scan.file.tracks(.audio)[0]).packet(wellBefore: MediaTime(seconds: 5)),
      cancellation: Cancellation())
    var last = 0.0
    while let block = reader.next() { last = block.time?.seconds ?? last }
    #expect(last > 5.9)
  }

  @Test("Byte ranges of one file work like several files")
  func ranges() throws {
    let folder = try TemporaryFolder()
    let names = try Self.segments(folder)
    let (plain, path) = (try Self.scan(folder.path("ada.m3u8")), folder.path("one.m3u8"))
    var (lines, all) = ([String](), Data())
    for name in names {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
      lines += ["#EXT-X-BYTERANGE:\(data.count)@\(all.count)", "#EXTINF:2,", "one.ts"]
      all += data
    }
    try all.write(to: URL(fileURLWithPath: folder.path("one.ts")))
    try Self.write(lines + ["#EXT-X-ENDLIST"], path)
    let scan = try Self.scan(path)
    #expect(scan.indexes == plain.indexes && scan.file.tracks == plain.file.tracks)
  }

  @Test("A missing segment is a reported gap, and the rest keeps its times")
  func hole() throws {
    let folder = try TemporaryFolder()
    let names = try Self.segments(folder)
    try FileManager.default.removeItem(atPath: folder.path(names[1]))
    let scan = try Self.scan(folder.path("ada.m3u8"))
    let pictures = try #require(scan.file.tracks(.video).first)
    let times = Self.times(scan, pictures)
    #expect(times.count == 40 && abs((times.last ?? 0) - 5.9) < 0.01, "\(times)")
    let loss = try #require(scan.file.losses.first { $0.code == "missing-segments" })
    #expect(
      "\(loss)" == "1 segment from 0:02.0 to 0:04.0 is missing: ada1.ts.", "\(loss)")
    #expect(scan.file.losses.count == 1, "\(scan.file.losses)")
  }

  @Test("Runs are at their clock times, with their orientation")
  func runs() throws {
    let folder = try TemporaryFolder()
    try Self.segments(folder)
    try Self.segments(folder, "ben")
    let date = "#EXT-X-PROGRAM-DATE-TIME:2025-10-09T08:53:"
    try Self.write(
      [
        "\(date)20.500Z", "#EXTINF:2,", "ada0.ts", "#EXTINF:2,", "ada1.ts", "#EXT-X-DISCONTINUITY",
        "\(date)30Z", "#EXT-X-AGORA-ROTATE:WIDTH=64,HEIGHT=36,ROTATE=90,TIME=1", "#EXTINF:2,",
        "ben0.ts", "\(date)40Z", "#EXTINF:2,", "ben2.ts", "#EXT-X-ENDLIST",
      ], folder.path("call.m3u8"))
    let scan = try Self.scan(folder.path("call.m3u8"))
    let pictures = scan.file.tracks(.video)
    #expect(pictures.map { ($0.start.seconds * 100).rounded() / 100 } == [0, 9.5, 19.5])
    #expect(pictures.map(\.link) == [0, 1, 2] && pictures.map(\.run) == [0, 1, 2])
    #expect(pictures.map { $0.stream.video?.rotation } == [0, 270, 270])
    let ratios = pictures.compactMap(\.firstPicture?.aspectRatio)
    #expect(ratios.map { ($0 * 100).rounded() / 100 } == [1.78, 0.56, 0.56])
    #expect(scan.file.tags == [["program-date-time": "2025-10-09T08:53:20.500Z"]])
    #expect(scan.file.losses.isEmpty, "\(scan.file.losses)")
  }

  @Test(
    "Segments that a dead recorder did not list are read; a sliding window notes its missing start")
  func openEnds() throws {
    let folder = try TemporaryFolder()
    let names = try Self.segments(folder)
    try Self.write(["#EXTINF:2,", names[0]], folder.path("open.m3u8"))
    let open = try Self.scan(folder.path("open.m3u8"))
    #expect(open.file.tracks(.video).first?.packets.count == 60)
    #expect(
      open.file.notes.map { "\($0)" } == [
        "its playlist has no end: the recorder is still writing, or crashed. "
          + "2 further existing segments are read."
      ])
    try Self.write(
      ["#EXT-X-MEDIA-SEQUENCE:2", "#EXTINF:2,", names[2], "#EXT-X-ENDLIST"],
      folder.path("window.m3u8"))
    let window = try Self.scan(folder.path("window.m3u8"))
    #expect(
      window.file.losses.map { "\($0)" } == [
        "it is the end of a live stream: the playlist no longer names the 2 segments before; find "
          + "a playlist that names all."
      ])
  }

  @Test("Sound in a separate playlist is in sync with the pictures")
  func sound() throws {
    let folder = try TemporaryFolder()
    try Self.segments(folder)
    _ = try Tool.ffmpeg([
      "-i", folder.path("ada.m3u8"), "-vn", "-c", "copy", folder.path("sound.ts"),
    ])
    try Self.write(["#EXTINF:6,", "sound.ts", "#EXT-X-ENDLIST"], folder.path("sound.m3u8"))
    try Self.write(
      [
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",URI=\"sound.m3u8\"",
        "#EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO=\"a\"", "ada.m3u8", "#EXT-X-STREAM-INF:BANDWIDTH=99",
        "gone.m3u8",
      ], folder.path("call.m3u8"))
    let scan = try Self.scan(folder.path("call.m3u8"))
    #expect(scan.file.tracks(.video).count == 1 && scan.file.tracks(.audio).count == 2)
    #expect(scan.file.tracks(.audio).allSatisfy { abs($0.start.seconds) < 0.1 })
  }

  @Test(
    "Unreadable playlists are errors",
    arguments: [
      ([], "it is a playlist without segments"),
      (
        ["#EXTINF:2,", "gone.ts"],
        "none of the segments that it names exists: the first is gone.ts"
      ),
      (["#EXTINF:2,", "../ada0.ts"], "the first is ../ada0.ts"),
      (["#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXTINF:2,", "ada0.ts"], "encrypted"),
      (["#EXT-X-STREAM-INF:BANDWIDTH=1", "call.m3u8"], "it is a playlist without segments"),
      (
        ["#EXT-X-STREAM-INF:BANDWIDTH=1", "gone.m3u8"], "none of the playlists that it names exists"
      ),
      (["#EXT-X-MAP:URI=\"gone.mp4\"", "#EXTINF:2,", "ada0.ts"], "the first is gone.mp4"),
    ])
  func refusals(lines: [String], words: String) throws {
    let folder = try TemporaryFolder()
    try Self.segments(folder)
    try Self.write(lines, folder.path("call.m3u8"))
    let error = #expect(throws: MediaError.self) { try Self.scan(folder.path("call.m3u8")) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(String(describing: error))")
  }

  @Test("The cache treats a changed segment as another recording, and nothing else")
  func identity() throws {
    let folder = try TemporaryFolder()
    let names = try Self.segments(folder)
    let path = folder.path("ada.m3u8")
    let first = FileIdentity(path)
    #expect(first != nil && FileIdentity(path) == first)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path(names[1])))
    try file.seekToEnd()
    try file.write(contentsOf: Data([0]))
    try file.close()
    #expect(FileIdentity(path) != first)
    #expect(
      SegmentedFile.files(of: path).map { $0.split(separator: "/").last.map(String.init) ?? "" }
        == ["ada.m3u8"] + names)
  }

  @Test("Damaged playlists are read or refused; nothing else is opened")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let names = try Self.segments(folder)
    let entries = names.enumerated().map {
      "#EXT-X-PROGRAM-DATE-TIME:2025-10-09T08:53:2\($0 * 2).000Z\n#EXTINF:2,\n\($1)"
    }
    var random = SplitMix64(seed: 7)
    let path = folder.path("call.m3u8")
    let count = ProcessInfo.processInfo.environment["TESSERA_PLAYLISTS"].flatMap { Int($0) } ?? 40
    for number in 0..<count {
      var lines = entries
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(max(1, lines.count)))
        switch random.next() % 8 {
        case 0: if !lines.isEmpty { lines.remove(at: place) }
        case 1: lines.insert(entries[Int(random.next() % 3)], at: min(place, lines.count))
        case 2: lines.shuffle(using: &random)
        case 3: lines.insert("#EXTINF:-5e9,\n../../etc/passwd", at: min(place, lines.count))
        case 4: lines.insert("#EXT-X-DISCONTINUITY", at: min(place, lines.count))
        case 5: lines.insert("#EXTINF:99999999,\n/dev/zero", at: min(place, lines.count))
        case 6:
          lines.insert(
            "#EXT-X-PROGRAM-DATE-TIME:20\(25 + number)-01-01T00:00:00Z", at: min(place, lines.count)
          )
        default: lines.insert("#EXT-X-BYTERANGE:100@99999", at: min(place, lines.count))
        }
      }
      try Self.write(lines + ["#EXT-X-ENDLIST"], path)
      #expect(
        SegmentedFile.files(of: path).allSatisfy { $0.hasPrefix(folder.path("")) })
      guard let scan = try? Self.scan(path) else { continue }
      #expect(!scan.file.tracks.isEmpty && scan.file.duration < MediaTime(seconds: 500 * 86400))
    }
  }
}
