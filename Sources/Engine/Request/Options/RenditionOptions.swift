public import TesseraCodecs
public import TesseraLayout
public import TesseraPixels
public import TesseraSoundtrack
public import TesseraTimeline

/// What is asked of one output: of everything, or what differs from the other outputs. What is nil
/// says nothing, and leaves it to the recording or the usual.
public struct RenditionOptions: Sendable {
  // MARK: Picture

  /// Who goes where, all along; else as the recording says, else by ``AutoLayout``.
  public var layout: LayoutOption?
  /// The canvas in pixels, both sides even, 16...8192; one may be left to the layout.
  public var size: ProposedSize?
  /// Frames a second, or that they are found.
  var rate: FrameRateOption?
  /// How pictures are scaled.
  public var filter: ResampleFilter?
  /// How a picture fills its tile.
  public var fit: Fit?
  /// The distance between tiles in pixels, 0...512.
  public var gap: Int?
  /// How long tiles move when somebody comes or leaves, at most a minute; zero cuts.
  public var transition: MediaTime?
  /// The most tiles that are shown, 1...1000; the last one stands for everyone else.
  public var maximumTiles: Int?
  /// The participant who is large, named as in ``CallOptions/local``.
  public var focus: String?
  /// The only people that are seen and heard.
  public var only: [String]?
  /// The people that are neither seen nor heard.
  public var excluded: [String]?
  /// The people that are heard but have no tile.
  public var hidden: [String]?
  /// Somebody who is always seen, in a place that nothing else takes.
  package var keptVisible: KeptPerson?
  /// The people who have a tile.
  public var tiles: TileChoice?

  // MARK: Look

  /// Colors, plates and cards.
  public var theme: ThemeOption?
  /// Whether tiles carry names.
  public var showsNames: Bool?
  /// Whether the active speaker has a frame.
  public var highlightsSpeaker: Bool?
  /// The radius of tiles' corners in pixels, 0...540.
  public var cornerRadius: Double?
  /// What shows between the tiles.
  public var background: BackgroundOption?
  /// What of people's pictures cropping keeps in sight.
  var focuses: [FocusOption]?
  /// The part of a tile's height that heads take.
  package var headShare: Double?
  /// An image over the tiles.
  public var watermark: Watermark?
  /// A title over the whole canvas at the beginning.
  public var titleCard: OverlayRequest.Title?
  /// A running clock.
  public var clock: ClockOption?
  /// Captions that are drawn.
  public var captions: CaptionsOption?
  /// How long the last picture of a camera is held before its card comes; zero is for ever.
  public var freezeAfter: MediaTime?

  // MARK: Encoding

  /// What the output is for, which decides what nobody says.
  package var purpose: Purpose?
  /// libavcodec's name of the video encoder.
  public var encoder: String?
  /// The encoder's point between fast and small.
  public var preset: String?
  /// The encoder's constant quality.
  public var quality: Int?
  /// Further options of the encoder.
  public var encoderOptions: [EncoderOption]?
  /// The title that the file carries.
  public var title: String?
  /// Captions that players can turn on and off.
  public var captionTracks: [CaptionTrackOption]?
  /// A file with chapters of one's own: lines such as `0:12 Title`, or FFmpeg's metadata.
  public var chapterFile: PathOption?
  /// Whether the file has chapters.
  public var hasChapters: Bool?

  // MARK: Sound

  /// The loudness that voices and mix are brought to.
  public var loudness: LoudnessTarget?
  /// How many decibels the sound of shared screens is turned down while people speak, 0...60.
  public var duck: Double?
  /// The only people that are heard.
  public var onlySound: [String]?
  /// The people that are not heard.
  public var excludedSound: [String]?
  /// The sound's encoder.
  public var soundCodec: SoundEncoderSettings.Codec?
  /// How many channels the sound has.
  public var channels: AudioChannels?
  /// Bits a second of the sound.
  package var bitRate: BitRate?

  // MARK: Part

  /// The parts of the call that are kept, and nothing else.
  public var kept: [CallPart]?
  /// The parts of the call that are cut.
  public var cuts: [CallPart]?
  /// How pauses in which nobody speaks are tightened.
  public var tighten: TightenOption?
  /// Files of edits: ranges, or the call's transcript in which somebody has struck words.
  package var edits: [PathOption]?
  /// Words that are cut wherever they are said.
  public var fillers: FillerWords?
  /// Where the rendered part begins.
  public var from: MediaTime?
  /// Where it ends.
  public var to: MediaTime?
  /// The number, from 1, of the only chapter of the main output that is made.
  package var chapter: Int?
  /// A table of clips, each of which becomes a file of its own.
  package var clips: PathOption?
  /// Whether both ends move to pauses between sentences that are near; nil is where it is a clip.
  package var snaps: Bool?

  /// Nothing is asked for.
  public init() {}

  /// Frames a second; nil also where they are found.
  public var frameRate: FrameRate? {
    get { if case .fixed(let rate) = rate { rate } else { nil } }
    set { rate = newValue.map { .fixed($0) } }
  }

  /// Whether the frame rate is the lowest at which no picture of the recordings is lost, at most 30.
  public var findsFrameRate: Bool {
    get { rate == .found }
    set { rate = newValue ? .found : nil }
  }

  /// The points of people's pictures that cropping keeps in sight.
  public var fitFocus: [FitFocus]? {
    get {
      focuses.map { focuses in
        focuses.compactMap { if case .point(let focus) = $0 { focus } else { nil } }
      }
    }
    set {
      let faces = focuses?.filter { $0 == .faces } ?? []
      focuses = newValue.map { faces + $0.map(FocusOption.point) } ?? (faces.isEmpty ? nil : faces)
    }
  }

  /// Whether cropping keeps faces in sight where nothing else is said of a person.
  public var followsFaces: Bool {
    get { focuses?.contains(.faces) ?? false }
    set {
      let points = (focuses ?? []).filter { $0 != .faces }
      focuses = newValue ? [.faces] + points : points.isEmpty ? nil : points
    }
  }

  /// Bits a second of the sound, above 0.
  public var soundBitRate: Int? {
    get { bitRate?.bitsPerSecond }
    set { bitRate = newValue.map { BitRate($0) } }
  }
}
