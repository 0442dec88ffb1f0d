public import TesseraCodecs
public import TesseraLayout
public import TesseraPixels
public import TesseraSoundtrack
public import TesseraTimeline

/// Options of one output, or shared by all outputs. A `nil` property leaves the decision to the
/// shared options, then the recording, then the default.
public struct RenditionOptions: Sendable {
  // MARK: Picture

  /// The layout of the tiles (default: the recording's own, otherwise ``AutoLayout``).
  public var layout: LayoutOption?
  /// The canvas size in pixels, both sides even, `16...8192`. One side may be left to the layout
  /// (default: 1920x1080, or the layout file's size).
  public var size: ProposedSize?
  /// The frame rate, fixed or derived from the recordings (default: the recording's own, otherwise
  /// 30 fps).
  var rate: FrameRateOption?
  /// The scaling filter (default: bicubic).
  public var filter: ResampleFilter?
  /// The way in which a picture fills its tile (default: automatic).
  public var fit: PictureFit?
  /// The gap between tiles in pixels, `0...512` (default: 0.6 % of the canvas's shorter side).
  public var gap: Int?
  /// The duration of tile movements when a participant joins or leaves, at most 60 s. Zero cuts.
  public var transition: MediaTime?
  /// The maximum number of tiles, `1...1000` (default: 25). The last tile stands for everyone else.
  public var maximumTiles: Int?
  /// The participant shown large, named as in ``CallOptions/local``, if the layout has a large
  /// place.
  public var focus: String?
  /// The only participants that are seen and heard; `nil` for all.
  public var only: [String]?
  /// Participants that are neither seen nor heard.
  public var excluded: [String]?
  /// Participants that are heard but have no tile.
  public var hidden: [String]?
  /// A participant that is always visible in a reserved part of the canvas.
  package var keptVisible: ReservedPlaceOption?
  /// The choice of participants that get a tile (default: all).
  public var tiles: TiledParticipants?

  // MARK: Look

  /// The theme: colors, name plates and cards (default: dark).
  public var theme: ThemeOption?
  /// True to show names on tiles (default: the theme's setting).
  public var showsNames: Bool?
  /// True to frame the active speaker's tile (default: the theme's setting).
  public var highlightsSpeaker: Bool?
  /// The corner radius of tiles in pixels, `0...540` (default: the theme's setting).
  public var cornerRadius: Double?
  /// The background between tiles (default: the theme's color).
  public var background: BackgroundOption?
  /// The faces or points that cropping keeps visible.
  var focuses: [FocusOption]?
  /// The fraction of a tile's height that a head takes, `0.2...0.8`; `nil` keeps the recorded size.
  /// Pictures are cropped and enlarged up to 1.6 times for it.
  package var headShare: Double?
  /// An image drawn over the tiles.
  public var watermark: Watermark?
  /// A title card over the whole canvas at the start.
  public var titleCard: OverlayRequest.TitleCard?
  /// A clock drawn into the picture.
  public var clock: ClockOption?
  /// Captions drawn into the picture.
  public var captions: CaptionsOption?
  /// The time for which a camera's last picture is held before a card replaces it (default: 5 s).
  /// Zero means without limit.
  public var freezeAfter: MediaTime?

  // MARK: Encoding

  /// The purpose of the output, which selects defaults for options that are not set.
  package var purpose: OutputPreset?
  /// The video encoder's libavcodec name (default: `libx264`, or `libvpx-vp9` for `.webm`).
  public var encoder: String?
  /// The encoder's preset, a trade-off between speed and size (default for libx264: `veryfast`).
  public var preset: String?
  /// The encoder's constant quality (CRF). Lower is better (default for libx264: 24).
  public var quality: Int?
  /// Further private options of the encoder.
  public var encoderOptions: [EncoderOption]?
  /// The title stored in the file.
  public var title: String?
  /// Caption tracks that players can turn on and off.
  public var captionTracks: [CaptionTrackOption]?
  /// A file with the user's own chapters: lines such as `0:12 Title`, or FFmpeg metadata.
  public var chapterFile: PathOption?
  /// True to write chapters (default: true).
  public var hasChapters: Bool?

  // MARK: Sound

  /// The loudness to which voices and the mix are normalized (default: off).
  public var loudness: LoudnessTarget?
  /// The attenuation in dB of shared screens' audio while people speak, `0...60` (default: 0).
  public var duck: Double?
  /// The only participants that are heard; others keep their tiles. `nil` for all.
  public var onlySound: [String]?
  /// Participants that are not heard but keep their tiles.
  public var excludedSound: [String]?
  /// The audio encoder (default: the usual one for the output's format).
  public var soundCodec: SoundEncoderSettings.Codec?
  /// The output's audio channels (default: stereo).
  public var channels: AudioChannels?
  /// The audio bit rate (default: 128k).
  package var bitRate: BitRate?

  // MARK: Part

  /// The only parts of the call that are kept; `nil` for the whole call.
  public var kept: [CallRange]?
  /// Parts of the call to cut.
  public var cuts: [CallRange]?
  /// The setting for tightening pauses in which nobody speaks (default: off).
  public var tighten: TightenOption?
  /// Edit files: cut ranges, or the call's transcript with struck words.
  package var edits: [PathOption]?
  /// Filler words to cut wherever a transcript has them (default: none).
  public var fillers: FillerWords?
  /// The start of the rendered part; `nil` for the start of the call.
  public var from: MediaTime?
  /// The end of the rendered part; `nil` for the end of the call.
  public var to: MediaTime?
  /// The number, from 1, of the only chapter of the main output to render; `nil` for all.
  package var chapter: Int?
  /// A table of clips. Each clip becomes its own file.
  package var clips: PathOption?
  /// True to move both ends of the part to nearby pauses between sentences; `nil` does so only for
  /// clips, chapters and parts of further outputs.
  package var snaps: Bool?

  /// True if the options choose a part of the call, or several.
  package var isPart: Bool { from != nil || to != nil || chapter != nil || clips != nil }

  /// Creates options with all properties `nil`.
  public init() {}

  /// The fixed frame rate; `nil` if none is set or the rate is derived from the recordings.
  public var frameRate: FrameRate? {
    get { if case .fixed(let rate) = rate { rate } else { nil } }
    set { rate = newValue.map { .fixed($0) } }
  }

  /// True if the frame rate is derived from the recordings: the lowest at which no picture is lost,
  /// at most 30 fps.
  public var findsFrameRate: Bool {
    get { rate == .found }
    set { rate = newValue ? .found : nil }
  }

  /// The points of participants' pictures that cropping keeps visible.
  public var fitFocus: [PersonFocus]? {
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

  /// True if cropping keeps faces visible for participants without an explicit point.
  public var followsFaces: Bool {
    get { focuses?.contains(.faces) ?? false }
    set {
      let points = (focuses ?? []).filter { $0 != .faces }
      focuses = newValue ? [.faces] + points : points.isEmpty ? nil : points
    }
  }

  /// The audio bit rate in bits per second, above 0.
  public var soundBitRate: Int? {
    get { bitRate?.bitsPerSecond }
    set { bitRate = newValue.map { BitRate($0) } }
  }
}
