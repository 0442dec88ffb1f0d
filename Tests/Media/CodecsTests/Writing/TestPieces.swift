import Foundation
import TesseraCodecs
import TesseraPixels
import TesseraTimeline
import TestSupport

/// Small finished pieces, like those of a render.
enum TestPieces {
  static let size = PixelSize(width: 96, height: 64)

  static func settings(
    _ encoder: String = "libx264", size: PixelSize = size, rate: FrameRate = .thirty
  ) -> VideoEncoderSettings {
    VideoEncoderSettings(
      encoder: encoder, preset: encoder == "libx264" ? "fast" : nil, quality: 30, size: size,
      frameRate: rate)
  }

  /// Returns a picture that changes everywhere, so that there are B-frames.
  private static func picture(_ number: Int, _ size: PixelSize) -> Picture {
    Pictures.drawn(
      size, luma: { x, y in UInt8(truncatingIfNeeded: 16 + (x * 3 + y + number * 2) % 200) },
      blue: { x, _ in UInt8(truncatingIfNeeded: 100 + (x + number) % 50) })
  }

  /// Encodes a segment, with keyframes at frames `keyframes` besides the encoder's own.
  static func encode(
    _ range: Range<Int>, _ settings: VideoEncoderSettings, segment: Int, digest: String = "d",
    keyframes: Set<Int> = [], to path: String
  ) throws {
    let encoder = try VideoEncoder.open(settings)
    var writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Header(
        digest: digest, segment: segment,
        range: Int64(range.lowerBound)..<Int64(range.upperBound),
        parameters: try encoder.parameters()))
    for number in range {
      let picture = picture(number, settings.size)
      try encoder.encode(
        luma: picture.luma, blue: picture.blue, red: picture.red, number: number,
        isKeyframe: keyframes.contains(number)
      ) { packet throws(FFmpegError) in try writer.append(packet) }
    }
    try encoder.finish { packet throws(FFmpegError) in try writer.append(packet) }
    try writer.finish(note: "{}")
  }

  /// Encodes a tone.
  static func encodeSound(
    seconds: Int, _ settings: SoundEncoderSettings = SoundEncoderSettings(bitRate: 64_000),
    to path: String
  ) throws {
    var encoder = try AudioEncoder.open(settings)
    var writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Header(
        digest: "s", segment: nil, range: 0..<Int64(48_000 * seconds),
        parameters: try encoder.parameters()))
    var left = 48_000 * seconds
    while left > 0 {
      let count = min(left, AudioEncoder.blockLength)
      let block = (0..<(2 * count)).map { sin(Float($0 / 2 + left) / 20) / 4 }
      for packet in try encoder.encode(block.span) { try writer.append(packet) }
      left -= count
    }
    for packet in try encoder.finish() { try writer.append(packet) }
    try writer.finish(note: "")
  }

  /// Encodes segments of `ranges` in `folder`.
  static func segments(
    _ folder: TemporaryFolder, _ ranges: [Range<Int>], _ settings: VideoEncoderSettings,
    name: String = "s", keyframes: Set<Int> = []
  ) throws -> [Stitcher.Input] {
    try ranges.enumerated().map { index, range in
      let path = folder.path("\(name)\(index).tseg")
      try encode(range, settings, segment: index, keyframes: keyframes, to: path)
      return Stitcher.Input(path: path, digest: "d")
    }
  }
}
