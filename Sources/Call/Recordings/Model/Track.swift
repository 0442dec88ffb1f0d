public import TesseraTimeline

/// The role of a track: camera, screen, microphone, screen audio, still or any media.
public enum TrackKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A participant's picture, with sound if the file has any.
  case camera
  /// A shared screen, with sound if the file has any.
  case screen
  /// A participant's sound. A picture in the file is not shown.
  case microphone
  /// The sound of a shared screen.
  case screenAudio = "screen-audio"
  /// An image without motion.
  case still
  /// All pictures and sound of the file.
  case media

  /// True for kinds of which only the sound is used.
  package var isSoundOnly: Bool { self == .microphone || self == .screenAudio }
}

/// One stretch of one file on the timeline.
public struct Track: Hashable, Sendable, Codable, Identifiable {
  /// The identifier, unique in the recording and never empty.
  public var id: String
  /// The path of the file, relative to the recording's folder.
  public var file: String
  /// The index of the stream in the file, from 0; `nil` selects the streams that suit ``kind``.
  public var stream: Int?
  public var kind: TrackKind
  /// The index of the only audible channel, from 0; `nil` mixes all channels.
  public var channel: Int?
  /// True if each audio channel belongs to a participant of its own.
  package var hasVoicePerChannel = false
  /// The latest end on the timeline, after ``start``; `nil` for the file's end.
  public var stop: MediaTime?
  /// The position in the file that plays at ``start``, from the file's beginning; `nil` for the
  /// beginning.
  public var inPoint: MediaTime?
  /// The position in the file at which the track ends, after ``inPoint``; `nil` for the file's end.
  public var outPoint: MediaTime?
  /// Timeline seconds per second of the file. Differs from 1 if the recorder's clock ran slow or
  /// fast.
  package var rate = Ratio.one
  /// The gain of the sound in dB.
  public var gain = 0.0
  /// False if the track's sound is muted.
  public var isHeard = true
  /// All statements about the time of the recording. ``start`` is the first anchor that states a
  /// position on the timeline.
  package var anchors: [TimeAnchor] = []
  /// The name of the source among several of one kind: a participant's second camera has its own
  /// tile.
  package var source: String?
  /// Names by which layouts select the track, besides the names of its file and its participant.
  package var names: [String] = []
  /// The classes by which stylesheets and layouts select the track.
  package var classes: [String] = []

  /// Creates a track of the whole of `file` that starts at `start`; `nil` leaves the start to the
  /// evidence in the file.
  public init(id: String, file: String, kind: TrackKind = .media, start: MediaTime? = nil) {
    self.id = id
    self.file = file
    self.kind = kind
    anchors = start.map { [TimeAnchor(.session, $0)] } ?? []
  }

  /// The allowed range of ``rate``.
  package static let rates = 0.5...2.0
  /// The resolution of ``rate``: a hundredth of a part per million.
  private static let rateUnit = 100_000_000

  /// Returns the ``rate`` nearest to `value`.
  package static func rate(_ value: Double) -> Ratio {
    let parts = Int(saturating: (value * Double(rateUnit)).rounded())
    return parts == rateUnit ? .one : Ratio(parts, rateUnit)
  }

  /// The allowed range of ``gain``, in dB.
  package static let gains = -96.0...48.0
}
