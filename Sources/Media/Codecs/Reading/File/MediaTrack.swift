package import TesseraTimeline

/// One stretch of one stream of a file: from one start of the recorder to its stop.
package struct MediaTrack: Hashable, Sendable, Codable {
  /// The facts about the first picture without missing references.
  package struct FirstPicture: Hashable, Sendable, Codable {
    /// The number of the picture's packet.
    package var packet: Int
    /// The display aspect ratio, width divided by height.
    package var aspectRatio: Double
    /// True if the decoder marked the picture as interlaced.
    package var isInterlaced: Bool
    /// True if the picture has all its references. False if no picture of the track has; the value
    /// then describes the first one.
    package var isWhole: Bool
  }

  /// The container's description of the stream. Packet ticks are in the time base of ``clock``.
  package var stream: StreamInfo
  /// The number of the recording within the file, from 0. If a recorder was started twice, the file
  /// has tracks of recordings 0 and 1, placed one after the other.
  package var link: Int
  /// The number of the run of segments that the track is read from; `nil` for a file.
  package var run: Int?
  /// The numbers of the track's packets within the stream of the file or run.
  package var packets: Range<Int>
  /// The conversion from ticks to time relative to the start of the file.
  package var clock: TrackTimeMapping
  /// The times at which the first picture or sample starts and the last one ends, relative to the
  /// start of the file.
  package var start, end: ExactTime
  /// True if the ticks are those of pictures in output order of the decoder. Such a track can only
  /// be read from its start.
  package var isCounted = false
  /// The number of packets that the decoder must receive before it can output a picture that
  /// precedes theirs.
  var reorderDepth = 0
  /// True if the decoder needs information that only the first packet carries.
  var needsFirstPacket = false
  /// The first picture; `nil` if the track is audio or cannot be decoded.
  package var firstPicture: FirstPicture?
  /// True if the track is audio that can be decoded.
  package var isAudible = false
  /// The name of the packet index: ``PacketIndex/name(of:)``.
  package var index = ""

  /// True if pictures or audio of the track can be decoded.
  package var isDecodable: Bool { firstPicture != nil || isAudible }

  /// The interval from ``start`` to ``end``, rounded to nanoseconds.
  package var interval: TimeRange { TimeRange(start: start.rounded, end: end.rounded) }
}
