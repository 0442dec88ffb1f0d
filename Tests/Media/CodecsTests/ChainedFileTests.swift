import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Several recordings concatenated in one file.
@Suite(.timed) struct ChainedFileTests {
  /// Checks that a file contains two recordings of 2 s each, one after another.
  private static func expectTwo(_ scan: MediaScanResult, tolerance: Double = 0.05) {
    for kind in Set(scan.file.tracks.map(\.stream.kind)) {
      let tracks = scan.file.tracks(kind)
      #expect(tracks.map(\.link) == [0, 1])
      let packets = tracks.map(\.packets)
      #expect(
        packets.first?.lowerBound == 0 && packets.first?.upperBound == packets.last?.lowerBound)
      for (track, start) in zip(tracks, [0.0, 2]) {
        #expect(abs(track.start.seconds - start) < tolerance)
        #expect(abs(track.end.seconds - start - 2) < tolerance)
      }
    }
  }

  @Test func linksOfAChainAreConsecutive() throws {
    let folder = try TemporaryFolder()
    let path = try TestRecording.chain(
      TestRecording.sound + ["-c:a", "libopus"], "chain.ogg", in: folder)
    let scan = try MediaFileInfo.scan(path)
    Self.expectTwo(scan)
    let second = try #require(scan.file.tracks.last)
    var reader = try SoundReader.open(
      scan.sound(second), from: scan.sound(second).packet(wellBefore: MediaTime(seconds: 3)),
      cancellation: Cancellation())
    var times: [Double] = []
    while let block = reader.next() {
      if let time = block.time { times.append(time.seconds) }
    }
    let (first, last) = (try #require(times.first), try #require(times.last))
    #expect(first > 2 && first <= 3 && last > 3.9)
    #expect(times == times.sorted())
  }

  /// FFmpeg may read the pictures of all three before any sound.
  @Test func threeFragmentedMoviesAreConsecutive() throws {
    let folder = try TemporaryFolder()
    let (one, three) = (folder.path("one.mp4"), folder.path("three.mp4"))
    try Tool.ffmpeg(
      TestRecording.pictures + TestRecording.sound + [
        "-c:v", "libx264", "-bf", "0", "-g", "25", "-c:a", "aac", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof", one,
      ])
    let bytes = try Data(contentsOf: URL(filePath: one))
    try (bytes + bytes + bytes).write(to: URL(filePath: three))
    let scan = try MediaFileInfo.scan(three)
    for kind in [StreamInfo.Kind.video, .audio] {
      let tracks = scan.file.tracks(kind)
      #expect(tracks.map(\.link) == [0, 1, 2])
      let times = tracks.flatMap(scan.times)
      #expect(abs(scan.file.duration.seconds - 6) < 0.1)
      #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < 0.1 })
    }
  }

  /// The headers of every link of an Ogg file are not media packets.
  @Test func headersOfALinkAreNotPlayed() throws {
    let folder = try TemporaryFolder()
    let path = try TestRecording.chain(
      TestRecording.sound + ["-c:a", "libopus"], "both.ogg", in: folder)
    let scan = try MediaFileInfo.scan(path)
    #expect(scan.file.losses.isEmpty)
    for track in scan.file.tracks {
      var reader = try SoundReader.open(scan.sound(track), cancellation: Cancellation())
      while reader.next() != nil {}
      #expect(reader.losses.isEmpty)
    }
  }

  /// Sparse pictures are in order, although their distances exceed the limit for disorder. With a
  /// variable rate, each picture also comes later than the previous one lasts.
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
    let scan = try MediaFileInfo.scan(path)
    let tracks = scan.file.tracks(.video)
    #expect(tracks.count == 1)
    let times = try scan.times(#require(tracks.first))
    #expect(times.count == 16)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.5) < 0.001 })
  }

  @Test(arguments: [
    ("chain.ts", ["-c:v", "libx264", "-g", "25", "-c:a", "aac"]),
    ("chain.webm", ["-c:v", "libvpx", "-g", "25", "-c:a", "libopus"]),
    ("live.webm", ["-c:v", "libvpx", "-g", "25", "-c:a", "libopus", "-live", "1"]),
    ("chain.mkv", ["-c:v", "libx264", "-bf", "2", "-g", "25", "-c:a", "aac"]),
    (
      "chain.mp4",
      [
        "-c:v", "libx264", "-bf", "2", "-g", "25", "-c:a", "aac", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof",
      ]
    ),
  ])
  func filesOfARecorderThatWasStartedTwiceAreTwoTracksOfAKind(
    name: String, options: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let path = try TestRecording.chain(
      TestRecording.pictures + TestRecording.sound + options, name, in: folder)
    let scan = try MediaFileInfo.scan(path)
    Self.expectTwo(scan, tolerance: 0.2)
    let sources = scan.file.tracks(.video).map(scan.pictures)
    let all = try sources.map { try $0.shown() }
    #expect(all.map(\.count) == [50, 50])
    #expect(all.first?.map(\.digest) == all.last?.map(\.digest))
    let times = all.joined().map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    // Reading from a position in the second part gives the same packets as sequential reading.
    let second = try #require(sources.last)
    let last = try #require(all.last?.last?.packet)
    let some = try second.shown(from: second.decodingStart(toShow: last))
    #expect(some.count < 50 && some == all.last?.suffix(some.count) ?? [])
    let start = MediaTime(seconds: 3)
    let sound = scan.sound(try #require(scan.file.tracks(.audio).last))
    let reader = try SoundReader.open(
      sound, from: sound.packet(wellBefore: start), cancellation: Cancellation())
    let first = try #require(reader.following?.time)
    #expect(first <= start && (start - first).seconds < 1.1)
  }

  @Test func sparseBFramesAreNoNewRecording() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("slow.mkv")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=1:duration=20", "-c:v", "libx264", "-bf", "3",
      "-x264-params", "b-adapt=0:b-pyramid=1", path,
    ])
    let scan = try MediaFileInfo.scan(path)
    #expect(scan.file.tracks.count == 1)
    #expect(scan.times(scan.file.tracks[0]) == (0..<20).map(Double.init))
  }
}
