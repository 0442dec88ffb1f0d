import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport

/// Arguments of `ffmpeg` for the recordings of tests.
enum TestRecording {
  static let pictures = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2"]
  static let sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=2"]

  /// Writes two recordings of `arguments`, concatenated in one file.
  static func chain(
    _ arguments: [String], _ name: String, in folder: TemporaryFolder
  ) throws -> String {
    let parts = ["first.", "second."].map { folder.path($0 + name) }
    for part in parts { try Tool.ffmpeg(arguments + [part]) }
    let path = folder.path(name)
    let whole = try parts.reduce(into: Data()) {
      $0.append(try Data(contentsOf: URL(filePath: $1)))
    }
    try whole.write(to: URL(filePath: path))
    return path
  }
}

extension MediaFileInfo {
  /// Scans the file at `path`.
  static func scan(_ path: String) throws -> MediaScanResult {
    try MediaFileInfo.scan(path, cancellation: Cancellation())
  }
}

extension MediaScanResult {
  /// Returns the presentation times of the packets of `track`, in order.
  func times(_ track: MediaTrack) -> [Double] {
    let index = index(of: track)
    return track.packets.filter(index.isShown).map {
      track.clock.time(ticks: index.ticks[$0]).seconds
    }.sorted()
  }
}
