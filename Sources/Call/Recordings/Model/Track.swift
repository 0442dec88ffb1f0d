public import TesseraTimeline

/// What a track shows or lets hear.
public enum TrackKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A person's picture, and the sound where the file has one.
  case camera
  /// A shared screen, and the sound where the file has one.
  case screen
  /// A person's sound; a picture in the file is not shown.
  case microphone
  /// A shared screen's sound.
  case screenAudio = "screen-audio"
  /// An image that does not move.
  case still
  /// Whatever the file has.
  case media

  /// Whether only its sound counts.
  package var isSoundOnly: Bool { self == .microphone || self == .screenAudio }
}

/// One stretch of one file on the timeline.
public struct Track: Hashable, Sendable, Codable, Identifiable {
  /// What it is known by in the recording; never empty.
  public var id: String
  /// The path of the file, relative to the recording's folder.
  public var file: String
  /// The number of the stream in the file from 0; nil takes those that suit ``kind``.
  public var stream: Int?
  /// What it shows or lets hear.
  public var kind: TrackKind
  /// The number of the only channel of the sound that is heard, from 0; `nil` for all, mixed.
  public var channel: Int?
  /// True if each channel of the sound is a participant of its own.
  package var hasVoicePerChannel = false
  /// Where it ends at the latest, counted as ``start`` is, and after it; nil is the file's end.
  public var stop: MediaTime?
  /// The time in the file, counted from its beginning, that lies at ``start``; nil is its
  /// beginning.
  public var inPoint: MediaTime?
  /// The time in the file at which it ends; after ``inPoint``. Nil is its end.
  public var outPoint: MediaTime?
  /// Timeline seconds in a second of the file: other than 1 where its recorder's clock ran slow or
  /// fast.
  package var rate = Ratio.one
  /// How much louder the sound is to be, in decibels.
  public var gain = 0.0
  /// Whether its sound is heard.
  public var isHeard = true
  /// All statements about the time at which it was recorded; ``start`` is the first of them that
  /// states a place on the timeline.
  package var anchors: [Anchor] = []
  /// Which of several sources of a kind it is: a person's second camera has a tile of its own.
  package var source: String?
  /// Names by which layouts mean it, besides its file's and its participant's.
  package var names: [String] = []
  /// The classes by which stylesheets and layouts mean it.
  package var classes: [String] = []

  /// A track of the whole of `file` that starts at `start`; `nil` leaves that to the evidence in
  /// the file.
  public init(id: String, file: String, kind: TrackKind = .media, start: MediaTime? = nil) {
    self.id = id
    self.file = file
    self.kind = kind
    anchors = start.map { [Anchor(.session, $0)] } ?? []
  }

  /// The range of ``rate``.
  package static let rates = 0.5...2.0
  /// Clocks are told apart by a hundredth of a part per million.
  private static let rateUnit = 100_000_000

  /// The ``rate`` nearest to `value`.
  package static func rate(_ value: Double) -> Ratio {
    let parts = Int(saturating: (value * Double(rateUnit)).rounded())
    return parts == rateUnit ? .one : Ratio(parts, rateUnit)
  }

  /// The range of ``gain``, in decibels.
  package static let gains = -96.0...48.0
}
