package import TesseraCodecs
package import TesseraLayout
import TesseraLettering
import TesseraMessages
package import TesseraPixels
package import TesseraSystem

/// The format of an output: canvas, streams and tags.
package struct OutputFormat: Hashable, Sendable, Codable {
  /// Settings of the video encoder. Its size is the canvas size.
  package var video: VideoEncoderSettings
  package var audio: SoundEncoderSettings
  /// The color where no tile covers the canvas.
  package var background: Color
  package var filter: ResampleFilter
  /// The placement of pictures whose aspect ratio differs from their cell's.
  package var fit: PictureFit
  /// The appearance of tiles around their pictures.
  package var style: TileStyle
  /// Crossfade weights, 0...255, for the frames in which a tile's picture and card replace each
  /// other. Empty for a hard cut.
  package var contentShares: [UInt8] = []
  /// The title tag of the file; nil for none.
  package var title: String?
  package var chapters: [Chapter] = []
  /// The caption tracks in the file, which players can switch on and off.
  package var captions: [SubtitleTrack] = []
  /// True if a proof is recorded: measurements of each canvas, which verification compares with the
  /// finished file.
  package var isProven = false

  /// Creates the default format for a canvas and frame rate. The background is the theme's.
  package init(
    video: VideoEncoderSettings, audio: SoundEncoderSettings = SoundEncoderSettings(),
    style: TileStyle = TileStyle(), filter: ResampleFilter = .bicubic, fit: PictureFit = .auto,
    title: String? = nil
  ) {
    self.style = style
    (self.video, self.audio) = (video, audio)
    background = style.theme.background
    (self.filter, self.fit, self.title) = (filter, fit, title)
  }

  /// Number of frames of the crossfade between a tile's picture and card; 0 for a hard cut.
  package var contentFade: Int { contentShares.count }

  /// The color of a plain tile that replaces pictures: an eighth of the way from the background to
  /// black or white, whichever contrasts.
  package var placeholder: Color {
    let isDark = isDark
    let mixed = { (value: UInt8) in
      UInt8((Int(value) * 7 + (isDark ? 255 : 0)) / 8)
    }
    return Color(
      red: mixed(background.red), green: mixed(background.green), blue: mixed(background.blue))
  }

  /// True if the background is closer to black than to white.
  private var isDark: Bool { background.canvasSample.luma < 128 }
}

extension RenderError {
  /// Captions were requested for an output without pictures.
  package static func captionsInSound(_ path: String) -> RenderError {
    RenderError(
      .usage,
      "\(file: path): a file of sound carries no captions; leave out \(option: "captions-track"), or give -o the "
        + "ending of a video.")
  }
}
