import Foundation
import Media
import TestSupport
import Testing
import Timeline

@Suite struct MediaFileScanTests {
  private static let pictures = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2"]
  private static let sound = [
    "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=2",
  ]

  private static func scan(_ path: String) throws -> MediaFile {
    try MediaFile.scan(path, cancellation: Cancellation())
  }

  /// Where the pictures and the sound lie after the file's beginning, in seconds.
  private static func starts(_ file: MediaFile) -> (pictures: Double?, sound: Double?) {
    let start = { (kind: StreamInfo.Kind) in
      file.preferred(kind).first.map { file.interval(of: $0).start.seconds }
    }
    return (start(.video), start(.audio))
  }

  /// Adds `ticks` to the decoding time of the only fragment, as in a recording of a longer call.
  private static func delayFragment(in path: String, by ticks: UInt64) throws {
    var data = try Data(contentsOf: URL(filePath: path))
    let box = try #require(data.range(of: Data("tfdt".utf8)))
    for byte in 0..<8 {
      data[box.upperBound + 4 + byte] = UInt8(truncatingIfNeeded: ticks >> (56 - 8 * byte))
    }
    try data.write(to: URL(filePath: path))
  }

  @Test func everyPacketOfEveryStreamIsFound() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Tool.ffmpeg(
      Self.pictures + Self.sound
        + [
          "-c:v", "libx264", "-g", "10", "-bf", "2", "-c:a", "aac", "-metadata", "title=Ada", path,
        ])
    let file = try Self.scan(path)
    let track = try #require(file.preferred(.video).first)
    #expect(track.index.ticks.count == 50)
    #expect(Set(track.index.ticks).count == 50)
    #expect(track.index.ticks != track.index.ticks.sorted())
    #expect(track.index.keyframes.map(\.packet) == [0, 10, 20, 30, 40])
    #expect(file.interval(of: track) == TimeInterval(start: .zero, end: MediaTime(seconds: 2)))
    #expect(file.duration == MediaTime(seconds: 2))
    #expect(file.title == "Ada")
    #expect(file.damage.isEmpty)
    let data = try JSONEncoder().encode(file)
    let again = try JSONDecoder().decode(MediaFile.self, from: data)
    #expect(again.tracks.map(\.index) == file.tracks.map(\.index))
  }

  @Test func editListThatDelaysOneTrackDelaysItAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("late.mp4")
    try Tool.ffmpeg(
      ["-itsoffset", "0.8"] + Self.pictures + Self.sound
        + ["-vsync", "0", "-c:v", "libx264", "-c:a", "aac", path])
    let file = try Self.scan(path)
    #expect(file.zero == .zero)
    let starts = Self.starts(file)
    #expect(abs((starts.pictures ?? 0) - 0.8) < 0.001)
    #expect(abs(starts.sound ?? 1) < 0.022)
  }

  @Test func editListsThatDelayAllTracksCount() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("late.mp4")
    try Tool.ffmpeg(
      ["-itsoffset", "3"] + Self.pictures + ["-itsoffset", "4"] + Self.sound
        + ["-vsync", "0", "-c:v", "libx264", "-c:a", "aac", path])
    let file = try Self.scan(path)
    #expect(file.zero == .zero)
    #expect(abs((Self.starts(file).pictures ?? 0) - 3) < 0.001)
  }

  @Test func fragmentsCarryAClockOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("fragments.mp4")
    try Tool.ffmpeg(
      Self.pictures + [
        "-c:v", "libx264", "-bf", "0", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof", path,
      ])
    try Self.delayFragment(in: path, by: 5 * 12_800)
    let file = try Self.scan(path)
    #expect(file.zero == MediaTime(seconds: 5))
    #expect(file.duration == MediaTime(seconds: 2))
  }

  @Test(arguments: ["webm", "mkv"])
  func fileThatBeginsLateBeginsWithItsFirstPicture(container: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("late.\(container)")
    try Tool.ffmpeg(
      Self.pictures + Self.sound
        + ["-c:v", "libvpx", "-c:a", "libopus", "-output_ts_offset", "5", path])
    let file = try Self.scan(path)
    // The muxer makes the sound, which begins with 6.5 ms for the decoder only, begin at 4.986 s.
    #expect(abs(file.zero.seconds - 4.993) <= 0.001)
    let starts = Self.starts(file)
    #expect(abs((starts.pictures ?? 1) - 0.007) <= 0.001)
    #expect(abs((file.duration - MediaTime(seconds: 2)).seconds) < 0.025)
  }

  @Test func rawStreamsAreCounted() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("raw.264")
    try Tool.ffmpeg(Self.pictures + ["-c:v", "libx264", "-g", "10", path])
    let file = try Self.scan(path)
    let index = try #require(file.tracks.first?.index)
    #expect(index.isCounted)
    #expect(index.ticks == Array(0..<50))
    #expect(index.timeBase == Ratio(1, 25))
    #expect(file.duration == MediaTime(seconds: 2))
  }

  @Test func truncatedFilesAreReadAsFarAsTheyGo() throws {
    let folder = try TemporaryFolder()
    for (name, options) in [
      ("a.mp4", ["-c:v", "libx264", "-movflags", "faststart"]), ("a.webm", ["-c:v", "libvpx"]),
    ] {
      let path = folder.path(name)
      try Tool.ffmpeg(Self.pictures + options + [path])
      let whole = try Self.scan(path)
      #expect(whole.damage.isEmpty)
      let data = try Data(contentsOf: URL(filePath: path))
      try data.prefix(data.count * 6 / 10).write(to: URL(filePath: path))
      let part = try Self.scan(path)
      #expect(!part.damage.isEmpty)
      let (found, all) = (part.tracks[0].index.ticks, whole.tracks[0].index.ticks)
      #expect(!found.isEmpty && found.count < all.count)
      #expect(found == Array(all.prefix(found.count)))
    }
  }

  @Test func trackWithMostPacketsIsPreferred() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("two.mkv")
    try Tool.ffmpeg(
      Self.pictures + ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=50:duration=2"]
        + ["-map", "0", "-map", "1", "-c:v", "libx264", "-disposition:v", "0", path])
    #expect(try Self.scan(path).preferred(.video).map(\.stream.index) == [1, 0])
    let marked = folder.path("marked.mkv")
    try Tool.ffmpeg([
      "-i", path, "-map", "0", "-c", "copy", "-disposition:v:0", "default", "-disposition:v:1", "0",
      marked,
    ])
    #expect(try Self.scan(marked).preferred(.video).map(\.stream.index) == [0, 1])
  }

  @Test func cancelledScanSaysSo() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    try Tool.ffmpeg(Self.pictures + ["-c:v", "libx264", path])
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: MediaError(path: path, reason: .cancelled)) {
      try MediaFile.scan(path, cancellation: cancellation)
    }
  }

  struct Recording: CustomTestStringConvertible, Sendable {
    var name: String
    var zero = 0
    var pictures: Int?
    var sound: Int?
    var end: Int
    var testDescription: String { name }
  }

  /// Times in milliseconds, worked out from the boxes and elements of the files.
  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: [
      Recording(name: "av_offset_video_starts_0.85s.mp4", pictures: 852, sound: 8, end: 10_028),
      Recording(name: "editlist_positive_shift_1080p.mp4", pictures: 1000, sound: 0, end: 10_005),
      Recording(name: "editlist_empty_5s.mp4", pictures: 5000, end: 15_000),
      Recording(name: "fragmented_duration_lies_143165s.mp4", pictures: 67, sound: 0, end: 1068),
      Recording(
        name: "derived_start_time_5s_vp8_opus.webm", zero: 4993, pictures: 7, sound: -7, end: 4007),
      Recording(name: "container_longer_than_streams.mp4", pictures: 0, sound: -12, end: 1000),
    ])
  func realRecordingsBeginWhereTheyShould(_ recording: Recording) throws {
    let file = try Self.scan(SharedMedia.path("edge/\(recording.name)"))
    let near = { (time: Double, milliseconds: Int) in
      abs(time - Double(milliseconds) / 1000) < 0.002
    }
    #expect(near(file.zero.seconds, recording.zero))
    let starts = Self.starts(file)
    if let expected = recording.pictures { #expect(near(starts.pictures ?? -99, expected)) }
    if let expected = recording.sound { #expect(near(starts.sound ?? -99, expected)) }
    #expect(near(file.duration.seconds, recording.end))
  }

  /// The times of the packets of one stream where only that is read.
  private static func ticks(of stream: Int, in path: String) throws -> [Int64] {
    let demuxer = try Demuxer.open(path, cancellation: Cancellation())
    demuxer.select(stream: stream)
    let packet = try Packet.allocate()
    var ticks: [Int64] = []
    while try demuxer.read(into: packet) {
      if let time = packet.presentationTicks { ticks.append(time) }
      packet.clear()
    }
    return ticks
  }

  /// Two recordings of `arguments`, one behind the other in one file.
  private static func chain(_ arguments: [String], _ name: String, in folder: TemporaryFolder)
    throws
    -> String
  {
    let parts = ["first.", "second."].map { folder.path($0 + name) }
    for part in parts { try Tool.ffmpeg(arguments + [part]) }
    let path = folder.path(name)
    let whole = try parts.reduce(into: Data()) {
      $0.append(try Data(contentsOf: URL(filePath: $1)))
    }
    try whole.write(to: URL(filePath: path))
    return path
  }

  @Test func linksOfAChainFollowEachOther() throws {
    let folder = try TemporaryFolder()
    let path = try Self.chain(Self.sound + ["-c:a", "libopus"], "chain.ogg", in: folder)
    let file = try Self.scan(path)
    let track = try #require(file.preferred(.audio).first)
    #expect(abs(file.interval(of: track).duration.seconds - 4) < 0.05)
    var reader = try SoundReader.open(
      path, stream: 0, from: file.zero + MediaTime(seconds: 3), cancellation: Cancellation())
    var times: [Double] = []
    while let block = reader.next() {
      if let time = block.time { times.append((time - file.zero).seconds) }
    }
    let (first, last) = (try #require(times.first), try #require(times.last))
    #expect(first > 2 && first <= 3 && last > 3.9)
    #expect(times == times.sorted())
  }

  /// FFmpeg may read the pictures of all three before any sound.
  @Test func threeFragmentedMoviesFollowEachOther() throws {
    let folder = try TemporaryFolder()
    let (one, three) = (folder.path("one.mp4"), folder.path("three.mp4"))
    try Tool.ffmpeg(
      Self.pictures + Self.sound + [
        "-c:v", "libx264", "-bf", "0", "-g", "25", "-c:a", "aac", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof", one,
      ])
    let bytes = try Data(contentsOf: URL(filePath: one))
    try (bytes + bytes + bytes).write(to: URL(filePath: three))
    let file = try Self.scan(three)
    for track in file.tracks {
      #expect(abs(file.interval(of: track).duration.seconds - 6) < 0.1)
      let times = track.index.ticks.sorted().map { track.index.time(ticks: $0, zero: file.zero) }
      #expect(zip(times, times.dropFirst()).allSatisfy { ($1 - $0).seconds < 0.1 })
    }
  }

  /// The headers that come with every link are neither pictures nor sound.
  @Test func headersOfALinkAreNotPlayed() throws {
    let folder = try TemporaryFolder()
    let (one, both) = (folder.path("one.ogv"), folder.path("both.ogv"))
    try Tool.ffmpeg(Self.pictures + Self.sound + ["-c:v", "libtheora", "-c:a", "libopus", one])
    let bytes = try Data(contentsOf: URL(filePath: one))
    try (bytes + bytes).write(to: URL(filePath: both))
    let file = try Self.scan(both)
    let track = try #require(file.preferred(.video).first)
    #expect(track.index.ticks.count == 100 && file.damage.isEmpty)
    #expect(abs(file.duration.seconds - 4) < 0.05)
    #expect(try PictureSource(track, of: file).shown().count == 100)
  }

  /// A few pictures a second, whose distances are more than disorder, are in order all the same;
  /// with a variable rate each also comes later than the one before lasts.
  @Test(arguments: [
    ("sparse.ts", "testsrc=size=64x48:rate=2:duration=8", ["-c:v", "libx264"]),
    ("sparse.ogv", "testsrc=size=64x48:rate=2:duration=8", ["-c:v", "libtheora"]),
    (
      "variable.ts", "testsrc=size=64x48:rate=30:duration=8,select=not(mod(n\\,15))",
      ["-vsync", "vfr", "-c:v", "libx264", "-bf", "0"]
    ),
  ])
  func fewPicturesASecondStayWhereTheyAre(name: String, source: String, options: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(name)
    try Tool.ffmpeg(["-f", "lavfi", "-i", source] + Self.sound + options + [path])
    let track = try #require(try Self.scan(path).preferred(.video).first)
    #expect(!track.index.isChained && track.index.ticks.count == 16)
    let times = track.index.ticks.sorted().map { track.index.time(ticks: $0, zero: .zero).seconds }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.5) < 0.001 })
  }

  @Test func chainedTransportStreamsKeepPicturesAndSoundTogether() throws {
    let folder = try TemporaryFolder()
    let path = try Self.chain(
      Self.pictures + Self.sound + ["-c:v", "libx264", "-c:a", "aac"], "chain.ts", in: folder)
    let file = try Self.scan(path)
    let intervals = try [StreamInfo.Kind.video, .audio].map {
      file.interval(of: try #require(file.preferred($0).first))
    }
    for interval in intervals { #expect(abs(interval.duration.seconds - 4) < 0.2) }
    #expect(abs(intervals[0].end.seconds - intervals[1].end.seconds) < 0.1)
    #expect(try #require(file.preferred(.video).first).index.ticks.count == 100)
    for track in file.tracks {
      #expect(try Self.ticks(of: track.stream.index, in: path) == track.index.ticks)
    }
  }

  @Test(arguments: [
    ("chain.webm", ["-c:v", "libvpx", "-g", "25", "-c:a", "libopus"]),
    ("chain.mkv", ["-c:v", "libx264", "-bf", "2", "-g", "25", "-c:a", "aac"]),
    (
      "chain.mp4",
      [
        "-c:v", "libx264", "-bf", "2", "-g", "25", "-c:a", "aac", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof",
      ]
    ),
  ])
  func filesOfARecorderThatWasStartedTwiceFollowEachOther(
    name: String, options: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let path = try Self.chain(Self.pictures + Self.sound + options, name, in: folder)
    let file = try Self.scan(path)
    let track = try #require(file.preferred(.video).first)
    #expect(track.index.isChained && track.index.ticks.count == 100)
    for track in file.tracks {
      #expect(abs(file.interval(of: track).duration.seconds - 4) < 0.1)
    }
    let source = PictureSource(track, of: file)
    let all = try source.shown()
    #expect(all.count == 100 && zip(all, all.dropFirst()).allSatisfy { $0.time < $1.time })
    // What is read from a place in the second part is what is read through.
    let keyframe = track.index.keyframes.count - 1
    let last = try source.shown(from: keyframe)
    #expect(last.count == 25 && last == all.suffix(25))
    let start = file.zero + MediaTime(seconds: 3)
    var sound = try SoundReader.open(
      path, stream: try #require(file.preferred(.audio).first).stream.index, isChained: true,
      from: start, cancellation: Cancellation())
    let first = try #require(sound.next()?.time)
    #expect(first <= start && (start - first).seconds < 1.1)
  }

  /// A slide may stand for longer than a minute; a damaged packet says so without its container.
  @Test func aPictureStandsAsLongAsItsMovieSays() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("slide.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=1/70:duration=70", "-frames:v", "1", "-c:v",
      "libx264", path,
    ])
    #expect(try Self.scan(path).duration.seconds == 70)
    var data = try Data(contentsOf: URL(filePath: path))
    for box in ["mdhd", "tkhd", "mvhd"] {
      let place = try #require(data.range(of: Data(box.utf8))).upperBound
      let duration = box == "tkhd" ? place + 20 : place + 16
      data.replaceSubrange(duration..<duration + 4, with: [0, 0, 0, 1])
    }
    try data.write(to: URL(filePath: path))
    #expect(try Self.scan(path).duration.seconds < 1)
  }

  @Test func bFramesAtAFewPicturesASecondAreNoNewBeginning() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("slow.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=1:duration=20", "-c:v", "libx264", "-bf", "3",
      "-x264-params", "b-adapt=0:b-pyramid=1", path,
    ])
    let file = try Self.scan(path)
    let track = try #require(file.preferred(.video).first)
    #expect(!track.index.isChained)
    #expect(Set(track.index.ticks) == Set((0..<20).map { 1000 * $0 }))
  }

  @Test func aMovieThatIsCutOffOrFollowedByAnotherIsDamaged() throws {
    let folder = try TemporaryFolder()
    let (fragments, cut) = (folder.path("fragments.mp4"), folder.path("cut.mp4"))
    try Tool.ffmpeg(
      Self.pictures + [
        "-c:v", "libx264", "-g", "10", "-movflags", "frag_keyframe+empty_moov", fragments,
      ])
    #expect(try Self.scan(fragments).damage.isEmpty)
    let trailed = folder.path("trailed.mp4")
    try (Data(contentsOf: URL(filePath: fragments)) + Data("what is no box".utf8)).write(
      to: URL(filePath: trailed))
    #expect(try Self.scan(trailed).damage.isEmpty)
    // The last fragment's samples, a few of them missing, without the index behind them.
    let data = try Data(contentsOf: URL(filePath: fragments))
    let index = try #require(data.range(of: Data("mfra".utf8)))
    try data.prefix(index.lowerBound - 4 - 20).write(to: URL(filePath: cut))
    let damage = try Self.scan(cut).damage
    let words = "the file is cut off, and lacks at least 20 bytes"
    #expect(damage.first?.hasPrefix(words) == true, "\(damage)")
    let path = try Self.chain(Self.pictures + ["-c:v", "libx264"], "two.mp4", in: folder)
    #expect(try Self.scan(path).damage.first?.hasPrefix("another movie follows") == true)
  }

  @Test func aFewPacketsWithoutTimesDoNotMakeThemUp() throws {
    let folder = try TemporaryFolder()
    let (first, path) = (folder.path("first.ts"), folder.path("codecs.ts"))
    try Tool.ffmpeg(Self.pictures + Self.sound + ["-c:v", "libx264", "-c:a", "aac", first])
    try Tool.ffmpeg(Self.pictures + Self.sound + ["-c:v", "libx265", "-c:a", "aac", path])
    // The second codec's packets, in a stream that is declared to be of the first one.
    let whole = try [first, path].reduce(into: Data()) {
      $0.append(try Data(contentsOf: URL(filePath: $1)))
    }
    try whole.write(to: URL(filePath: path))
    let file = try Self.scan(path)
    let track = try #require(file.preferred(.video).first)
    #expect(!track.index.isCounted)
    #expect(abs(file.interval(of: track).start.seconds) < 0.1)
  }
}
