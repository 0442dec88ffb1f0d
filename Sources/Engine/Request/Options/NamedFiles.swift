public import TesseraLayout
public import TesseraLettering
public import TesseraPixels
import TesseraRecordings

/// Who goes where: a layout of the catalog or of a file, by its text, or a policy of one's own.
public enum LayoutOption: Sendable {
  /// A layout's name with its options, as in `speaker:strip=left`, or the path of a layout file:
  /// what contains a slash, or ends in `.json` or `.css`.
  case named(String)
  /// A policy that the program brings. It has no text: other processes cannot be given it.
  case policy(any LayoutPolicy)
}

extension LayoutOption: FileOptionValue {
  package init?(option text: String) { self = .named(text) }

  package var optionText: String { if case .named(let text) = self { text } else { "" } }

  package var file: String? {
    get {
      guard case .named(let text) = self,
        text.contains("/") || text.hasSuffix(".json") || text.hasSuffix(".css")
      else { return nil }
      return text
    }
    set { if let newValue { self = .named(newValue) } }
  }
}

/// The colors, plates and cards of tiles: a theme by its name or its file, or one of one's own.
public enum ThemeOption: Sendable {
  /// A built-in theme's name, or the path of a theme file.
  case named(String)
  /// A theme that the program brings.
  case theme(Theme)
}

extension ThemeOption: FileOptionValue {
  package init?(option text: String) { self = .named(text) }

  package var optionText: String {
    switch self {
    case .named(let text): text
    case .theme(let theme): theme.name
    }
  }

  package var file: String? {
    get {
      guard case .named(let text) = self, Theme.named(text) == nil,
        text.contains("/") || text.contains(".")
      else { return nil }
      return text
    }
    set { if let newValue { self = .named(newValue) } }
  }
}

/// What shows between tiles.
public enum BackgroundOption: Hashable, Sendable {
  /// A color.
  case color(Color)
  /// The path of an image, which fills the canvas.
  case image(String)
}

extension BackgroundOption: FileOptionValue {
  package init?(option text: String) { self = Color(text).map(Self.color) ?? .image(text) }

  package var optionText: String {
    switch self {
    case .color(let color): color.description
    case .image(let path): path
    }
  }

  package var file: String? {
    get { if case .image(let path) = self { path } else { nil } }
    set { if let newValue { self = .image(newValue) } }
  }
}

/// Captions that are drawn.
public enum CaptionsOption: Hashable, Sendable {
  /// What is said, with names.
  case transcript
  /// The path of a file in WebVTT or SubRip.
  case file(String)
  /// What is said, a few words at a time, the one that is said emphasized, in the speaker's color or
  /// in one for all.
  case words(bySpeaker: Bool)

  /// The word that stands for the transcript.
  package static let word = "transcript"
  /// The words that stand for words.
  private static let (wordsName, coloredName) = ("words", "words:color=speaker")
}

extension CaptionsOption: FileOptionValue {
  package init?(option text: String) {
    switch text {
    case Self.word: self = .transcript
    case Self.wordsName, "\(Self.wordsName):color=accent": self = .words(bySpeaker: false)
    case Self.coloredName: self = .words(bySpeaker: true)
    default: self = .file(text)
    }
  }

  package var optionText: String {
    switch self {
    case .transcript: Self.word
    case .file(let path): path
    case .words(let bySpeaker): bySpeaker ? Self.coloredName : Self.wordsName
    }
  }

  package var file: String? {
    get { if case .file(let path) = self { path } else { nil } }
    set { if let newValue { self = .file(newValue) } }
  }
}

/// A path with options after it: `logo.png:corner=top-right,height=0.1`.
package protocol PathWithOptions: FileOptionValue {
  init(path: String)

  /// The path.
  var path: String { get set }
  /// The options that it has, in their order.
  var pathOptions: [(key: String, value: String)] { get }

  /// Takes an option; false where there is none of that name or the value does not suit it.
  mutating func take(_ key: String, _ value: String) -> Bool
}

extension PathWithOptions {
  /// nil where there is no path, or what follows the colon is not made of options.
  package init?(option text: String) {
    let (path, rest) = OutputWish.split(text)
    let options = rest.dropFirst().split(separator: ",").map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    guard !path.isEmpty else { return nil }
    self.init(path: path)
    for option in options {
      guard option.count == 2, take(option[0], option[1]) else { return nil }
    }
  }

  package var optionText: String {
    let options = pathOptions.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
    return options.isEmpty ? path : "\(path):\(options)"
  }

  package var file: String? {
    get { path }
    set { if let newValue { path = newValue } }
  }
}

/// An image over the tiles.
public struct Watermark: Hashable, Sendable {
  /// The image's path.
  public var path: String
  /// Where on the canvas it is.
  public var corner = Anchor.bottomRight
  /// How much of it is seen, 0...1.
  public var opacity = 0.8
  /// Its height as a part of the canvas's, 0.001...1.
  public var height = 0.08

  /// The image at `path`.
  public init(path: String) { self.path = path }
}

extension Watermark: PathWithOptions {
  package var pathOptions: [(key: String, value: String)] {
    [("corner", corner.rawValue), ("opacity", "\(opacity)"), ("height", "\(height)")]
  }

  package mutating func take(_ key: String, _ value: String) -> Bool {
    switch key {
    case "corner":
      guard let anchor = Anchor(rawValue: value) else { return false }
      corner = anchor
    case "opacity":
      guard let number = Double(value), (0...1).contains(number) else { return false }
      opacity = number
    case "height":
      guard let number = Double(value), (0.001...1).contains(number) else { return false }
      height = number
    default: return false
    }
    return true
  }
}

/// Captions that players can turn on and off: a file, or what is said.
public struct CaptionTrackOption: Hashable, Sendable {
  /// The path of a file in WebVTT or SubRip, or `transcript` for what is said.
  public var path: String
  /// The language as three letters of ISO 639-2; nil where it is not known.
  public var language: String?
  /// What players call it; nil leaves that to them.
  public var title: String?
  /// True if players show the captions unless the viewer turns them off.
  public var isDefault = false

  /// The captions in the file at `path`.
  public init(path: String) { self.path = path }
}

extension CaptionTrackOption: PathWithOptions {
  package var pathOptions: [(key: String, value: String)] {
    [("language", language), ("title", title), ("default", isDefault ? "on" : nil)]
      .compactMap { key, value in value.map { (key, $0) } }
  }

  package mutating func take(_ key: String, _ value: String) -> Bool {
    switch key {
    case "language":
      // ISO 639-2, as MP4 has it.
      guard value.utf8.count == 3, value.utf8.allSatisfy({ 97...122 ~= $0 }) else { return false }
      language = value
    case "title": title = value
    case "default":
      guard ["on", "off"].contains(value) else { return false }
      isDefault = value == "on"
    default: return false
    }
    return true
  }

  /// Whether it is not a file, but what is said.
  package var isTranscript: Bool { path == CaptionsOption.word }

  package var file: String? {
    get { isTranscript ? nil : path }
    set { if let newValue { path = newValue } }
  }
}
