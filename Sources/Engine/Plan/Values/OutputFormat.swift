package import TesseraCodecs
package import TesseraLayout
import TesseraLettering
package import TesseraPixels
package import TesseraSystem
import TesseraTimeline

/// What a render makes: the canvas, the streams and the tags.
package struct OutputFormat: Hashable, Sendable, Codable {
  /// The pictures; its size is the canvas's.
  package var video: VideoEncoderSettings
  /// How the sound is encoded.
  package var audio: SoundEncoderSettings
  /// What shows where there is no tile.
  package var background: Color
  /// How pictures are scaled.
  package var filter: ResampleFilter
  /// How pictures of another shape than their cell are placed.
  package var fit: Fit
  /// How tiles look around their pictures.
  package var style: TileStyle
  /// How far picture and card of a tile have changed places in each frame in which they do, 0...255;
  /// empty cuts.
  package var contentShares: [UInt8] = []
  /// The title that the file carries, or nil.
  package var title: String?
  /// The chapters that the file carries.
  package var chapters: [Chapter] = []
  /// The captions that the file carries, and that players can turn on and off.
  package var captions: [TextTrack] = []
  /// Whether it is measured what each canvas shows, so that the finished file can be held against it.
  package var isProven = false

  /// The usual format for that canvas and rate.
  package init(
    video: VideoEncoderSettings, audio: SoundEncoderSettings = SoundEncoderSettings(),
    style: TileStyle = TileStyle(), filter: ResampleFilter = .bicubic, fit: Fit = .auto,
    title: String? = nil
  ) {
    self.style = style
    (self.video, self.audio) = (video, audio)
    background = style.theme.background
    (self.filter, self.fit, self.title) = (filter, fit, title)
  }

  /// How many frames picture and card of a tile take to change places; 0 cuts.
  package var contentFade: Int { contentShares.count }

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
      "\(path): a file of sound carries no captions; leave out \(option: "captions-track"), or give -o the "
        + "ending of a video.")
  }
}
