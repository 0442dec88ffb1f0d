package import TesseraMessages
public import TesseraTimeline

/// A call as its recorder or a session file describes it: participants, their tracks on one
/// timeline, events, the settings that a session file asks for, and the importer's remarks.
///
/// A plain value. Code that reads a recording cannot distinguish one recorder from another.
public struct Recording: Hashable, Sendable, Codable {
  /// The title of the call.
  public var title: String?
  /// The wall-clock time at zero of the timeline, since 1970 in UTC; `nil` if unknown.
  public var startedAt: MediaTime?
  /// The initial layout; `nil` leaves the choice to the renderer.
  public var layout: RequestedLayout?
  /// The canvas settings that the recording asks for.
  public var canvas = CanvasSettings()
  /// The chapters from the recording's files; empty if the renderer is to find chapters.
  package var chapters: [ChapterFileReader.ChapterMark] = []
  /// The shots that a director chose; empty if the renderer is to find shots.
  package var shots: [ShotStart] = []
  /// The kept, cut and muted parts, which apply to all outputs.
  package var edits = EditList()
  /// True to leave out stretches without participants; `nil` leaves the choice to the renderer.
  public var trimsIdle: Bool?
  /// The evidence for placing tracks whose positions no recorder states; `nil` leaves the choice to
  /// the renderer.
  public var alignment: AlignmentMethod?
  /// The participants, in the order in which the recorder lists them. Identifiers are unique.
  public var participants: [Participant]
  /// The changes during the call, in order of time.
  public var events: [CallEvent]
  /// The texts and images drawn over the tiles.
  public var overlays: [Overlay]
  /// The files that contain transcripts.
  package var transcripts: [TranscriptReference] = []
  /// The additional outputs. Their paths are relative to the main output's folder.
  package var outputs: [SessionOutput] = []
  /// Remarks on how the recording was understood: whole sentences for the user.
  public var notes: [String] {
    get { messages.map(\.commandLine) }
    set { messages = newValue.map { UserMessage($0) } }
  }
  /// The ``notes``, with options and files as values.
  package var messages: [UserMessage] = []
  /// The paths of media files that the importer left out on purpose, such as mixes of everyone.
  package var leftOut: Set<String> = []

  private enum CodingKeys: String, CodingKey {
    case title, startedAt, layout, canvas, chapters, shots, edits, trimsIdle, alignment
    case participants, events, overlays, transcripts, outputs
    case messages = "notes"
    case leftOut
  }

  /// Creates a recording of `participants`.
  public init(
    title: String? = nil, participants: [Participant] = [], events: [CallEvent] = [],
    overlays: [Overlay] = [], notes: [String] = []
  ) {
    self.title = title
    self.participants = participants
    self.events = events
    self.overlays = overlays
    self.notes = notes
  }

  /// The latest time in a recording: 7 days.
  package static let maximumTime = MediaTime(seconds: 7 * 86400)
  package static let maximumParticipants = 1000
  /// The maximum number of tracks of all participants together.
  package static let maximumTracks = 10_000
  package static let maximumTranscripts = 1000
  package static let maximumEvents = 200_000

  /// The tracks of all participants, in the order of the participants.
  public var tracks: [Track] { participants.flatMap(\.tracks) }

  /// Returns the participant with the identifier `id`; `nil` if there is none.
  public func participant(_ id: Participant.ID) -> Participant? {
    participants.first { $0.id == id }
  }
}

/// The canvas settings that a recording asks for; `nil` leaves a setting to the renderer.
public struct CanvasSettings: Hashable, Sendable, Codable {
  /// The size in pixels, `1280x720`.
  public var size: String?
  /// The frames per second.
  public var frameRate: FrameRate?
  /// The background: a color such as `#101418`, or the path of an image.
  public var background: String?
  /// Further options, by name, for outputs that do not set them.
  package var options: [SessionOutput.Option] = []

  /// Canvas settings; none by default.
  public init(size: String? = nil, frameRate: FrameRate? = nil, background: String? = nil) {
    self.size = size
    self.frameRate = frameRate
    self.background = background
  }
}

/// A layout that a recording asks for.
public enum RequestedLayout: Hashable, Sendable, Codable {
  /// A layout by its name with options, or by the path of a layout file, as on the command line.
  case named(String)
  /// Regions as JSON: Twilio's `video_layout`, or hisui's layout file, which contains such an
  /// object.
  case regions(json: String)
  /// A stylesheet, as text.
  case stylesheet(String)
}
