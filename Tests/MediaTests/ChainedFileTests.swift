import Foundation
import TesseraMedia
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Recordings that lie one behind the other in one file.
@Suite struct ChainedFileTests {
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

  @Test func linksOfAChainFollowEachOther() throws {
    let folder = try TemporaryFolder()
    let path = try TestRecording.chain(
      TestRecording.sound + ["-c:a", "libopus"], "chain.ogg", in: folder)
    let file = try MediaFile.scan(path)
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
      TestRecording.pictures + TestRecording.sound + [
        "-c:v", "libx264", "-bf", "0", "-g", "25", "-c:a", "aac", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof", one,
      ])
    let bytes = try Data(contentsOf: URL(filePath: one))
    try (bytes + bytes + bytes).write(to: URL(filePath: three))
    let file = try MediaFile.scan(three)
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
    try Tool.ffmpeg(
      TestRecording.pictures + TestRecording.sound + ["-c:v", "libtheora", "-c:a", "libopus", one])
    let bytes = try Data(contentsOf: URL(filePath: one))
    try (bytes + bytes).write(to: URL(filePath: both))
    let file = try MediaFile.scan(both)
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
    try Tool.ffmpeg(["-f", "lavfi", "-i", source] + TestRecording.sound + options + [path])
    let track = try #require(try MediaFile.scan(path).preferred(.video).first)
    #expect(!track.index.isChained && track.index.ticks.count == 16)
    let times = track.index.ticks.sorted().map { track.index.time(ticks: $0, zero: .zero).seconds }
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.5) < 0.001 })
  }

  @Test func chainedTransportStreamsKeepPicturesAndSoundTogether() throws {
    let folder = try TemporaryFolder()
    let path = try TestRecording.chain(
      TestRecording.pictures + TestRecording.sound + ["-c:v", "libx264", "-c:a", "aac"], "chain.ts",
      in: folder)
    let file = try MediaFile.scan(path)
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
    let path = try TestRecording.chain(
      TestRecording.pictures + TestRecording.sound + options, name, in: folder)
    let file = try MediaFile.scan(path)
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

  @Test func bFramesAtAFewPicturesASecondAreNoNewBeginning() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("slow.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=1:duration=20", "-c:v", "libx264", "-bf", "3",
      "-x264-params", "b-adapt=0:b-pyramid=1", path,
    ])
    let file = try MediaFile.scan(path)
    let track = try #require(file.preferred(.video).first)
    #expect(!track.index.isChained)
    #expect(Set(track.index.ticks) == Set((0..<20).map { 1000 * $0 }))
  }
}
