import ArgumentParser
import Foundation
import TesseraDocuments
import TesseraJobs
import TesseraLayout
import TesseraLettering
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline

/// How tiles and canvas look around the pictures.
struct LookOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Colors, plates and cards: \(Theme.builtIn.map(\.name).joined(separator: ", ")), or a file.",
      valueName: "name|file"),
    completion: .list(Theme.builtIn.map(\.name)))
  var theme = "dark"

  @Option(
    help: ArgumentHelp("Whether tiles carry names (as the theme has it).", valueName: "on|off"))
  var names: Switch?

  @Option(
    help: ArgumentHelp(
      "Whether the active speaker has a frame (as the theme has it).", valueName: "on|off"))
  var highlightSpeaker: Switch?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The radius of tiles' corners (as the theme has it).", valueName: "px"))
  var cornerRadius: Double?

  @Option(
    help: ArgumentHelp(
      "What shows between the tiles: #rrggbb, #rgb, a name such as navy, or an image.",
      valueName: "color|image"),
    completion: .file())
  var background: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The point of somebody's picture that cropping keeps in sight, from 0 to 1.",
      valueName: "person=x,y"))
  var fitFocus: [PersonValue] = []

  @Option(
    help: ArgumentHelp(
      "An image over the tiles.", valueName: "image[:corner=…,opacity=…,height=…]"),
    completion: .file())
  var watermark: Watermark?

  @Option(
    help: ArgumentHelp(
      "A title over the whole canvas at the beginning.", valueName: "text[:seconds=…]"))
  var titleCard: TitleCard?

  @Option(
    defaultAsFlag: ClockChoice.call, parsing: .next,
    help: ArgumentHelp(
      "A running clock: call (the time since the beginning) or wall (of the day, in UTC).",
      valueName: "call|wall[:zone=+hh:mm]"))
  var clock: ClockChoice?

  @Option(
    help: ArgumentHelp(
      "Captions to draw: WebVTT or SubRip, or what is said, with names (transcript).",
      valueName: "file.vtt|.srt|transcript"),
    completion: .file(extensions: ["vtt", "srt"]))
  var captions: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long the last picture of a camera is held before its card comes; 0 is for ever.",
      valueName: "seconds"))
  var freezeAfter = MediaTime(seconds: 5)

  func validate() throws {
    if let cornerRadius, !(0...540).contains(cornerRadius) {
      throw ValidationError("--corner-radius takes 0 to 540 pixels.")
    }
    if case .unknown(let text) = clock {
      throw ValidationError(
        "--clock cannot be \"\(text)\": give call, wall, or wall:zone=+02:00.")
    }
    for focus in fitFocus where Self.point(focus) == nil {
      throw ValidationError(
        "--fit-focus cannot be \"\(focus.text)\": give a person and a point from 0,0 to 1,1, such as "
          + "ada=0.5,0.3.")
    }
  }

  private static func point(_ value: PersonValue) -> Point? {
    let parts = value.value.split(separator: ",").compactMap { Double($0) }
    guard parts.count == 2, parts.allSatisfy({ (0...1).contains($0) }) else { return nil }
    return Point(x: parts[0], y: parts[1])
  }

  /// The files that are read.
  var files: [String] {
    let isFile = Theme.named(theme) == nil
    return [isFile ? theme : nil, backgroundImage, watermark?.path, captionsFile]
      .compactMap { $0 }
  }

  /// The file with captions; nil where there is none, or they are what is said.
  private var captionsFile: String? { captions == TranscriptOption.word ? nil : captions }

  private var backgroundImage: String? {
    background.flatMap { Color($0) == nil ? $0 : nil }
  }

  /// The background's color, where one is given.
  var backgroundColor: Color? { background.flatMap { Color($0) } }

  /// How tiles look.
  func style() throws(RenderError) -> TileStyle {
    var style = TileStyle(try resolvedTheme())
    if let names { style.showsNames = names == .on }
    if let highlightSpeaker { style.highlightsSpeaker = highlightSpeaker == .on }
    style.cornerRadius = cornerRadius
    return style
  }

  private func resolvedTheme() throws(RenderError) -> Theme {
    if let known = Theme.named(theme) { return known }
    guard theme.contains("/") || theme.contains(".") else {
      let names = Theme.builtIn.map(\.name)
      let hint = theme.nearest(among: names).map { "did you mean \"\($0)\"?" }
      throw RenderError(
        .usage,
        "unknown theme \"\(theme)\": \(hint ?? "the themes are \(names.joined(separator: ", ")).")")
    }
    let bytes = try InputFile.read(theme, "theme")
    do throws(DocumentError) {
      return try Theme(bytes, file: theme)
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }

  /// What lies over the tiles.
  private func overlays(_ notes: inout [String]) throws(RenderError) -> OverlayRequest {
    var overlays = OverlayRequest()
    try requireBackground()
    overlays.background = backgroundImage
    if let watermark {
      overlays.rows.append(
        OverlayRequest.Row(
          .image(watermark.path), at: watermark.corner, opacity: watermark.opacity,
          height: watermark.height))
    }
    if let titleCard {
      overlays.title = OverlayRequest.Title(text: titleCard.text, length: titleCard.length)
    }
    overlays.clock = clock?.clock
    overlays.drawsTranscript = captions == TranscriptOption.word
    if let captionsFile { overlays.captions = try InputFile.captions(captionsFile, &notes) }
    return overlays
  }

  /// Refuses a background that is neither a color nor a file.
  private func requireBackground() throws(RenderError) {
    guard let text = backgroundImage, !FileManager.default.fileExists(atPath: text) else { return }
    let hint = text.nearest(among: Color.names).map { "did you mean \($0)? Else give" } ?? "give"
    throw RenderError(
      .usage,
      "--background \(text) is neither a color nor a picture that is there: \(hint) #rrggbb, a color "
        + "such as navy, or the path of a PNG, JPEG, WebP or GIF file.")
  }

  /// Asks for what is said here.
  func apply(to rendition: inout Rendition) throws(RenderError) {
    rendition.overlays = try overlays(&rendition.notes)
    rendition.longestHold = freezeAfter > .zero ? freezeAfter : nil
    rendition.fitFocus = fitFocus.compactMap { focus in
      Self.point(focus).map { FitFocus(person: focus.person, point: $0) }
    }
  }
}

/// `on` or `off`.
enum Switch: String, ExpressibleByArgument, CaseIterable {
  case on
  case off
}

/// An image over the tiles: `logo.png:corner=top-right,opacity=0.6,height=0.1`.
struct Watermark: PathWithOptions {
  let path: String
  private(set) var corner = Anchor.bottomRight
  private(set) var opacity = 0.8
  private(set) var height = 0.08

  init(path: String) { self.path = path }

  mutating func take(_ key: String, _ value: String) -> Bool {
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

/// A title: `Weekly sync:seconds=4`.
struct TitleCard: ExpressibleByArgument {
  let text: String
  let length: MediaTime

  init?(argument: String) {
    guard let range = argument.range(of: ":seconds=", options: .backwards) else {
      (text, length) = (argument, MediaTime(seconds: 3))
      return
    }
    guard let length = MediaTime(String(argument[range.upperBound...])), length > .zero else {
      return nil
    }
    (text, self.length) = (String(argument[..<range.lowerBound]), length)
  }
}
