import Foundation
import TesseraCodecs
import TesseraPixels
import TestSupport
import Testing

/// High dynamic range and wide primaries, compared with libzimg in FFmpeg's filter `zscale`.
@Suite(.timed) struct ColorimetryTests {
  private static let hasZimg =
    (try? Tool.run("ffmpeg", ["-hide_banner", "-filters"]).text.contains(" zscale ")) ?? false

  private static let toCanvas =
    "zscale=npl=203:agamma=0:t=bt709:p=bt709:m=bt709:r=tv:f=bicubic,format=yuv420p"

  /// Returns the first picture of a file, and libzimg's version of it as planes.
  private static func pictures(_ path: String) throws -> (ours: Picture, theirs: [[UInt8]]) {
    let source = try #require(try PictureSource.preferred(path))
    let ours = try #require(try source.pictures(count: 1).first).picture
    let raw = try Tool.ffmpeg([
      "-noautorotate", "-i", path, "-frames:v", "1", "-vf", toCanvas, "-f", "rawvideo", "-",
    ])
    let (luma, chroma) = (ours.size.area, ours.size.chroma.area)
    try #require(raw.count == luma + 2 * chroma)
    let bytes = Array(raw)
    return (
      ours,
      [
        Array(bytes[..<luma]), Array(bytes[luma..<luma + chroma]), Array(bytes[(luma + chroma)...]),
      ]
    )
  }

  /// Returns the mean color distance (CIE 1976) over pixels whose luma by libzimg is at most
  /// `limit`, and the share of these pixels.
  private static func difference(
    _ path: String, limit: Int = 255
  ) throws -> (mean: Double, share: Double) {
    let (ours, theirs) = try pictures(path)
    let width = ours.size.chroma.width
    var (sum, count) = (0.0, 0)
    for y in 0..<ours.size.height / 2 {
      for x in 0..<ours.size.width / 2 {
        let wanted = theirs[0][2 * y * ours.size.width + 2 * x]
        guard wanted <= limit else { continue }
        let one = Lab(ours.luma[2 * x, 2 * y], ours.blue[x, y], ours.red[x, y])
        let other = Lab(wanted, theirs[1][y * width + x], theirs[2][y * width + x])
        sum += one.distance(to: other)
        count += 1
      }
    }
    return (sum / Double(max(1, count)), Double(4 * count) / Double(ours.size.area))
  }

  /// A chart of standard range, re-encoded by libzimg.
  @Test(
    .enabled(if: hasZimg, "needs an ffmpeg with zscale"),
    arguments: [
      ("smpte2084", "bt2020"), ("arib-std-b67", "bt2020"), ("bt709", "bt2020"),
    ], ["yuv420p10le", "yuv444p12le", "yuv420p"])
  func aConvertedChartIsRestored(light: (transfer: String, primaries: String), format: String)
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    let matrix = light.primaries == "bt2020" ? "2020_ncl" : "709"
    let primaries = light.primaries == "bt2020" ? "2020" : "709"
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "colorchart=patch_size=40x40,format=gbrp", "-frames:v", "1", "-vf",
      "zscale=npl=203:agamma=0:tin=bt709:pin=bt709:min=gbr:rin=pc:t=\(light.transfer):p=\(primaries):m=\(matrix):r=tv,format=\(format)",
      "-c:v", "ffv1", "-strict", "-1", "-color_trc", light.transfer, "-color_primaries",
      light.primaries, "-colorspace", light.primaries == "bt2020" ? "bt2020nc" : "bt709",
      "-color_range", "tv", path,
    ])
    let found = try Self.difference(path)
    #expect(found.mean < 4)
  }

  @Test(
    .enabled(if: hasZimg && SharedMedia.isPresent, "\(SharedMedia.absence) and zscale"),
    arguments: ["am_hdr10-av1.mp4", "rotate-90_hevc10_dolbyvision84_1080p_aac.mp4"])
  func recordingsMatchLibzimgBelowTheHighlights(name: String) throws {
    // 0.8 of the luminance of white.
    let found = try Self.difference(SharedMedia.path("edge/\(name)"), limit: 200)
    #expect(found.share > 0.3)
    #expect(found.mean < 4)
  }

  @Test(.enabled(if: SharedMedia.isPresent, "\(SharedMedia.absence)"))
  func streamsStateTheirTransfer() throws {
    func video(_ name: String) throws -> StreamInfo.Video {
      let source = try #require(try PictureSource.preferred(SharedMedia.path("edge/\(name)")))
      return try #require(source.track.stream.video)
    }
    let phone = try video("rotate-90_hevc10_dolbyvision84_1080p_aac.mp4")
    #expect(phone.light == Colorimetry(transfer: .hlg, primaries: .bt2020))
    #expect(phone.dolbyVisionProfile == 8)
    let pq = try video("am_hdr10-av1.mp4")
    #expect(pq.light == Colorimetry(transfer: .pq, primaries: .bt2020))
    #expect(pq.dolbyVisionProfile == nil)
  }
}

/// A color in CIE 1976 L*a*b*, from limited-range BT.709 values on a BT.1886 display.
private struct Lab {
  let (l, a, b): (Double, Double, Double)

  init(_ luma: UInt8, _ blue: UInt8, _ red: UInt8) {
    let y = (Double(luma) - 16) / 219
    let (cb, cr) = ((Double(blue) - 128) / 224, (Double(red) - 128) / 224)
    func light(_ value: Double) -> Double { pow(max(0, min(1, value)), 2.4) }
    let r = light(y + 1.5748 * cr)
    let g = light(y - 0.1873 * cb - 0.4681 * cr)
    let u = light(y + 1.8556 * cb)
    func curve(_ value: Double) -> Double {
      value > 0.008856 ? cbrt(value) : 7.787 * value + 16.0 / 116
    }
    let x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * u) / 0.95047)
    let v = curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * u)
    let z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * u) / 1.08883)
    (l, a, b) = (116 * v - 16, 500 * (x - v), 200 * (v - z))
  }

  func distance(to other: Lab) -> Double {
    let (dl, da, db) = (l - other.l, a - other.a, b - other.b)
    return (dl * dl + da * da + db * db).squareRoot()
  }
}
