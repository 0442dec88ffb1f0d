package import TesseraTimeline

/// An audio track with everything that is needed to read it from any packet on.
package struct SoundSource: Hashable, Sendable, Codable {
  /// The path of the file, or of the run of a playlist's segments.
  package var path: String
  package let track: MediaTrack
  /// The packets of the track's stream.
  package var index: PacketIndex
  /// The index of the only channel to read, from 0; `nil` to mix all channels.
  package var channel: Int?

  /// Creates the source of `track`; `index` contains the packets of the track's stream.
  package init(track: MediaTrack, index: PacketIndex, path: String) {
    (self.track, self.index, self.path) = (track, index, path)
  }

  /// Returns the time of packet number `packet` relative to the start of the file, before the
  /// decoder trims anything.
  package func time(of packet: Int) -> ExactTime { track.clock.time(ticks: index.ticks[packet]) }
}
