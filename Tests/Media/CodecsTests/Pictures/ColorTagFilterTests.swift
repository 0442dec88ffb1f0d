import TesseraPixels
import TestSupport
import Testing

@testable import TesseraCodecs

/// The color tags that are trusted, for every pair of codec and container.
@Suite(.timed) struct ColorTagFilterTests {
  /// Tags by the names in FFmpeg's options.
  struct Tags: Hashable, Sendable {
    var range: String?
    var matrix: String?

    static let none = Tags()
    static let full709 = Tags(range: "pc", matrix: "bt709")
    static let limited601 = Tags(range: "tv", matrix: "smpte170m")

    var arguments: [String] {
      // The MP4 muxer writes its box only if all values are known.
      (range.map { ["-color_range", $0] } ?? [])
        + (matrix.map { ["-colorspace", $0, "-color_primaries", $0, "-color_trc", $0] } ?? [])
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var codec: String
    var container: String
    /// The tags of the bitstream, and those of the container if they differ.
    var coded: Tags
    var contained: Tags?
    /// The true tags.
    var truth: Tags

    var testDescription: String {
      "\(codec).\(container), \(coded), \(String(describing: contained))"
    }
  }

  /// The color 34, 68, 136 in red, green and blue.
  private static let color = "0x224488"

  private static let encoders = [
    "vp8": ["libvpx"], "vp9": ["libvpx-vp9", "-cpu-used", "8"],
    "av1": ["libaom-av1", "-cpu-used", "8"], "h264": ["libx264"],
    "hevc": ["libx265", "-x265-params", "log-level=none"],
  ]

  static let cases =
    [
      ("vp8", ["webm", "mkv"]), ("vp9", ["webm", "mkv", "mp4"]), ("av1", ["webm", "mkv", "mp4"]),
      ("h264", ["mp4", "mov", "mkv"]), ("hevc", ["mp4", "mov", "mkv"]),
    ].flatMap { codec, containers in
      containers.flatMap { container -> [Case] in
        let isVP8 = codec == "vp8"
        let isRanged = ["vp9", "av1", "hevc"].contains(codec) || container == "mov"
        return [
          // Tagged and untagged: VP8 has tags in its container only.
          Case(codec: codec, container: container, coded: .full709, truth: .full709),
          Case(codec: codec, container: container, coded: .limited601, truth: .limited601),
          Case(codec: codec, container: container, coded: .none, truth: .limited601),
          // Tags in the container only. A header of VP9 and AV1 always has a range, and so has the
          // VUI that FFmpeg's libx265 writes; QuickTime's container has none.
          Case(
            codec: codec, container: container, coded: .none, contained: .full709,
            truth: isRanged ? Tags(range: "tv", matrix: "bt709") : .full709),
          // The container contradicts the bitstream.
          Case(
            codec: codec, container: container, coded: .full709, contained: .limited601,
            truth: isVP8 ? .limited601 : .full709),
          Case(
            codec: codec, container: container, coded: .limited601, contained: .full709,
            truth: isVP8 ? .full709 : .limited601),
        ]
      }
    }
    // Containers without tags.
    + [
      ("vp8", "ivf"), ("vp9", "ivf"), ("av1", "ivf"), ("h264", "ts"), ("h264", "flv"),
      ("h264", "264"), ("hevc", "ts"), ("hevc", "265"),
    ].flatMap { codec, container -> [Case] in
      [
        Case(codec: codec, container: container, coded: .none, truth: .limited601)
      ]
        + (codec == "vp8"
          ? [] : [Case(codec: codec, container: container, coded: .full709, truth: .full709)])
    }

  @Test(arguments: cases) func truth(_ example: Case) throws {
    let folder = try TemporaryFolder()
    let (coded, path) = (folder.path("coded.mkv"), folder.path("a.\(example.container)"))
    // The samples follow the true tags; the frames' own tags are removed.
    let scale =
      "scale=out_range=\(example.truth.range ?? "tv"):out_color_matrix=\(example.truth.matrix ?? "smpte170m")"
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "color=c=\(Self.color):s=64x48:r=5:d=0.2", "-vf",
        "\(scale),format=yuv420p,setparams=range=unknown:colorspace=unknown", "-c:v",
      ] + (Self.encoders[example.codec] ?? []) + example.coded.arguments + [coded])
    try Tool.ffmpeg(
      ["-i", coded, "-c", "copy"] + (example.contained?.arguments ?? []) + [path])
    let source = try #require(try PictureSource.preferred(path))
    let picture = try #require(try source.pictures(count: 1).first).picture
    #expect(picture.color.range == (example.truth.range == "pc" ? .full : .limited))
    #expect(picture.color.matrix == (example.truth.matrix == "bt709" ? .bt709 : .bt601))
    let (red, green, blue) = Self.rgb(picture)
    for (seen, wanted) in [(red, 0x22), (green, 0x44), (blue, 0x88)] {
      #expect(abs(seen - wanted) <= 3, "\(red), \(green), \(blue)")
    }
  }

  @Test(
    "HEVC without a range in its VUI has the container's range",
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)))
  func silentUsabilityInformation() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    try Tool.ffmpeg(
      ["-i", SharedMedia.path("edge/reschange_hevc_two_stsd.mp4"), "-c", "copy"]
        + Tags.full709.arguments + [path])
    let source = try #require(try PictureSource.preferred(path))
    let picture = try #require(try source.pictures(count: 1).first).picture
    #expect(picture.color == ColorSpace(matrix: .bt709, range: .full))
  }

  /// Returns the picture's color by its tags, computed here.
  private static func rgb(_ picture: Picture) -> (Int, Int, Int) {
    let isFull = picture.color.range == .full
    let y = Double(picture.luma[20, 20]), floor = isFull ? 0.0 : 16, height = isFull ? 255.0 : 219
    let half = isFull ? 255.0 : 224
    let (b, r) = (Double(picture.blue[10, 10]) - 128, Double(picture.red[10, 10]) - 128)
    let (kr, kb) = picture.color.matrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
    let luma = (y - floor) / height
    let red = luma + 2 * (1 - kr) * r / half
    let blue = luma + 2 * (1 - kb) * b / half
    let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
    return (Int((red * 255).rounded()), Int((green * 255).rounded()), Int((blue * 255).rounded()))
  }
}
