import Foundation
import TesseraCodecs
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct PictureReaderTests {
  /// A way of encoding 60 pictures, with a keyframe every ten.
  struct Format: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    var testDescription: String { name }
  }

  private static let x264 = ["-c:v", "libx264", "-g", "10", "-sc_threshold", "0"]
  private static let vp8 = ["-c:v", "libvpx", "-g", "10", "-keyint_min", "10"]

  static let formats = [
    Format(name: "a.mp4", arguments: x264 + ["-bf", "3"]),
    Format(name: "open.mp4", arguments: x264 + ["-bf", "3", "-x264-params", "open-gop=1"]),
    Format(
      name: "hevc.mp4",
      arguments: [
        "-c:v", "libx265", "-x265-params",
        "keyint=10:min-keyint=10:open-gop=1:bframes=3:log-level=none",
      ]),
    Format(
      name: "fragments.mp4",
      arguments: x264 + ["-bf", "2", "-movflags", "frag_keyframe+empty_moov"]),
    Format(name: "cues.webm", arguments: vp8),
    Format(name: "live.webm", arguments: vp8 + ["-f", "webm", "-live", "1"]),
    Format(name: "h264.mkv", arguments: x264 + ["-bf", "2"]),
    Format(name: "vp9.ivf", arguments: ["-c:v", "libvpx-vp9", "-g", "10", "-keyint_min", "10"]),
    Format(name: "theora.ogg", arguments: ["-c:v", "libtheora", "-g", "10"]),
    Format(name: "h264.flv", arguments: x264 + ["-bf", "2"]),
    Format(name: "mpeg4.avi", arguments: ["-c:v", "mpeg4", "-g", "10", "-bf", "0"]),
    Format(name: "h264.ts", arguments: x264 + ["-bf", "2"]),
    Format(name: "raw.264", arguments: x264 + ["-bf", "2"]),
    Format(name: "raw.y4m", arguments: ["-pix_fmt", "yuv420p"]),
    Format(
      name: "fields.mp4",
      arguments: x264 + [
        "-vf", "tinterlace=interleave_top", "-flags", "+ildct+ilme", "-x264-params", "tff=1",
      ]),
  ]

  @Test(arguments: formats)
  func everyPictureIsTheSameFromAnyStart(format: Format) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(format.name)
    let input = ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2.4"]
    try Tool.ffmpeg(input + format.arguments + [path])
    let source = try #require(try PictureSource.preferred(path))
    let all = try source.shown()
    let count = format.name == "fields.mp4" ? 30 : 60
    #expect(all.count == count)
    #expect(all.map(\.time) == all.map(\.time).sorted())
    #expect(Set(all.map(\.digest)).count == count)
    #expect(source.index.keyframes.count >= count / 10)
    try expectSame(source, all, at: all.indices)
  }

  /// Starts reading at the start packet of each of the pictures at `indices`, and compares.
  private func expectSame(
    _ source: PictureSource, _ all: [ShownPicture], at indices: some Sequence<Int>
  ) throws {
    for index in indices {
      let start = source.decodingStart(toShow: all[index].packet)
      let pictures = try source.shown(from: start, count: all.count)
        .drop { source.shows($0.packet, before: all[index].packet) }
      #expect(Array(pictures.prefix(3)) == Array(all[index...].prefix(3)))
    }
  }

  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: [
      "clean/person_640x360_25_h264_noaudio_b.mp4", "clean/talkinghead_qcif15_mpeg4_aac.mp4",
      "clean/webcam_640x480_vp8_opus_firefox.webm", "clean/room_360x240_30_theora_vorbis.ogg",
      "clean/lecture_480x360_25_h264_aac.flv", "clean/screenshare_800x508_10_vp9.webm",
      "clean/foreman_cif_h264_annexb.264", "edge/av_offset_video_starts_0.85s.mp4",
      "edge/vfr_chrome57_mediarecorder_vp8_opus.webm",
      "edge/svc_av1_L2T2_kristen_sara_1280x720.ivf",
      "edge/reschange_60x40_30x20_vp8.webm", "edge/reschange_h264_two_stsd.mp4",
      "edge/reschange_vp9_resize_352x288_282x173.ivf", "edge/derived_start_time_5s_vp8_opus.webm",
      "edge/interlaced_tff_640x360_25_h264.mp4", "edge/h264_444_320x180.mkv",
      "edge/multitrack_2v2a_subs_320x180_480x270.mp4", "edge/fps60_320x240_h264_aac_5s.mp4",
    ])
  func realRecordingsToo(name: String) throws {
    let source = try #require(try PictureSource.preferred(SharedMedia.path(name)))
    let all = try source.shown()
    #expect(!all.isEmpty)
    #expect(all.map(\.time) == all.map(\.time).sorted())
    let step = max(1, all.count / 4)
    try expectSame(source, all, at: stride(from: all.count - 1, to: 0, by: -step))
  }

  @Test func sizeChangesAreDeliveredWholeAndDeinterlaced() throws {
    let folder = try TemporaryFolder()
    var data = Data()
    for (index, size) in ["96x64", "64x96", "96x64"].enumerated() {
      let part = folder.path("\(index).ts")
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=50:duration=1", "-vf",
        "tinterlace=interleave_top", "-c:v", "libx264", "-bf", "0", "-flags", "+ildct+ilme",
        "-x264-params", "tff=1", "-output_ts_offset", "\(index)", part,
      ])
      data += try Data(contentsOf: URL(filePath: part))
    }
    let path = folder.path("changes.ts")
    try data.write(to: URL(filePath: path))
    var source = try #require(try PictureSource.preferred(path))
    for isInterlaced in [false, true] {
      source.isInterlaced = isInterlaced
      let all = try source.shown()
      let wide = PixelSize(width: 96, height: 64)
      let sizes = [wide, wide.transposed, wide].flatMap { Array(repeating: $0, count: 25) }
      #expect(all.map(\.size) == sizes)
      #expect(all.map(\.time) == all.map(\.time).sorted())
    }
  }

  /// Returns the mean difference between rows and the mean of their neighbors.
  private static func combing(_ plane: Plane) -> Double {
    var sum = 0
    for y in stride(from: 1, to: plane.size.height - 1, by: 2) {
      for x in 0..<plane.size.width {
        sum += abs(2 * Int(plane[x, y]) - Int(plane[x, y - 1]) - Int(plane[x, y + 1]))
      }
    }
    return Double(sum) / Double(plane.size.width * plane.size.height)
  }

  @Test func fieldPairsBecomeWholePictures() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("fields.mp4")
    // A gray bar that moves by four pixels per field.
    try Tool.ffmpeg([
      "-f", "lavfi", "-i",
      "color=black:size=128x64:rate=50:duration=1,format=yuv420p,"
        + "geq=lum='if(between(mod(X-4*N,128),0,31),200,16)':cb=128:cr=128",
      "-vf", "tinterlace=interleave_top", "-c:v", "libx264", "-qp", "4", "-flags", "+ildct+ilme",
      "-x264-params", "tff=1", path,
    ])
    let source = try #require(try PictureSource.preferred(path))
    #expect(source.isInterlaced)
    var plain = source
    plain.isInterlaced = false
    let (whole, combed) = (try source.pictures(), try plain.pictures())
    #expect(whole.map(\.packet) == combed.map(\.packet))
    for index in 2..<whole.count - 2 {
      let left = Self.combing(whole[index].picture.luma)
      #expect(left < 0.35 * Self.combing(combed[index].picture.luma))
    }
  }

  @Test func damageIsCountedAndReadingContinues() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("damaged.mkv")
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2.4"] + Self.x264 + [path])
    let whole = try #require(try PictureSource.preferred(path)).shown()
    var data = try Data(contentsOf: URL(filePath: path))
    var random = SplitMix64(seed: 5)
    let middle = data.count * 4 / 10..<data.count * 5 / 10
    for _ in 0..<200 { data[Int.random(in: middle, using: &random)] = 0 }
    try data.write(to: URL(filePath: path))
    let source = try #require(try PictureSource.preferred(path))
    var reader = try PictureReader.open(source, cancellation: Cancellation())
    let shown = reader.shown(of: source)
    #expect(!reader.isWhole && !reader.takeLosses().isEmpty)
    #expect(shown.first == whole.first)
    #expect(shown.last?.time == whole.last?.time && shown.last?.digest == whole.last?.digest)
  }

  @Test func aCancelledReaderEnds() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=size=96x64:duration=1"] + Self.x264 + [path])
    let source = try #require(try PictureSource.preferred(path))
    let cancellation = Cancellation()
    var reader = try PictureReader.open(source, cancellation: cancellation)
    #expect(reader.next() != nil)
    cancellation.cancel()
    #expect(reader.next() == nil)
  }
}
