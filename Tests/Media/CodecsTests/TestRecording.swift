import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport

/// What recordings of tests are made of, as arguments of `ffmpeg`.
enum TestRecording {
  static let pictures = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2"]
  static let sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=2"]

  /// Two recordings of `arguments`, one after the other in one file.
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

extension MediaFile {
  /// What a scan finds of the file at `path`.
  static func scan(_ path: String) throws -> MediaScan {
    try MediaFile.scan(path, cancellation: Cancellation())
  }
}

extension MediaScan {
  /// When the packets of `track` are shown or heard, in order.
  func times(_ track: MediaTrack) -> [Double] {
    let index = index(of: track)
    return track.packets.filter(index.isShown).map {
      track.clock.time(ticks: index.ticks[$0]).seconds
    }.sorted()
  }
}
