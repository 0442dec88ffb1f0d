import TesseraLayout
import TesseraTimeline

/// What an output is for: a name for what is usual there.
package enum Purpose: String, Hashable, Sendable, CaseIterable, OptionValue {
  /// Slides and voices: small pictures, few of them, speech in one channel.
  case slides
  /// Pages and messengers.
  case web
  /// What is kept: nothing is seen of the encoder.
  case archive

  /// What is asked for where nobody says otherwise, of the video encoder of that name. Qualities and
  /// presets are known for x264, and for slides of SVT-AV1: half of the bytes at the same SSIM, for
  /// twice the encoder's time.
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

/// How many frames a second there are.
enum FrameRateOption: Hashable, Sendable, OptionValue {
  /// So many.
  case fixed(FrameRate)
  /// As many as the recordings have.
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
