import Foundation
import TesseraCodecs
import TesseraMessages
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct StillDecoderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a picture file of `size` with a red left and a blue right half.
  private func file(_ name: String, size: String = "64x32", _ options: [String] = []) throws
    -> String
  {
    let path = folder.path(name)
    let halves = "color=red:s=\(size),drawbox=x=iw/2:w=iw/2:h=ih:color=blue:t=fill"
    try Tool.ffmpeg(["-f", "lavfi", "-i", halves, "-frames:v", "1"] + options + [path])
    return path
  }

  private func pixel(_ image: ColorImage, _ x: Int, _ y: Int) -> [Int] {
    let index = 4 * (y * image.width + x)
    return image.bytes[index..<index + 4].map { Int($0) }
  }

  private func isNear(_ color: [Int], _ other: [Int], _ distance: Int = 24) -> Bool {
    zip(color, other).allSatisfy { abs($0 - $1) <= distance }
  }

  @Test(arguments: [
    ("a.png", []), ("a.jpg", ["-q:v", "2"]), ("a.webp", ["-quality", "95"]),
    ("b.webp", ["-lossless", "1"]), ("gray.png", ["-pix_fmt", "rgb48be"]),
    ("pal.png", ["-pix_fmt", "pal8"]),
  ])
  func formatsAreRead(name: String, options: [String]) throws {
    let path = try file(name, options)
    let image = try StillDecoder().image(at: path, longestSide: 1000).image
    #expect(image.size == PixelSize(width: 64, height: 32))
    #expect(isNear(pixel(image, 8, 16), [255, 0, 0, 255]))
    // The 8-bit palette has no purer blue.
    #expect(isNear(pixel(image, 56, 16), [0, 0, 255, 255], name == "pal.png" ? 90 : 24))
    let small = try StillDecoder().image(at: path, longestSide: 16).image
    #expect(small.size == PixelSize(width: 16, height: 8))
    #expect(isNear(pixel(small, 2, 4), [255, 0, 0, 255]))
  }

  @Test func transparencyIsPremultiplied() throws {
    let path = folder.path("t.png")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "color=white:s=40x40,format=rgba,colorchannelmixer=aa=0.5",
      "-frames:v", "1", path,
    ])
    for side in [40, 10] {
      let image = try StillDecoder().image(at: path, longestSide: side).image
      #expect(isNear(pixel(image, side / 2, side / 2), [128, 128, 128, 128], 1))
    }
  }

  @Test func exifOrientationIsApplied() throws {
    let path = try file("a.jpg", ["-q:v", "2"])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // An EXIF segment with orientation 6 only: rotate clockwise.
    let exif: [UInt8] =
      [0xff, 0xe1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3]
      + [0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    bytes.insert(contentsOf: exif, at: 2)
    try bytes.write(to: URL(fileURLWithPath: path))
    let image = try StillDecoder().image(at: path, longestSide: 100).image
    #expect(image.size == PixelSize(width: 32, height: 64))
    #expect(isNear(pixel(image, 16, 8), [255, 0, 0, 255]))
    #expect(isNear(pixel(image, 16, 56), [0, 0, 255, 255]))
  }

  @Test func animationsGiveTheirFirstPicture() throws {
    let formats = [
      ("a.apng", "apng", ["-plays", "0"]), ("a.webp", "webp", ["-loop", "0"]), ("a.gif", "gif", []),
    ]
    for (name, format, options) in formats {
      let path = folder.path(name == "a.apng" ? "apng.png" : name)
      try Tool.ffmpeg(
        [
          "-f", "lavfi", "-i",
          "color=red:s=32x32:d=0.2:r=10[a];color=lime:s=32x32:d=0.2:r=10[b];[a][b]concat",
        ] + options + ["-f", format, path])
      let loaded = try StillDecoder().image(at: path, longestSide: 100)
      #expect(isNear(pixel(loaded.image, 16, 16), [255, 0, 0, 255]))
      #expect(loaded.note == "\(path) is animated: only its first picture is used.")
    }
  }

  @Test func hugePicturesAreRefusedByTheirHeaders() throws {
    let path = try file("a.png")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes.replaceSubrange(16..<24, with: [0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0])
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    expect(path, .tooManyPixels(PixelSize(width: 100_000, height: 100_000)))
  }

  @Test(arguments: ["a.png", "a.jpg", "a.webp", "a.gif"])
  func truncatedFilesAreRefused(name: String) throws {
    let path = try file(name, size: "200x200")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for count in [bytes.count - 3, bytes.count * 2 / 3, 40, 20] {
      try bytes.prefix(count).write(to: URL(fileURLWithPath: path))
      #expect(throws: ImageFileError.self) {
        try StillDecoder().image(at: path, longestSide: 100)
      }
    }
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: path))
    expect(path, .truncated)
  }

  @Test func otherFilesAreRefusedByName() throws {
    let svg = folder.path("a.svg")
    try Data("<?xml version=\"1.0\"?><svg width=\"9\"/>".utf8).write(to: URL(fileURLWithPath: svg))
    expect(svg, .unsupported("an SVG drawing"))
    let bitmap = try file("a.bmp")
    expect(bitmap, .unsupported("a BMP picture"))
    let other = folder.path("a.png")
    try Data("hello".utf8).write(to: URL(fileURLWithPath: other))
    expect(other, .unsupported(nil))
    expect(folder.path, .notARegularFile)
    expect(folder.path("none.png"), .unreadable("No such file or directory"))
    let text = folder.path("a.txt")
    try Data().write(to: URL(fileURLWithPath: text))
    expect(text, .unsupported("an empty file"))
  }

  @Test func damagedFilesGiveAPictureOrAnError() throws {
    var generator = SplitMix64(seed: 20)
    for name in ["a.png", "a.jpg", "a.webp", "a.gif"] {
      let path = try file(name, size: "48x48")
      let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      for _ in 0..<60 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          let index = Int.random(in: 0..<bytes.count, using: &generator)
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        do throws(ImageFileError) {
          let image = try StillDecoder().image(at: path, longestSide: 16).image
          #expect(max(image.width, image.height) <= 16)
        } catch {
          #expect(error.description.hasSuffix("."))
        }
      }
    }
  }

  private func expect(
    _ path: String, _ reason: ImageFileError.Reason,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: ImageFileError(path: path, reason: reason), sourceLocation: sourceLocation) {
      try StillDecoder().image(at: path, longestSide: 100)
    }
  }
}
