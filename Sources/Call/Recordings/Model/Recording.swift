public import TesseraTimeline

/// What happened in a call, as its recorder says: who was there, where their recordings lie on
/// one timeline, and what changed when.
///
/// A value, whatever recorder it comes from: nothing that reads it knows one recorder from another.
public struct Recording: Hashable, Sendable, Codable {
  /// What the call is called.
  public var title: String?
  /// The wall clock at time zero, since 1970 in UTC; nil where nobody says.
  public var startedAt: MediaTime?
  /// The layout at the beginning; nil leaves it to the renderer.
  public var layout: LayoutChoice?
  /// What the recording says about the canvas.
  public var canvas = CanvasWish()
  /// The chapters that somebody wrote down; empty where they are to be found.
  package var chapters: [ChapterFile.Mark] = []
  /// The shots of a director; empty where they are to be found.
  package var shots: [ShotMark] = []
  /// What of it is kept and cut, in all that is made of it.
  package var edits = Edits()
  /// Whether stretches in which nobody is there are to be left out; nil leaves it to the renderer.
  public var trimsIdle: Bool?
  /// How tracks are laid against each other of which nobody knows better; nil leaves it to who
  /// renders.
  public var alignment: Alignment?
  /// Everyone, in the order in which they are listed. No two have the same identifier.
  public var participants: [Participant]
  /// What changes, in the order of time.
  public var events: [Event]
  /// What is drawn over the tiles.
  public var overlays: [Overlay]
  /// Who said what, as files say.
  package var transcripts: [TranscriptSource] = []
  /// What else is to be made of it; the files lie beside the main output.
  package var outputs: [OutputWish] = []
  /// What people should know about how the recording was understood: whole sentences.
  public var notes: [String]
  /// The paths of files beside it that are left out on purpose, such as mixes of everyone.
  package var leftOut: Set<String> = []

  /// A recording of `participants`.
  public init(
    title: String? = nil, participants: [Participant] = [], events: [Event] = [],
    overlays: [Overlay] = [], notes: [String] = []
  ) {
    self.title = title
    self.participants = participants
    self.events = events
    self.overlays = overlays
    self.notes = notes
  }

  /// The latest time that a recording may have.
  package static let maximumTime = MediaTime(seconds: 7 * 86400)
  /// The most participants.
  package static let maximumParticipants = 1000
  /// The most tracks of all participants.
  package static let maximumTracks = 10_000
  /// The most transcripts.
  package static let maximumTranscripts = 1000
  /// The most events.
  package static let maximumEvents = 200_000

  /// All tracks, in the order of the participants.
  public var tracks: [Track] { participants.flatMap(\.tracks) }

  /// The participant of that identifier.
  public func participant(_ id: Participant.ID) -> Participant? {
    participants.first { $0.id == id }
  }
}

/// What a recording says about the canvas on which it is to be drawn.
public struct CanvasWish: Hashable, Sendable, Codable {
  /// The size in pixels, `1280x720`.
  public var size: String?
  /// The frames in a second.
  public var frameRate: FrameRate?
  /// The background: a color such as `#101418`, or the path of an image.
  public var background: String?
  /// What else is asked of outputs that do not say otherwise, by the names of options.
  package var options: [OutputWish.Option] = []

  /// A wish for nothing.
  public init(size: String? = nil, frameRate: FrameRate? = nil, background: String? = nil) {
    self.size = size
    self.frameRate = frameRate
    self.background = background
  }
}

/// A layout that a recording asks for.
public enum LayoutChoice: Hashable, Sendable, Codable {
  /// By its name with its options, or the path of a layout file, as on the command line.
  case named(String)
  /// Regions as JSON, as Twilio's `video_layout` or hisui's file around one has them.
  case regions(json: String)
  /// A stylesheet.
  case stylesheet(String)
}
