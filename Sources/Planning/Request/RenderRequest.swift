public import TesseraJobs
public import TesseraLayout
public import TesseraMedia
import TesseraPixels
public import TesseraPlan
public import TesseraRecordings
public import TesseraSoundtrack
public import TesseraTimeline

/// Where somebody's recordings begin on the timeline.
public struct PersonOffset: Hashable, Sendable {
  /// Who, named as in ``RenderRequest/local``.
  public var person: String
  /// Where; what lies before zero is cut off.
  public var time: MediaTime

  /// `person`'s recordings begin at `time`.
  public init(person: String, time: MediaTime) { (self.person, self.time) = (person, time) }
}

/// How much louder somebody is.
public struct PersonGain: Hashable, Sendable {
  /// Who, named as in ``RenderRequest/local``.
  public var person: String
  /// By how much, in decibels.
  public var decibels: Double

  /// `person` is louder by `decibels`.
  public init(person: String, decibels: Double) {
    (self.person, self.decibels) = (person, decibels)
  }
}

/// The point of somebody's picture that cropping keeps in sight.
public struct FitFocus: Hashable, Sendable {
  /// Who, by any of the person's names.
  public var person: String
  /// The point in units of the picture's width and height, both 0...1.
  public var point: Point

  /// `point` of `person`'s picture.
  public init(person: String, point: Point) { (self.person, self.point) = (person, point) }
}

/// Who has a tile.
public enum TileChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// Everyone.
  case all
  /// Only those whose camera or screen is on, while it is.
  case cameras
}

/// Where the active speaker is known from.
public enum SpeakerSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The recorder where it does, else the voices.
  case auto
  /// The voices.
  case audio
  /// The recorder.
  case events
  /// Nothing.
  case none
}

/// What somebody wants rendered, before anything is known of the files.
public struct RenderRequest: Sendable {
  /// The call; nil reads ``inputs``.
  public var call: CallInput?
  /// A folder, archive, manifest or session file, or media files.
  public var inputs: [String] = []
  /// What is to be made.
  public var output: OutputFormat
  /// Who goes where, all along; nil is as the recording says, else ``AutoLayout``.
  public var layout: (any LayoutPolicy)?
  /// The canvas where one of its sides is left to the layout; nil takes the output's size.
  public var size: ProposedSize?
  /// The distance between tiles in pixels; nil is 0.6 % of the canvas's short side.
  public var gap: Double?
  /// How the layout moves when somebody comes or leaves.
  public var transition = Transition.standard
  /// The most tiles that are shown at once; the last one stands for everyone else.
  public var maximumTiles = 25
  /// Who is the local participant: a file's name with or without its extension, its path, or its
  /// number from 1; nil is the first.
  public var local: String?
  /// Who is large, named as in ``local``; nil leaves it to the layout.
  public var focus: String?
  /// The only people that are seen and heard, named as in ``local``; empty is everyone.
  public var only: [String] = []
  /// The people that are neither seen nor heard, named as in ``local``.
  public var excluded: [String] = []
  /// The people that are heard but have no tile, named as in ``local``.
  public var hidden: [String] = []
  /// Who has a tile.
  public var tiles = TileChoice.all
  /// How tracks are laid against each other where no recorder says so; nil is as the recording
  /// says, or else by their starts.
  public var alignment: Alignment?
  /// Whose recordings begin elsewhere than all others', and where.
  public var offsets: [PersonOffset] = []
  /// How much louder people are.
  public var gains: [PersonGain] = []
  /// How loud the mix is to be; voices are then brought to one level.
  public var loudness = LoudnessTarget.off
  /// By how many decibels the sound of shared screens is turned down while somebody speaks.
  public var duck = 0.0
  /// The only people that are heard, named as in ``local``; empty is everyone. They all have tiles.
  public var onlySound: [String] = []
  /// The people that are not heard, named as in ``local``; they have tiles.
  public var excludedSound: [String] = []
  /// Which sound is heard of files with several tracks of it.
  public var audioTrack = AudioTrackChoice.preferred
  /// Whether pictures are wanted; without, nobody has to be seen.
  public var hasPictures = true
  /// The point of somebody's picture that cropping keeps in sight.
  public var fitFocus: [FitFocus] = []
  /// For how long the last picture of a camera is held before its card comes; nil for ever.
  public var longestHold: MediaTime? = MediaTime(seconds: 5)
  /// Whether stretches in which nobody is there are left out; nil is as the recording says.
  public var trimsIdle: Bool?
  /// Where the active speaker is known from.
  public var speakerSource = SpeakerSource.auto
  /// Whether somebody asks for the speakers' turns, whatever the layout needs.
  public var wantsTurns = false
  /// Whether the file has chapters.
  public var hasChapters = true
  /// What lies over the tiles.
  public var overlays = OverlayRequest()
  /// What people should know about the files that were read for it; a sentence each.
  public var notes: [String] = []
  /// Captions that players can turn on and off, a track each.
  package var captionTracks: [CaptionTrack] = []
  /// What was said, as files have it; empty takes what lies beside the recording.
  package var transcripts: [TranscriptInput] = []
  /// Whether somebody asks for what was said, so that it is noted where nobody knows.
  package var wantsTranscript = false
  /// Where what was found in files is kept, so that they are not read again; nil keeps nothing.
  public var cache: ScanCache?
  /// Is told how far planning is, on any thread.
  public var progress: (@Sendable (PlanningProgress) -> Void)?
  /// The processes that read the files; nil where threads of this one do, which a decoder that
  /// crashes ends.
  public var readers: WorkerProgram?
  /// Whether an input that does not exist is a loss, not an error.
  public var allowsMissing = false
  /// Where the rendered part begins.
  public var from: MediaTime?
  /// Where the rendered part ends.
  public var to: MediaTime?
  /// The longest video that is made: what is longer is refused before anything is rendered.
  public var longestDuration = RenderRequest.usualLongestDuration

  /// All of `call`.
  public init(_ call: CallInput, output: OutputFormat, layout: (any LayoutPolicy)? = nil) {
    self.call = call
    self.output = output
    self.layout = layout
  }

  /// All of `inputs`.
  public init(inputs: [String], output: OutputFormat, layout: (any LayoutPolicy)? = nil) {
    self.inputs = inputs
    self.output = output
    self.layout = layout
  }

  /// A day: broken times make longer videos than calls do.
  public static let usualLongestDuration = MediaTime(seconds: 86_400)

  /// The lengths in pixels that a side of the canvas can have, if it is even.
  public static let canvasSides = 16...8192
}
