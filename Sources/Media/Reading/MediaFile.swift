import TesseraPixels
public import TesseraTimeline

/// What one pass over a recording's packets found: all that a plan has to know of a file.
public struct MediaFile: Sendable, Codable {
  /// One stream of pictures or sound with its packets.
  public struct Track: Sendable, Codable {
    /// What the container says of it.
    public var stream: StreamInfo
    /// Its packets.
    public var index: PacketIndex
  }

  /// The file.
  public var path: String
  /// Its size in bytes.
  public var byteCount: Int64
  /// libav*'s name of the container.
  public var container: String
  /// The title that it carries, or nil.
  public var title: String?
  /// The streams of pictures and sound that have at least one packet.
  public var tracks: [Track]
  /// Streams that are not looked at, and why, in words.
  public var ignored: [String]
  /// The time in the file's own clock that counts as its beginning.
  public var zero: MediaTime
  /// What went wrong while reading, in words; empty for a sound file.
  public var damage: [String]

  /// The tracks of one kind.
  public func tracks(_ kind: StreamInfo.Kind) -> [Track] {
    tracks.filter { $0.stream.kind == kind }
  }

  /// The tracks of one kind, the one that is meant to be played first: what the container marks
  /// as such, then what has the most packets, then the largest pictures.
  public func preferred(_ kind: StreamInfo.Kind) -> [Track] {
    let merit = { (track: Track) in
      (track.stream.isDefault ? 1 : 0, track.index.ticks.count, track.stream.video?.size.area ?? 0)
    }
    return tracks(kind).sorted { merit($0) > merit($1) }
  }

  /// From the first to the end of the last packet of `track`, relative to the file's beginning.
  public func interval(of track: Track) -> TimeInterval {
    let first = track.index.ticks.min() ?? 0
    return TimeInterval(
      start: track.index.time(ticks: first, zero: zero),
      end: track.index.time(ticks: track.index.endTicks, zero: zero))
  }

  /// The end of the last track, relative to the file's beginning.
  public var duration: MediaTime {
    max(.zero, tracks.map { interval(of: $0).end }.max() ?? .zero)
  }
}
