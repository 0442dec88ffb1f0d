package import TesseraCodecs
package import TesseraSoundtrack

/// What one pass over a recording found, and when its sound is heard: that needs much memory, and
/// is found where the recording is read.
package struct ScannedFile: Sendable, Codable {
  package var scan: MediaScan
  /// The clocks of the tracks of sound that can be decoded, by their places among the file's
  /// tracks.
  package var clocks: [Int: ClockFit] = [:]

  /// What `scan` found, and the clocks of its sound.
  init(_ scan: MediaScan) {
    self.scan = scan
    for (place, track) in scan.file.tracks.enumerated()
    where track.stream.kind == .audio && track.isDecodable {
      clocks[place] = ClockFit(scan.sound(track))
    }
  }
}

extension ScannedFile {
  /// What `cache` knows of the file at `path`.
  init?(_ path: String, in cache: ScanCache?) {
    guard let known = cache?.known(path, with: [Int: ClockFit].self) else { return nil }
    (scan, clocks) = known
  }

  /// Keeps it in `cache`, where the file was `identity` before it was read.
  func keep(in cache: ScanCache?, of identity: FileIdentity?) {
    cache?.keep(scan, with: clocks, of: identity)
  }
}
