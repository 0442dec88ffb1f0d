package import TesseraCaptions
package import TesseraLettering
public import TesseraTimeline

/// The texts and images to draw over the tiles.
public struct OverlayRequest: Hashable, Sendable {
  /// A text or an image shown for some time.
  package struct TimedOverlay: Hashable, Sendable {
    /// The content of a row.
    package enum Content: Hashable, Sendable {
      /// Lines of text.
      case text(String)
      /// The path of an image.
      case image(String)
    }

    /// The time at which the row appears, and at which it disappears; `nil` for the end of the
    /// video.
    package var from: MediaTime, to: MediaTime?
    package var content: Content
    /// The position on the canvas.
    package var anchor: AnchorPoint
    /// The opacity, `0...1`.
    package var opacity: Double
    /// The height of an image as a fraction of the canvas height, `0...1`.
    package var height: Double

    /// Creates a row with `content` at `anchor`, by default for the whole video.
    package init(
      _ content: Content, at anchor: AnchorPoint, from: MediaTime = .zero, to: MediaTime? = nil,
      opacity: Double = 1, height: Double = 0.08
    ) {
      (self.content, self.anchor, self.from, self.to) = (content, anchor, from, to)
      (self.opacity, self.height) = (opacity, height)
    }
  }

  /// A title card at the start of the video.
  public struct TitleCard: Hashable, Sendable {
    /// The text, which may have several lines. An empty text means no card.
    public var text: String
    /// The time for which the card is shown, above zero.
    public var length: MediaTime

    /// Creates a card that shows `text` for `length`.
    public init(text: String, length: MediaTime) { (self.text, self.length) = (text, length) }

    /// No title card, for an output that must not inherit the shared one.
    package static let none = TitleCard(text: "", length: MediaTime(seconds: 3))
  }

  /// The kind of clock drawn into the picture.
  package enum ClockKind: Hashable, Sendable {
    /// The time since the start of the call.
    case call
    /// The time of day; `zone` is the offset from UTC in minutes.
    case wall(zone: Int)
  }

  /// The path of an image that fills the background.
  package var background: String?
  /// Texts and images in drawing order, the topmost last.
  package var rows: [TimedOverlay] = []
  /// Captions from files, drawn into the picture.
  package var captions: [CaptionCue] = []
  /// True if the transcript is also drawn as captions.
  package var drawsTranscript = false
  /// The color of the spoken word in captions word by word; `nil` if there are no such captions.
  package var words: SpokenWordColor?
  /// The clock; `nil` for none.
  package var clock: ClockKind?
  /// The title card at the start; `nil` for none.
  package var title: TitleCard?
  /// The only interval for which overlays are needed; `nil` for everything that is rendered.
  /// Overlays outside the interval are not drawn.
  package var interval: TimeRange?

  /// Creates a request for no overlays.
  package init() {}
}

/// The color of the spoken word in captions word by word.
package enum SpokenWordColor: String, Hashable, Sendable, CaseIterable {
  /// The accent color of the theme.
  case accent
  /// The speaker's own color.
  case speaker
}

extension OverlayRequest.ClockKind {
  /// The time zone's name, such as `UTC`, `UTC+2` or `UTC-3:30`; empty for a clock without a zone.
  package var zoneText: String {
    guard case .wall(let zone) = self else { return "" }
    let (hours, minutes) = (abs(zone) / 60, abs(zone) % 60)
    guard zone != 0 else { return "UTC" }
    let rest = minutes == 0 ? "" : ":\(minutes < 10 ? "0" : "")\(minutes)"
    return "UTC\(zone < 0 ? "-" : "+")\(hours)\(rest)"
  }
}
