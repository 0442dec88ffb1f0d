public import TesseraLayout
public import TesseraMedia
public import TesseraPixels
public import TesseraSoundtrack
public import TesseraTimeline

/// What to draw when, with every question answered: all that rendering needs besides the files.
///
/// The timeline is divided into the output's frames, numbered from 0 at its beginning; everything
/// in a plan is said in such frames or in exact times.
public struct Plan: Sendable, Codable {
  /// Who takes part.
  public var participants: [Participant]
  /// Where each participant's picture goes at any time; items are numbered as ``participants``.
  public var layout: AttributeTimeline
  /// What is made of it.
  public var output: OutputFormat
  /// The number of frames of the whole timeline.
  public var frameCount: Int
  /// The frames that are rendered.
  public var frames: Range<Int>
  /// What is worth knowing before rendering, but no loss; a sentence each.
  public var notes: [String] = []

  /// One participant: a file with pictures, sound or both, or what is wrong with it.
  public struct Participant: Sendable, Codable {
    /// What the participant is called: the file's name without its extension.
    public var name: String
    /// The file.
    public var path: String
    /// The pictures, where there are any that can be decoded.
    public var pictures: Pictures?
    /// The sound, where there is any that can be decoded.
    public var sound: VoiceSource?
    /// The frames in which the layout has to place it: from the first picture to the last one's
    /// end, without pictures those of the sound, without either all. A plain tile stands in for
    /// pictures that are not there.
    public var presence: Range<Int>
    /// What was lost before rendering began, a sentence each.
    public var losses: [String]
  }

  /// A participant's pictures.
  public struct Pictures: Sendable, Codable {
    /// Where they are read.
    public var source: PictureSource
    /// The shape of the first one as displayed, width over height.
    public var aspectRatio: Double
  }

  /// How long the rendered part is.
  public var duration: MediaTime {
    output.video.frameRate.time(ofFrame: frames.count)
  }
}

/// What a render makes: the canvas, the streams and the tags.
public struct OutputFormat: Hashable, Sendable, Codable {
  /// The pictures; its size is the canvas's.
  public var video: VideoEncoderSettings
  /// Bits a second of the sound.
  public var audioBitRate: Int
  /// What shows where there is no tile.
  public var background: Color
  /// How pictures are scaled.
  public var filter: ResampleFilter
  /// How pictures of another shape than their cell are placed.
  public var fit: Fit
  /// The title that the file carries, or nil.
  public var title: String?

  /// The usual format for that canvas and rate.
  public init(
    video: VideoEncoderSettings, audioBitRate: Int = 128_000,
    background: Color = Color(rgb: 0x101418), filter: ResampleFilter = .bicubic, fit: Fit = .auto,
    title: String? = nil
  ) {
    (self.video, self.audioBitRate, self.background) = (video, audioBitRate, background)
    (self.filter, self.fit, self.title) = (filter, fit, title)
  }

  /// The colour of a plain tile that stands in for pictures: the background, an eighth of the way
  /// to its opposite.
  var placeholder: Color {
    let isDark = isDark
    let mixed = { (value: UInt8) in
      UInt8((Int(value) * 7 + (isDark ? 255 : 0)) / 8)
    }
    return Color(
      red: mixed(background.red), green: mixed(background.green), blue: mixed(background.blue))
  }
  /// The colour of lettering on ``placeholder``.
  var lettering: Color { isDark ? Color(rgb: 0xe8eaed) : Color(rgb: 0x202428) }

  /// Whether the background is nearer to black than to white.
  private var isDark: Bool { background.canvasSample.luma < 128 }
}
