package import TesseraTimeline

/// The sound of one track, with all that is needed to read it from anywhere.
package struct SoundSource: Hashable, Sendable, Codable {
  /// The file.
  package var path: String
  /// The track in it.
  package let track: MediaTrack
  /// The packets of the track's stream.
  package var index: PacketIndex
  /// The number of the only channel that is heard, from 0; `nil` for all, mixed.
  package var channel: Int?

  /// The sound of `track`, whose stream has the packets in `index`.
  package init(track: MediaTrack, index: PacketIndex, path: String) {
    (self.track, self.index, self.path) = (track, index, path)
  }

  /// When packet number `packet` is heard, what its decoder cuts off included, relative to the
  /// file's beginning.
  package func time(of packet: Int) -> ExactTime { track.clock.time(ticks: index.ticks[packet]) }
}
