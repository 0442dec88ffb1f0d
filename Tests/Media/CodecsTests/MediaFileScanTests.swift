import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct MediaFileScanTests {
  /// Returns the start of pictures and sound relative to the file's beginning, in seconds.
  private static func starts(_ file: MediaFileInfo) -> (pictures: Double?, sound: Double?) {
    let start = { (kind: StreamInfo.Kind) in file.preferred(kind).first?.start.seconds }
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
      TestRecording.pictures + TestRecording.sound
        + [
          "-c:v", "libx264", "-g", "10", "-bf", "2", "-c:a", "aac", "-metadata", "title=Ada", path,
        ])
    let scan = try MediaFileInfo.scan(path)
    let file = scan.file
    let track = try #require(file.preferred(.video).first)
    let index = scan.index(of: track)
    #expect(index.count == 50 && Set(index.ticks).count == 50)
    #expect(Array(index.ticks) != index.ticks.sorted())
    #expect(index.keyframes == [0, 10, 20, 30, 40])
    #expect(track.start == .zero && track.end == ExactTime(2, over: 1))
    #expect(track.index == PacketIndex.name(of: index.encoded))
    #expect(file.duration == MediaTime(seconds: 2))
    #expect(file.title == "Ada")
    #expect(file.losses.isEmpty)
    let data = try JSONEncoder().encode(file)
    let again = try JSONDecoder().decode(MediaFileInfo.self, from: data)
    #expect(again == file)
  }

  @Test func editListThatDelaysOneTrackDelaysItAlone() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("late.mp4")
    try Tool.ffmpeg(
      ["-itsoffset", "0.8"] + TestRecording.pictures + TestRecording.sound
        + ["-vsync", "0", "-c:v", "libx264", "-c:a", "aac", path])
    let file = try MediaFileInfo.scan(path).file
    #expect(abs(file.containerStart.seconds) < 0.022)
    let starts = Self.starts(file)
    #expect(abs((starts.pictures ?? 0) - 0.8) < 0.001)
    #expect(abs(starts.sound ?? 1) < 0.022)
  }

  /// Every file begins with its first picture or sound, whatever its container states.
  @Test func editListsThatDelayAllTracksAreIgnored() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("late.mp4")
    try Tool.ffmpeg(
      ["-itsoffset", "3"] + TestRecording.pictures + ["-itsoffset", "4"] + TestRecording.sound
        + ["-vsync", "0", "-c:v", "libx264", "-c:a", "aac", path])
    let file = try MediaFileInfo.scan(path).file
    #expect(abs(file.containerStart.seconds - 3) < 0.001)
    #expect(file.notes.contains(.startsAt(file.containerStart)))
    let starts = Self.starts(file)
    #expect(starts.pictures == 0 && abs((starts.sound ?? 0) - 1) < 0.023)
  }

  @Test func fragmentsHaveTheirOwnClock() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("fragments.mp4")
    try Tool.ffmpeg(
      TestRecording.pictures + [
        "-c:v", "libx264", "-bf", "0", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof", path,
      ])
    try Self.delayFragment(in: path, by: 5 * 12_800)
    let file = try MediaFileInfo.scan(path).file
    #expect(file.containerStart == ExactTime(5, over: 1))
    #expect(file.duration == MediaTime(seconds: 2))
  }

  @Test(arguments: ["webm", "mkv"])
  func fileThatBeginsLateBeginsWithItsFirstPicture(container: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("late.\(container)")
    try Tool.ffmpeg(
      TestRecording.pictures + TestRecording.sound
        + ["-c:v", "libvpx", "-c:a", "libopus", "-output_ts_offset", "5", path])
    let file = try MediaFileInfo.scan(path).file
    // The muxer moves the sound, which begins with 6.5 ms of pre-roll, to 4.986 s.
    #expect(abs(file.containerStart.seconds - 4.993) <= 0.001)
    let starts = Self.starts(file)
    #expect(abs((starts.pictures ?? 1) - 0.007) <= 0.001)
    #expect(abs((file.duration - MediaTime(seconds: 2)).seconds) < 0.025)
  }

  @Test func rawStreamsAreCounted() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("raw.264")
    try Tool.ffmpeg(TestRecording.pictures + ["-c:v", "libx264", "-g", "10", path])
    let scan = try MediaFileInfo.scan(path)
    let track = try #require(scan.file.tracks.first)
    #expect(track.isCounted && track.clock.timeBase == Ratio(1, 25))
    #expect(Array(scan.index(of: track).ticks) == Array(0..<50))
    #expect(scan.file.duration == MediaTime(seconds: 2))
  }

  @Test func truncatedFilesAreReadToTheirEnd() throws {
    let folder = try TemporaryFolder()
    for (name, options) in [
      ("a.mp4", ["-c:v", "libx264", "-movflags", "faststart"]), ("a.webm", ["-c:v", "libvpx"]),
    ] {
      let path = folder.path(name)
      try Tool.ffmpeg(TestRecording.pictures + options + [path])
      let whole = try MediaFileInfo.scan(path)
      #expect(whole.file.losses.isEmpty)
      let data = try Data(contentsOf: URL(filePath: path))
      try data.prefix(data.count * 6 / 10).write(to: URL(filePath: path))
      let part = try MediaFileInfo.scan(path)
      #expect(!part.file.losses.isEmpty)
      let (found, all) = (
        part.index(of: part.file.tracks[0]).ticks, whole.index(of: whole.file.tracks[0]).ticks
      )
      #expect(!found.isEmpty && found.count < all.count)
      let isPrefix = zip(found, all).allSatisfy { $0 == $1 }
      #expect(isPrefix)
    }
  }

  @Test func trackWithMostPacketsIsPreferred() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("two.mkv")
    try Tool.ffmpeg(
      TestRecording.pictures + ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=50:duration=2"]
        + ["-map", "0", "-map", "1", "-c:v", "libx264", "-disposition:v", "0", path])
    #expect(try MediaFileInfo.scan(path).file.preferred(.video).map(\.stream.index) == [1, 0])
    let marked = folder.path("marked.mkv")
    try Tool.ffmpeg([
      "-i", path, "-map", "0", "-c", "copy", "-disposition:v:0", "default", "-disposition:v:1", "0",
      marked,
    ])
    #expect(try MediaFileInfo.scan(marked).file.preferred(.video).map(\.stream.index) == [0, 1])
  }

  @Test func aCancelledScanThrows() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    try Tool.ffmpeg(TestRecording.pictures + ["-c:v", "libx264", path])
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: MediaError(path: path, reason: .cancelled)) {
      try MediaFileInfo.scan(path, cancellation: cancellation)
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

  /// Times in milliseconds, derived by hand from the boxes and elements of the files.
  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: [
      Recording(
        name: "av_offset_video_starts_0.85s.mp4", zero: 8, pictures: 844, sound: 0, end: 10_020),
      Recording(name: "editlist_positive_shift_1080p.mp4", pictures: 1000, sound: 0, end: 10_005),
      Recording(name: "editlist_empty_5s.mp4", zero: 5000, pictures: 0, end: 10_000),
      Recording(name: "fragmented_duration_lies_143165s.mp4", pictures: 67, sound: 0, end: 1068),
      Recording(
        name: "derived_start_time_5s_vp8_opus.webm", zero: 4993, pictures: 7, sound: 0, end: 4007),
      Recording(name: "container_longer_than_streams.mp4", pictures: 0, sound: 0, end: 1000),
    ])
  func realRecordingsBeginWhereTheyShould(_ recording: Recording) throws {
    let file = try MediaFileInfo.scan(SharedMedia.path("edge/\(recording.name)")).file
    let near = { (time: Double, milliseconds: Int) in
      abs(time - Double(milliseconds) / 1000) < 0.002
    }
    #expect(near(file.containerStart.seconds, recording.zero))
    let starts = Self.starts(file)
    if let expected = recording.pictures { #expect(near(starts.pictures ?? -99, expected)) }
    if let expected = recording.sound { #expect(near(starts.sound ?? -99, expected)) }
    #expect(near(file.duration.seconds, recording.end))
  }

  /// A slide may last longer than a minute; the duration of a damaged packet is not believed
  /// without its container.
  @Test func aPictureLastsAsLongAsItsMovieStates() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("slide.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=1/70:duration=70", "-frames:v", "1", "-c:v",
      "libx264", path,
    ])
    #expect(try MediaFileInfo.scan(path).file.duration.seconds == 70)
    var data = try Data(contentsOf: URL(filePath: path))
    for box in ["mdhd", "tkhd", "mvhd"] {
      let place = try #require(data.range(of: Data(box.utf8))).upperBound
      let duration = box == "tkhd" ? place + 20 : place + 16
      data.replaceSubrange(duration..<duration + 4, with: [0, 0, 0, 1])
    }
    try data.write(to: URL(filePath: path))
    #expect(try MediaFileInfo.scan(path).file.duration.seconds < 1)
  }

  @Test func fewPacketsWithoutTimesGetNoTimes() throws {
    let folder = try TemporaryFolder()
    let (first, path) = (folder.path("first.ts"), folder.path("codecs.ts"))
    try Tool.ffmpeg(
      TestRecording.pictures + TestRecording.sound + ["-c:v", "libx264", "-c:a", "aac", first])
    try Tool.ffmpeg(
      TestRecording.pictures + TestRecording.sound + ["-c:v", "libx265", "-c:a", "aac", path])
    // The second codec's packets, in a stream declared with the first codec.
    let whole = try [first, path].reduce(into: Data()) {
      $0.append(try Data(contentsOf: URL(filePath: $1)))
    }
    try whole.write(to: URL(filePath: path))
    let track = try #require(try MediaFileInfo.scan(path).file.preferred(.video).first)
    #expect(!track.isCounted && abs(track.start.seconds) < 0.1)
  }
}
