import TesseraDocuments
public import TesseraLayout
public import TesseraLettering
import TesseraMessages
public import TesseraPixels
import TesseraRecordings
package import TesseraSystem

/// The layout of an output: a layout of the catalog, a layout file, or a policy that the program
/// supplies.
public enum LayoutOption: Sendable {
  /// A layout's name with its options, such as `speaker:strip=none`, or the path of a layout file.
  /// A text with a slash, or one that ends in `.json` or `.css`, is a path.
  case named(String)
  /// A layout policy that the program supplies. It has no text form and cannot be sent to worker
  /// processes.
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

  /// Returns the layout policy of the program, or of the catalog's layout with this name. The option
  /// names no file.
  ///
  /// - Throws: ``RenderError`` if no layout has that name or an option of the layout is invalid.
  package func withoutFile() throws(RenderError) -> any LayoutPolicy {
    switch self {
    case .policy(let policy): return policy
    case .named(let text):
      return try RenderError.refusing { () throws(LayoutError) in try LayoutCatalog.policy(text) }
    }
  }
}

/// The theme of an output (colors, name plates and cards): a name, a file, or a theme that the
/// program supplies.
public enum ThemeOption: Sendable {
  /// The name of a built-in theme, or the path of a theme file.
  case named(String)
  /// A theme that the program supplies.
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

  /// Returns the theme of the program, or the built-in theme with this name. The option names no
  /// file.
  ///
  /// - Throws: ``RenderError`` if no theme has that name.
  package func withoutFile() throws(RenderError) -> Theme {
    switch self {
    case .theme(let theme): return theme
    case .named(let text):
      if let known = Theme.named(text) { return known }
      let names = Theme.builtIn.map(\.name)
      let hint = text.nearest(among: names).map { "did you mean \"\($0)\"?" }
      throw RenderError(
        .usage,
        "unknown theme \"\(text)\": \(hint ?? "the themes are \(names.joined(separator: ", ")).")")
    }
  }
}

/// The background between tiles.
public enum BackgroundOption: Hashable, Sendable {
  case color(Color)
  /// The path of an image, scaled to fill the canvas.
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

/// The source of captions that are drawn into the picture.
public enum CaptionsOption: Hashable, Sendable {
  /// The transcript of the call, with speaker names.
  case transcript
  /// The path of a WebVTT or SubRip file.
  case file(String)
  /// A few words of the transcript at a time, with the spoken word emphasized: in the speaker's
  /// color, or in one color for all.
  case words(bySpeaker: Bool)

  /// The option text for captions from the transcript.
  package static let word = "transcript"
  /// The option texts for captions word by word.
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

/// An option value made of a path followed by options: `logo.png:corner=top-right,height=0.1`.
package protocol PathWithOptions: FileOptionValue {
  init(path: String)

  var path: String { get set }
  /// The options that are set, in the order in which they are written.
  var pathOptions: [(key: String, value: String)] { get }

  /// Sets an option. Returns false if `key` is unknown or `value` is invalid for it.
  mutating func take(_ key: String, _ value: String) -> Bool
}

extension PathWithOptions {
  /// Reads a path and its options. Returns `nil` if there is no path, or an option is malformed,
  /// unknown or invalid.
  package init?(option text: String) {
    let (path, rest) = SessionOutput.split(text)
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

/// An image drawn over the tiles.
public struct Watermark: Hashable, Sendable {
  public var path: String
  /// The corner or edge of the canvas at which the image is placed.
  public var corner = AnchorPoint.bottomRight
  /// The opacity, `0...1`.
  public var opacity = 0.8
  /// The image's height as a fraction of the canvas height, `0.001...1`.
  public var height = 0.08

  /// Creates a watermark from the image at `path`.
  public init(path: String) { self.path = path }
}

extension Watermark: PathWithOptions {
  package var pathOptions: [(key: String, value: String)] {
    [("corner", corner.rawValue), ("opacity", "\(opacity)"), ("height", "\(height)")]
  }

  package mutating func take(_ key: String, _ value: String) -> Bool {
    switch key {
    case "corner":
      guard let anchor = AnchorPoint(rawValue: value) else { return false }
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

/// A caption track that players can turn on and off, made from a file or from the transcript.
public struct CaptionTrackOption: Hashable, Sendable {
  /// The path of a WebVTT or SubRip file, or `transcript` for the call's transcript.
  public var path: String
  /// The language as an ISO 639-2 code of three letters; `nil` if it is unknown.
  public var language: String?
  /// The title that players show for the track; `nil` lets players choose one.
  public var title: String?
  /// True if players show the captions unless the viewer turns them off.
  public var isDefault = false

  /// Creates a track from the captions in the file at `path`.
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
      // MP4 stores languages as ISO 639-2 codes.
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

  /// True if the captions come from the call's transcript instead of a file.
  package var isTranscript: Bool { path == CaptionsOption.word }

  package var file: String? {
    get { isTranscript ? nil : path }
    set { if let newValue { path = newValue } }
  }
}
