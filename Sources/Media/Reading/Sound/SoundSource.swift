public import TesseraTimeline

/// The sound of one track, with all that is needed to read it from anywhere.
public struct SoundSource: Hashable, Sendable, Codable {
  /// The file.
  public let path: String
  /// The track in it.
  public let track: MediaTrack
  /// The packets of the track's stream.
  public let index: PacketIndex

  /// The sound of `track`, whose stream has the packets in `index`.
  public init(track: MediaTrack, index: PacketIndex, path: String) {
    (self.track, self.index, self.path) = (track, index, path)
  }

  /// When packet number `packet` is heard, what its decoder cuts off included, relative to the
  /// file's beginning.
  public func time(of packet: Int) -> ExactTime { track.clock.time(ticks: index.ticks[packet]) }
}
