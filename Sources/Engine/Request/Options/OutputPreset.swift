import TesseraLayout
import TesseraTimeline

/// The purpose of an output, which selects defaults for size, rate, quality and audio.
package enum OutputPreset: String, Hashable, Sendable, CaseIterable, OptionValue {
  /// Slides and voices: a small picture, a low frame rate and mono speech.
  case slides
  /// Web pages and messengers.
  case web
  /// Archival: a quality at which no encoding artifacts are visible.
  case archive

  /// Returns the defaults for the video encoder with this libavcodec name.
  ///
  /// Quality and preset are set for x264, and for slides with SVT-AV1: half the bytes at the same
  /// SSIM, for twice the encoding time.
  package func options(for encoder: String) -> RenditionOptions {
    var options = options
    if encoder == "libsvtav1", self == .slides {
      (options.preset, options.quality) = ("10", 45)
    } else if encoder != "libx264" {
      (options.preset, options.quality) = (nil, nil)
    }
    return options
  }

  private var options: RenditionOptions {
    var options = RenditionOptions()
    switch self {
    case .slides:
      (options.size, options.findsFrameRate) = (ProposedSize(width: 1280, height: 720), true)
      (options.quality, options.channels, options.soundBitRate) = (26, .mono, 64_000)
    case .web:
      options.size = ProposedSize(width: 1280, height: 720)
      (options.quality, options.soundBitRate) = (25, 96_000)
    case .archive:
      (options.preset, options.quality, options.soundBitRate) = ("medium", 18, 192_000)
    }
    return options
  }
}

/// The frame rate of an output: fixed, or derived from the recordings.
enum FrameRateOption: Hashable, Sendable, OptionValue {
  /// A fixed frame rate.
  case fixed(FrameRate)
  /// The lowest usual rate, of 10 to 30 fps, that drops no picture of the recordings.
  case found

  static var mayBeginWithDash: Bool { true }

  init?(option text: String) {
    if text == "auto" {
      self = .found
    } else if let rate = FrameRate(text) {
      self = .fixed(rate)
    } else {
      return nil
    }
  }

  var optionText: String {
    switch self {
    case .fixed(let rate): rate.description
    case .found: "auto"
    }
  }
}
