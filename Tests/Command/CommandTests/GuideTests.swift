import ArgumentParser
import Foundation
import TesseraCodecs
import TesseraDocuments
import TesseraLayout
import TesseraLettering
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCommand

/// The guides' statements on options, formats, commands and defaults match the program.
@Suite("Claims of the guides", .timed) struct GuideClaimTests {
  private static func guide(_ name: String) throws -> String {
    try String(
      contentsOf: SourceTree.root.appending(path: "Sources/Tessera/Tessera.docc/\(name).md"),
      encoding: .utf8
    ).replacing("\n", with: " ")
  }

  /// Returns the words in code voice between two texts.
  private static func words(_ guide: String, from: String, to: String) throws -> [String] {
    let start = try #require(guide.firstRange(of: from)).upperBound
    let end = try #require(guide[start...].firstRange(of: to)).lowerBound
    return guide[start..<end].split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test("The table of audio encoders matches the formats") func encoders() throws {
    let guide = try Self.guide("Sound")
    for container in OutputContainer.allCases {
      let row = try #require(
        guide.split(separator: "| `.").first { $0.hasPrefix("\(container.rawValue)`") }
          ?? guide.split(separator: "`.").first { $0.hasPrefix("\(container.rawValue)` | ") })
      let cells = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().prefix(2)
      let named = cells.joined().split(separator: "`").filter { $0.contains { $0.isLetter } }
      #expect(named.map(String.init) == container.soundCodecs.map(\.rawValue), "\(row)")
    }
    let outputs = try Self.guide("Outputs")
    for ending in OutputContainer.endings { #expect((guide + outputs).contains("`\(ending)`")) }
  }

  @Test("The list of commands with JSON progress, and their phases, matches")
  func progress() throws {
    let guide = try Self.guide("Outputs")
    let named = try Self.words(guide, from: "`--progress json` of ", to: " prints a JSON object")
    let commands = Program.configuration.subcommands.filter { command in
      command.helpMessage(includeHidden: false).contains("--progress <")
    }
    #expect(
      Set(named) == Set(commands.compactMap { $0.configuration.commandName }), "\(named)")
    let phases = try Self.words(guide, from: "and `phase` (", to: "); the last one")
    #expect(phases.count == 13)
    for phase in phases where phase != "batch" {
      #expect(
        PlanningProgress.Phase(rawValue: phase) != nil
          || RenderProgress.Phase(rawValue: phase) != nil, "\(phase)")
    }
    let others = try Self.words(
      guide, from: "Messages before the first phase", to: ", or the phase")
    #expect(others == ["starting", "result", "done"])
    let refused = try TesseraTool.run(["render", "a.webm", "--progress", "json", "--unknown"])
    #expect(refused.messages.contains(#""phase":"starting","type":"result""#), "\(refused)")
  }

  @Test("The list of commands that read from buckets matches; others suggest a solution")
  func buckets() throws {
    let named = try Self.words(
      try Self.guide("Storage"), from: "Inputs of ", to: ", and files that options name")
    let commands = Program.configuration.subcommands.filter { $0 is any CallCommand.Type }
      .compactMap { $0.configuration.commandName }.filter { $0 != "stitch" }
    #expect(Set(named.filter { !$0.hasPrefix("-") }) == Set(commands + ["render"]), "\(named)")
    let result = try TesseraTool.run(["export", "s3://bucket/call/", "-o", "call.otio"])
    #expect(result.status == 2 && result.messages.contains("stay on this machine"), "\(result)")
  }

  @Test("Each example of a plan in a work folder creates that folder first") func workFolders()
    throws
  {
    for example in try Self.guide("Cluster").split(separator: "```")
    where example.contains("tessera plan") && example.contains("-o work/plan.json") {
      let before = try #require(example.firstRange(of: "tessera plan")).lowerBound
      #expect(example[..<before].contains("mkdir -p work"), "\(example)")
    }
  }

  @Test("Defaults of a watermark, a title and a kept place match")
  func defaults() throws {
    let (look, layouts) = (try Self.guide("Look"), try Self.guide("Layouts"))
    for (key, value) in Watermark(path: "a.png").pathOptions {
      #expect(look.contains("`\(key)=\(value)`"), "\(key)")
    }
    #expect(look.contains("a title from the first picture on for 3 s"))
    let title = try #require(OverlayRequest.TitleCard(option: "Sync"))
    #expect(title.length == MediaTime(seconds: 3))
    let kept = try #require(ReservedPlaceOption(option: "ada"))
    let row = "`--keep-visible PERSON[:size=…,place=…]` | nobody; `\(kept.size)`, `\(kept.place)`"
    #expect(layouts.contains(row))
    #expect(layouts.contains("--animate 4 5"))
  }

  @Test("Keyframe distances match") func keyframes() throws {
    let words = "every 10 s where something moves, every 30 s elsewhere, and every 5 s in HLS"
    #expect(try Self.guide("Recordings").contains(words))
    var video = VideoEncoderSettings(
      size: PixelSize(width: 64, height: 36), frameRate: FrameRate.thirty)
    #expect(video.movingKeyframeInterval == 300 && video.keyframeInterval == 900)
    video.placesAllKeyframes = true
    #expect(video.movingKeyframeInterval == 150 && video.keyframeInterval == 150)
  }

  @Test("Limits of edit lists match") func edits() throws {
    let guide = try Self.guide("Editing")
    #expect(guide.contains("A list with more than 100,000 parts is refused."))
    #expect(guide.contains("The file may be 2 MB of YAML"))
    func text(_ count: Int) -> String {
      var edits = EditList()
      edits.cut = (0..<count).map {
        EditList.EditedRange(from: MediaTime(seconds: 4 * $0), to: MediaTime(seconds: 4 * $0 + 1))
      }
      return edits.text
    }
    for count in [40_000, 100_000] {
      let document = text(count)
      let bytes = Array(document.utf8)
      #expect(document.hasPrefix("{") == (count == 100_000), "\(bytes.count)")
      let read = try EditList(try DocumentValue(bytes, .yaml, file: "e.yaml"), file: "e.yaml")
      #expect(read.cut.count == count)
    }
  }

  @Test("Defaults in the help are those of the code") func helpDefaults() throws {
    let help = Dictionary(
      uniqueKeysWithValues: RenderRequest.rows.map { ($0.row.name, $0.row.help) })
    let video = VideoEncoderSettings(
      size: PixelSize(width: 64, height: 36), frameRate: FrameRate.thirty)
    let rendition = Rendition(output: OutputFormat(video: video))
    let defaults = [
      "theme": rendition.output.style.theme.name, "filter": "\(rendition.output.filter)",
      "fit": "\(rendition.output.fit)", "tiles": "\(rendition.tiles)",
      "max-tiles": "\(rendition.maximumTiles)", "transition": "\(rendition.transition.duration)",
      "duck": "\(Int(rendition.duck))", "encoder": OutputContainer.mp4.videoEncoder,
      "preset": video.preset ?? "",
    ]
    for (name, value) in defaults {
      let text = try #require(help[name])
      #expect(text.contains("(default: \(value)"), "\(name)")
    }
    #expect(CallRequest.defaultLongestDuration == MediaTime(seconds: 24 * 3600))
    #expect(help["max-duration"]?.contains("(default: 24:00:00)") == true)
    // Without a distance of the theme, it depends on the canvas.
    let gap = try #require(help["gap"])
    for theme in Theme.builtIn {
      #expect(gap.contains("\(Int(theme.gap)) for \(theme.name)") == (theme.gap > 0))
    }
    let square = ProposedSize(width: 1000, height: 1000)
    #expect(gap.contains("otherwise 0.6 %"))
    #expect(GridLayout().measure(square, items: [], gap: nil).gap == 6)
  }

  @Test("An error of an option names its accepted values") func errors() throws {
    var request = RenderRequest("in", to: "out.mp4")
    let loudness = #expect(throws: OptionError.self) { try request.set("loudness", ["-41"]) }
    #expect("\(loudness.map { "\($0)" } ?? "")".contains("LUFS from -40 to -8"))
    #expect(
      OutputRequest.unknownEnding("b.mp4,size=640x360,fps=5").commandLine
        == "b.mp4,size=640x360,fps=5: the options of an output follow a colon: "
        + "b.mp4:size=640x360,fps=5.")
    let argument = "b.mp4:watermark=a.png:corner=top-left,opacity=0.5"
    let comma = #expect(throws: RenderError.self) { try OutputRequest(text: argument) }
    #expect(comma?.message.contains("A value with commas stands in quotation marks") == true)
  }
}
