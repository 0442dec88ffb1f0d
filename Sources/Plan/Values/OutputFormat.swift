package import TesseraJobs
public import TesseraLayout
import TesseraLettering
public import TesseraMedia
public import TesseraPixels
import TesseraTimeline

/// What a render makes: the canvas, the streams and the tags.
public struct OutputFormat: Hashable, Sendable, Codable {
  /// The pictures; its size is the canvas's.
  public var video: VideoEncoderSettings
  /// How the sound is encoded.
  public var audio: SoundEncoderSettings
  /// What shows where there is no tile.
  public var background: Color
  /// How pictures are scaled.
  public var filter: ResampleFilter
  /// How pictures of another shape than their cell are placed.
  public var fit: Fit
  /// How tiles look around their pictures.
  public var style: TileStyle
  /// How many frames picture and card of a tile take to change places; 0 cuts.
  public var contentFade = 0
  /// The title that the file carries, or nil.
  public var title: String?
  /// The chapters that the file carries.
  public var chapters: [Chapter] = []
  /// The captions that the file carries, and that players can turn on and off.
  package var captions: [TextTrack] = []
  /// Whether it is measured what each canvas shows, so that the finished file can be held against it.
  package var isProven = false

  /// The usual format for that canvas and rate.
  public init(
    video: VideoEncoderSettings, audio: SoundEncoderSettings = SoundEncoderSettings(),
    style: TileStyle = TileStyle(), filter: ResampleFilter = .bicubic, fit: Fit = .auto,
    title: String? = nil
  ) {
    self.style = style
    (self.video, self.audio) = (video, audio)
    background = style.theme.background
    (self.filter, self.fit, self.title) = (filter, fit, title)
  }

  /// The color of a plain tile that stands in for pictures: the background, an eighth of the way
  /// to its opposite.
  package var placeholder: Color {
    let isDark = isDark
    let mixed = { (value: UInt8) in
      UInt8((Int(value) * 7 + (isDark ? 255 : 0)) / 8)
    }
    return Color(
      red: mixed(background.red), green: mixed(background.green), blue: mixed(background.blue))
  }

  /// Whether the background is nearer to black than to white.
  private var isDark: Bool { background.canvasSample.luma < 128 }
}

extension RenderError {
  /// A file of sound was to carry captions.
  package static func captionsInSound(_ path: String) -> RenderError {
    RenderError(
      .usage,
      "\(path): a file of sound carries no captions; leave out --captions-track, or give -o the "
        + "ending of a video.")
  }
}
