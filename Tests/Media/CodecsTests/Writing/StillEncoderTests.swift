import Foundation
import TesseraCodecs
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct StillEncoderTests {
  @Test(arguments: [
    (UInt8(63), UInt8(102), UInt8(240), [255, 0, 0]), (173, 42, 26, [0, 255, 0]),
    (32, 240, 118, [0, 0, 255]), (235, 128, 128, [255, 255, 255]), (16, 128, 128, [0, 0, 0]),
    (126, 128, 128, [128, 128, 128]),
  ])
  func colorsMatchTheCanvas(luma: UInt8, blue: UInt8, red: UInt8, rgb: [Int]) throws {
    let image = Image(.yuv420p8, size: PixelSize(width: 34, height: 22))
    for (index, value) in [luma, blue, red].enumerated() {
      let plane = image[plane: index]
      for y in 0..<plane.size.height {
        for x in 0..<plane.size.width { plane[x, y] = value }
      }
    }
    let bytes = try StillEncoder.png(
      luma: image[plane: 0].readOnly, blue: image[plane: 1].readOnly,
      red: image[plane: 2].readOnly)
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let folder = try TemporaryFolder()
    let path = folder.path("a.png")
    try Data(bytes).write(to: URL(filePath: path))
    let pixels = try Tool.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    #expect(pixels.count == 34 * 22 * 3)
    for (index, value) in pixels.enumerated() { #expect(abs(Int(value) - rgb[index % 3]) <= 2) }
  }

  @Test(arguments: [
    (UInt8(63), UInt8(102), UInt8(240), [255, 0, 0]), (173, 42, 26, [0, 255, 0]),
    (235, 128, 128, [255, 255, 255]), (16, 128, 128, [0, 0, 0]),
  ])
  func jpegHasTheSameColors(luma: UInt8, blue: UInt8, red: UInt8, rgb: [Int]) throws {
    let image = Image(.yuv420p8, size: PixelSize(width: 34, height: 22))
    for (index, value) in [luma, blue, red].enumerated() {
      let plane = image[plane: index]
      for y in 0..<plane.size.height {
        for x in 0..<plane.size.width { plane[x, y] = value }
      }
    }
    let bytes = try StillEncoder.jpeg(
      luma: image[plane: 0].readOnly, blue: image[plane: 1].readOnly,
      red: image[plane: 2].readOnly, isCoarse: true)
    #expect(bytes.starts(with: [0xff, 0xd8]))
    let folder = try TemporaryFolder()
    let path = folder.path("a.jpg")
    try Data(bytes).write(to: URL(filePath: path))
    let pixels = try Tool.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    #expect(pixels.count == 34 * 22 * 3)
    for (index, value) in pixels.enumerated() { #expect(abs(Int(value) - rgb[index % 3]) <= 6) }
  }

  /// Blue increases with the column: chroma sample c is on column 2c.
  @Test func chromaIsOnEverySecondColumn() throws {
    let image = Image(.yuv420p8, size: PixelSize(width: 32, height: 16))
    for index in 0..<3 {
      let plane = image[plane: index]
      for y in 0..<plane.size.height {
        for x in 0..<plane.size.width { plane[x, y] = index == 1 ? UInt8(64 + 8 * x) : 126 }
      }
    }
    let bytes = try StillEncoder.png(
      luma: image[plane: 0].readOnly, blue: image[plane: 1].readOnly,
      red: image[plane: 2].readOnly)
    let folder = try TemporaryFolder()
    let path = folder.path("a.png")
    try Data(bytes).write(to: URL(filePath: path))
    let pixels = Array(try Tool.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
    for x in 4..<28 {
      let blue = 255 * (Double(126 - 16) / 219 + 1.8556 * Double(64 + 4 * x - 128) / 224)
      #expect(abs(Double(pixels[3 * (8 * 32 + x) + 2]) - blue) <= 2.5)
    }
  }
}
