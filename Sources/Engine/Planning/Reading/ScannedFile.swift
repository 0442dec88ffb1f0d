package import TesseraCodecs
package import TesseraSoundtrack

/// The result of one pass over a recording, with the clocks of its audio. Fitting clocks needs much
/// memory, so the reading process does it.
package struct ScannedFile: Sendable, Codable {
  package var scan: MediaScanResult
  /// The clock fits of the decodable audio tracks, by index among the file's tracks.
  package var clocks: [Int: VoiceClockFit] = [:]

  /// Creates a result from `scan` and fits the clocks of its audio.
  init(_ scan: MediaScanResult) {
    self.scan = scan
    for (place, track) in scan.file.tracks.enumerated()
    where track.stream.kind == .audio && track.isDecodable {
      clocks[place] = VoiceClockFit(scan.sound(track))
    }
  }
}

extension ScannedFile {
  /// Creates a result from the cached scan of the file at `path`. Returns `nil` if there is none.
  init?(_ path: String, in cache: ScanCache?) {
    guard let known = cache?.known(path, with: [Int: VoiceClockFit].self) else { return nil }
    (scan, clocks) = known
  }

  /// Stores the scan in `cache`. `identity` is the file's identity before it was read.
  func keep(in cache: ScanCache?, of identity: FileIdentity?) {
    cache?.keep(scan, with: clocks, of: identity)
  }
}
