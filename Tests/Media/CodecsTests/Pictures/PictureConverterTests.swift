import Foundation
import TesseraCodecs
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct PictureConverterTests {
  /// Returns the first picture of a lossless file that `ffmpeg` writes from a lavfi source.
  private static func picture(_ lavfi: String, _ options: [String]) throws -> Picture {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", lavfi] + options + ["-c:v", "ffv1", "-frames:v", "1", path])
    let source = try #require(try PictureSource.preferred(path))
    return try #require(try source.pictures(count: 1).first).picture
  }

  /// Returns a source whose samples increase with the column, from 64 by 8, in ten bits.
  private static func ramp(_ format: String) -> String {
    "color=black:size=100x64,format=\(format),geq=lum='64+8*X':cb='256+4*X':cr='700-4*X'"
  }

  @Test(arguments: ["yuv420p10le", "yuv422p10le", "yuv444p10le"])
  func tenBitsBecomeEight(format: String) throws {
    let picture = try Self.picture(Self.ramp(format), [])
    for x in 0..<100 { #expect(abs(Int(picture.luma[x, 30]) - (16 + 2 * x)) <= 1) }
    let step = format.hasPrefix("yuv444") ? 1 : 2
    for x in 1..<49 {
      let position = step == 1 ? 2 * x : x
      #expect(abs(4 * Int(picture.blue[x, 15]) - (256 + 4 * position)) <= 8)
      #expect(abs(4 * Int(picture.red[x, 15]) - (700 - 4 * position)) <= 8)
    }
    #expect(picture.color.range == .limited)
  }

  /// Chroma that increases by the same amount in every column of the source: a sample is on every
  /// second column, and halfway between two rows.
  @Test(arguments: ["yuv422p", "yuv444p", "yuv440p", "yuv422p10le", "yuv444p10le"])
  func chromaKeepsItsPosition(format: String) throws {
    let isWide = format.hasPrefix("yuv422")
    let (one, unit) = format.hasSuffix("10le") ? (4, 4) : (1, 1)
    let (across, down) = ("\(isWide ? 4 : 2)*X", "\(format == "yuv440p" ? 4 : 2)*Y")
    let source =
      "color=black:size=96x64,format=\(format),"
      + "geq=lum=\(100 * unit):cb='\(one)*(20+\(across))':cr='\(one)*(20+\(down))'"
    let picture = try Self.picture(source, [])
    for x in 2..<46 { #expect(abs(Int(picture.blue[x, 15]) - (20 + 4 * x)) <= 1) }
    for y in 2..<30 { #expect(abs(Int(picture.red[20, y]) - (21 + 4 * y)) <= 1) }
  }

  /// The blue of an RGB picture increases with the column.
  @Test func chromaOfRGBIsOnEverySecondColumn() throws {
    let picture = try Self.picture("color=black:size=96x64,format=gbrp,geq=r=0:g=0:b='2*X'", [])
    for x in 2..<46 {
      let expected = Color(red: 0, green: 0, blue: UInt8(4 * x)).canvasSample.blue
      #expect(abs(Int(picture.blue[x, 15]) - Int(expected)) <= 1)
    }
  }

  @Test(arguments: [
    ("left", ChromaSiting.left), ("center", .center), ("topleft", .topLeft), ("top", .top),
    ("bottomleft", .bottomLeft), ("bottom", .bottom), ("unspecified", .left),
  ])
  func chromaIsAtItsTaggedPosition(tag: String, siting: ChromaSiting) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.2", "-pix_fmt", "yuv420p", "-c:v", "libx264",
      "-chroma_sample_location", tag, path,
    ])
    let source = try #require(try PictureSource.preferred(path))
    #expect(try source.pictures(count: 1).first?.picture.chromaSiting == siting)
  }

  /// Over red, the left half is opaque, the right half is transparent, and the middle is a mix.
  @Test(arguments: [
    ("yuva420p", ["-c:v", "libvpx", "-auto-alt-ref", "0"], "webm"),
    ("yuva420p", ["-c:v", "libvpx-vp9", "-lossless", "1"], "webm"),
    ("yuva444p10le", ["-c:v", "prores_ks", "-profile:v", "4444"], "mov"),
    ("rgba", ["-c:v", "png"], "mov"),
  ])
  func transparencyShowsTheBackground(
    format: String, options: [String], container: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.\(container)")
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i",
        "color=c=0x20c020:s=96x64:d=0.2,format=rgba,geq=r=32:g=192:b=32:a='if(lt(X,32),255,if(lt(X,64),128,0))'",
        "-pix_fmt", format,
      ] + options + [path])
    var source = try #require(try PictureSource.preferred(path))
    source.background = Color(rgb: 0xff0000)
    let picture = try #require(try source.pictures(count: 1).first).picture
    func expected(_ alpha: Double) -> (luma: Int, blue: Int, red: Int) {
      let front = Color(rgb: 0x20c020).numbers(in: picture.color)
      let back = Color(rgb: 0xff0000).numbers(in: picture.color)
      func mean(_ one: Int, _ other: Int) -> Int {
        Int((Double(one) * alpha + Double(other) * (1 - alpha)).rounded())
      }
      return (
        mean(front.luma, back.luma), mean(front.blue, back.blue), mean(front.red, back.red)
      )
    }
    for (column, alpha) in [(16, 1.0), (48, 128.0 / 255), (80, 0)] {
      let wanted = expected(alpha)
      #expect(abs(Int(picture.luma[column, 30]) - wanted.luma) <= 4, "column \(column)")
      #expect(abs(Int(picture.blue[column / 2, 15]) - wanted.blue) <= 4, "column \(column)")
      #expect(abs(Int(picture.red[column / 2, 15]) - wanted.red) <= 4, "column \(column)")
    }
  }

  @Test(arguments: ["yuv420p", "yuv422p", "yuv444p"])
  func eightBitLumaIsUnchanged(format: String) throws {
    let source = "color=black:size=201x37,format=yuv444p,geq=lum='20+X':cb=90:cr=200"
    let picture = try Self.picture(source, ["-pix_fmt", format])
    try #require(picture.size == PixelSize(width: 201, height: 37))
    #expect(picture.blue.size == PixelSize(width: 101, height: 19))
    for x in 0..<201 { #expect(Int(picture.luma[x, 36]) == 20 + x) }
    for x in 0..<101 { #expect(picture.blue[x, 18] == 90 && picture.red[x, 18] == 200) }
  }

  @Test(arguments: ["yuv420p", "yuv422p", "yuv444p"])
  func fullRangeIsKept(format: String) throws {
    let source = "color=black:size=256x64,format=\(format),geq=lum='X':cb=128:cr=128"
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", source, "-c:v", "libx264", "-qp", "1", "-color_range", "pc",
      "-frames:v", "1", path,
    ])
    let found = try #require(try PictureSource.preferred(path)).pictures(count: 1).first
    let picture = try #require(found).picture
    #expect(picture.color.range == .full)
    #expect(picture.luma[0, 30] <= 2 && picture.luma[255, 30] >= 253)
    for x in 0..<256 { #expect(abs(Int(picture.luma[x, 30]) - x) <= 3) }
  }

  @Test func rgbIsConvertedToTheCanvasColors() throws {
    let bars = [
      ("red", 63, 102, 240), ("lime", 173, 42, 26), ("blue", 32, 240, 118),
      ("white", 235, 128, 128),
      ("black", 16, 128, 128), ("gray", 126, 128, 128),
    ]
    for (name, luma, blue, red) in bars {
      let picture = try Self.picture("color=\(name):size=32x32,format=bgr0", [])
      #expect(picture.color == .canvas)
      #expect(abs(Int(picture.luma[16, 16]) - luma) <= 1)
      #expect(abs(Int(picture.blue[8, 8]) - blue) <= 1)
      #expect(abs(Int(picture.red[8, 8]) - red) <= 1)
    }
  }

  @Test(arguments: [
    ("bt709", "64x48", ColorSpace.Matrix.bt709), ("smpte170m", "1280x720", .bt601),
    ("unknown", "64x48", .bt601), ("unknown", "1280x720", .bt709),
  ])
  func colorsFollowTheTags(tag: String, size: String, matrix: ColorSpace.Matrix) throws {
    let picture = try Self.picture(
      "color=gray:size=\(size),format=yuv420p", ["-colorspace", tag])
    #expect(picture.color == ColorSpace(matrix: matrix, range: .limited))
  }

  @Test func sampleAspectRatiosAreKept() throws {
    let picture = try Self.picture("color=gray:size=64x48,setsar=16/11,format=yuv420p", [])
    #expect(picture.sampleAspectRatio == SampleAspectRatio(16, 11))
  }

  /// As in FFmpeg, the container's aspect ratio overrides the bitstream's.
  @Test func theContainersAspectRatioHasPriority() throws {
    let folder = try TemporaryFolder()
    let (square, wide) = (folder.path("a.mp4"), folder.path("b.mp4"))
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "color=gray:size=64x48:duration=0.1,setsar=1", "-c:v", "libx264", square,
    ])
    try Tool.ffmpeg(["-i", square, "-c", "copy", "-aspect", "16:9", wide])
    let source = try #require(try PictureSource.preferred(wide))
    let picture = try #require(try source.pictures(count: 1).first).picture
    #expect(picture.sampleAspectRatio == SampleAspectRatio(4, 3))
  }

  /// The display matrices of the eight orientations, as in MP4 (a, b, c, d in 16.16).
  static let matrices: [(orientation: Orientation, matrix: [Int32])] = [
    (.upright, [1, 0, 0, 1]), (.mirrored, [-1, 0, 0, 1]), (.rotated180, [-1, 0, 0, -1]),
    (.flipped, [1, 0, 0, -1]), (.transposed, [0, 1, 1, 0]), (.rotated90, [0, 1, -1, 0]),
    (.transversed, [0, -1, -1, 0]), (.rotated270, [0, -1, 1, 0]),
  ]

  @Test(arguments: matrices)
  func displayMatricesRotateAsInFFmpeg(
    orientation: Orientation, matrix: [Int32]
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=size=96x64:duration=0.2,format=yuv420p", "-c:v", "libx264",
      path,
    ])
    try Self.setMatrix(matrix, in: path)
    let source = try #require(try PictureSource.preferred(path))
    let picture = try #require(try source.pictures(count: 1).first).picture
    #expect(picture.orientation == orientation)
    let turned = try Tool.ffmpeg([
      "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
    ])
    let size = picture.orientedSize
    let luma = Array(turned.prefix(size.width * size.height))
    let isSame = luma == Self.turned(picture)
    #expect(isSame)
  }

  /// Writes the four linear elements of the first track's matrix.
  private static func setMatrix(_ matrix: [Int32], in path: String) throws {
    var data = try Data(contentsOf: URL(filePath: path))
    let header = try #require(data.range(of: Data("tkhd".utf8)))
    let start = header.upperBound + 40
    for (number, slot) in zip(matrix, [0, 1, 3, 4]) {
      for byte in 0..<4 {
        data[start + 4 * slot + byte] = UInt8(truncatingIfNeeded: (number << 16) >> (24 - 8 * byte))
      }
    }
    try data.write(to: URL(filePath: path))
  }

  /// Returns the luma as displayed, row by row.
  private static func turned(_ picture: Picture) -> [UInt8] {
    let (size, orientation) = (picture.orientedSize, picture.orientation)
    return (0..<size.height).flatMap { y in
      (0..<size.width).map { x in
        let (u, v) = orientation.transposes ? (y, x) : (x, y)
        return picture.luma[
          orientation.mirrorsHorizontally ? picture.size.width - 1 - u : u,
          orientation.mirrorsVertically ? picture.size.height - 1 - v : v]
      }
    }
  }
}
