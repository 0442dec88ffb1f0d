import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// A few packets with wrong times do not move the packets after them.
@Suite(.timed) struct WrongTimeTests {
  /// A change of packet times in a transport stream.
  struct Change: Sendable {
    /// The stream ID of the packets: 0xe0 for pictures, 0xc0 for sound.
    var streamIdentifier: UInt8
    /// The range of packet times in seconds to change.
    var times: Range<Double>
    /// The change in seconds.
    var seconds: Double
  }

  @Test(arguments: [
    Change(streamIdentifier: 0xc0, times: 3..<3.2, seconds: -2),
    Change(streamIdentifier: 0xe0, times: 3..<3.1, seconds: -2),
    Change(streamIdentifier: 0xc0, times: 3..<3.2, seconds: 3600),
    Change(streamIdentifier: 0xe0, times: 3..<3.1, seconds: 20),
  ])
  func fewWrongTimesAreCorrected(change: Change) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.ts")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=4", "-f", "lavfi", "-i",
      "sine=frequency=440:sample_rate=48000:duration=4", "-c:v", "libx264", "-bf", "2", "-c:a",
      "aac", path,
    ])
    let right = try Self.lengths(path)
    try #require(try Self.apply(change, to: path) > 0)
    #expect(try Self.lengths(path) == right)
    let source = try #require(try PictureSource.preferred(path))
    let times = try source.shown().map(\.time)
    #expect(times.count == 100 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// Returns the durations of pictures and sound.
  private static func lengths(_ path: String) throws -> [MediaTime] {
    let file = try MediaFileInfo.scan(path).file
    return try [StreamInfo.Kind.video, .audio].map {
      try #require(file.preferred($0).first).interval.duration
    }
  }

  /// Applies the change and returns the number of changed packets.
  private static func apply(_ change: Change, to path: String) throws -> Int {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var count = 0
    for packet in stride(from: 0, to: bytes.count, by: 188) where bytes[packet + 1] & 0x40 != 0 {
      let hasAdaptation = bytes[packet + 3] & 0x20 != 0
      let start = packet + 4 + (hasAdaptation ? 1 + Int(bytes[packet + 4]) : 0)
      guard start + 19 < packet + 188, Array(bytes[start..<start + 3]) == [0, 0, 1],
        bytes[start + 3] == change.streamIdentifier
      else { continue }
      let flags = bytes[start + 7]
      guard flags & 0x80 != 0,
        change.times.contains(Double(time(bytes, start + 9)) / 90_000)
      else { continue }
      for (flag, place) in [(UInt8(0x80), start + 9), (0x40, start + 14)] where flags & flag != 0 {
        setTime(&bytes, place, time(bytes, place) + Int64(change.seconds * 90_000))
      }
      count += 1
    }
    try Data(bytes).write(to: URL(filePath: path))
    return count
  }

  /// Returns the 33 bits of a timestamp, stored in five bytes with a marker bit after every 15.
  private static func time(_ bytes: [UInt8], _ at: Int) -> Int64 {
    let parts = (0..<5).map { Int64(bytes[at + $0]) }
    return (parts[0] >> 1 & 7) << 30 | parts[1] << 22 | (parts[2] >> 1) << 15 | parts[3] << 7
      | (parts[4] >> 1)
  }

  private static func setTime(_ bytes: inout [UInt8], _ at: Int, _ time: Int64) {
    bytes[at] = bytes[at] & 0xf0 | (UInt8(time >> 30 & 7) << 1) | 1
    bytes[at + 1] = UInt8(time >> 22 & 255)
    bytes[at + 2] = (UInt8(time >> 15 & 127) << 1) | 1
    bytes[at + 3] = UInt8(time >> 7 & 255)
    bytes[at + 4] = (UInt8(time & 127) << 1) | 1
  }
}
