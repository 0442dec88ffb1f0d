package import TesseraCaptions
package import TesseraLettering
public import TesseraTimeline

/// What is to lie over the tiles, before anything of it is drawn.
public struct OverlayRequest: Hashable, Sendable {
  /// Text or an image for a while.
  package struct Row: Hashable, Sendable {
    /// What it shows.
    package enum Content: Hashable, Sendable {
      /// Letters.
      case text(String)
      /// The path of an image.
      case image(String)
    }

    /// When it is there; nil is to the end.
    package var from: MediaTime, to: MediaTime?
    /// What it shows.
    package var content: Content
    /// Where on the canvas it is.
    package var anchor: Anchor
    /// How much of it is seen, 0...1.
    package var opacity: Double
    /// The height of an image as a part of the canvas's, 0...1.
    package var height: Double

    /// `content` at `anchor`, all along unless more is said.
    package init(
      _ content: Content, at anchor: Anchor, from: MediaTime = .zero, to: MediaTime? = nil,
      opacity: Double = 1, height: Double = 0.08
    ) {
      (self.content, self.anchor, self.from, self.to) = (content, anchor, from, to)
      (self.opacity, self.height) = (opacity, height)
    }
  }

  /// A card with a title at the beginning.
  public struct Title: Hashable, Sendable {
    /// The text, of several lines; no card where it is empty.
    public var text: String
    /// The time for which it is shown; more than zero.
    public var length: MediaTime

    /// `text` for `length`.
    public init(text: String, length: MediaTime) { (self.text, self.length) = (text, length) }

    /// No card, where another output has one: an empty text.
    package static let none = Title(text: "", length: MediaTime(seconds: 3))
  }

  /// A running clock.
  package enum Clock: Hashable, Sendable {
    /// The time since the call began.
    case call
    /// The time of the day, that many minutes ahead of UTC.
    case wall(zone: Int)
  }

  /// The path of a picture that fills the background.
  package var background: String?
  /// Text and images, each above the one before.
  package var rows: [Row] = []
  /// Captions that are drawn.
  package var captions: [CaptionCue] = []
  /// Whether the call's transcript is drawn as captions, too.
  package var drawsTranscript = false
  /// How the words are colored that are drawn while they are said; nil where none are.
  package var words: WordColor?
  /// A clock.
  package var clock: Clock?
  /// A title at the beginning.
  package var title: Title?
  /// The only time at which anything of it will be looked at; nil is all that is rendered. What
  /// lies outside is not drawn.
  package var interval: TimeRange?

  /// Nothing.
  package init() {}
}

/// The color of a word that is said.
package enum WordColor: String, Hashable, Sendable, CaseIterable {
  /// That of the look.
  case accent
  /// The speaker's own.
  case speaker
}

extension OverlayRequest.Clock {
  /// The zone as people write it, `UTC`, `UTC+2` or `UTC-3:30`; nothing for a time that has none.
  package var zoneText: String {
    guard case .wall(let zone) = self else { return "" }
    let (hours, minutes) = (abs(zone) / 60, abs(zone) % 60)
    guard zone != 0 else { return "UTC" }
    let rest = minutes == 0 ? "" : ":\(minutes < 10 ? "0" : "")\(minutes)"
    return "UTC\(zone < 0 ? "-" : "+")\(hours)\(rest)"
  }
}
