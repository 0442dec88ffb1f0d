package import TesseraTimeline

/// One stretch of one stream of a file: what a recorder wrote between being started and stopped.
package struct MediaTrack: Hashable, Sendable, Codable {
  /// The first picture that depends on none that is missing.
  package struct FirstPicture: Hashable, Sendable, Codable {
    /// The packet that it comes from.
    package var packet: Int
    /// Its shape as displayed, width over height.
    package var aspectRatio: Double
    /// Whether the decoder marked it as a field pair.
    package var isInterlaced: Bool
    /// False where all pictures of the track depend on missing ones; this is the first one then.
    package var isWhole: Bool
  }

  /// What the container says of the stream; the unit of its times is that of ``clock``.
  package var stream: StreamInfo
  /// Which of the recordings in the file it belongs to, from 0: a file whose recorder was started
  /// twice has tracks of 0 and 1, which are placed one after the other.
  package var link: Int
  /// The run of segments that it is read from; nil for a file.
  package var run: Int?
  /// Its packets, numbered within the stream of the file or run.
  package var packets: Range<Int>
  /// When its ticks are shown or heard, relative to the file's beginning.
  package var clock: TrackClock
  /// When its first picture or sample is shown or heard, and when its last one ends, relative to
  /// the file's beginning.
  package var start, end: ExactTime
  /// Whether its times are those of pictures in the order in which they come out of the decoder,
  /// so that it can only be read from its start.
  package var isCounted = false
  /// How many packets the decoder has to see before it can put out a picture that belongs before
  /// them.
  var reorderDepth = 0
  /// Whether its decoder learns something from the first packet that it needs later.
  var needsFirstPacket = false
  /// Set for pictures that can be decoded.
  package var firstPicture: FirstPicture?
  /// Whether its sound can be decoded.
  package var isAudible = false
  /// The name of the file with its packets: ``PacketIndex/name(of:)``.
  package var index = ""

  /// Whether it can be decoded.
  package var isDecodable: Bool { firstPicture != nil || isAudible }

  /// From ``start`` to ``end``, rounded to nanoseconds.
  package var interval: TimeRange { TimeRange(start: start.rounded, end: end.rounded) }
}
