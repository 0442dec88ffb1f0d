import ArgumentParser
import Foundation
import TesseraDelivery
import TesseraJobs
import TesseraLayout
import TesseraMessages
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// `tessera layout`.
struct LayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Draws a layout with a number of participants, without any recording.",
    usage: "tessera layout NAME --count N [--size WxH] -o layout.svg",
    discussion: "Layouts and their options, with values and defaults:\n"
      + LayoutCatalog.layouts.map(describe).joined(separator: "\n"))

  private static func describe(_ layout: NamedLayout) -> String {
    layout.options.reduce("  \(layout.name): \(layout.summary)") {
      $0 + "\n      \($1.key)=\($1.values) (\($1.standard)): \($1.meaning)"
    }
  }

  @Argument(
    help: ArgumentHelp("Layout, or layout file.", valueName: "name[:k=v,…]"),
    completion: .list(LayoutCatalog.names))
  var layout: String

  @Option(
    parsing: .unconditional,
    help: "Number of participants; a layout file names them 1, 2 and so on.")
  var count = 7

  @Option(
    help: ArgumentHelp(
      "Canvas in pixels; one side may be auto (default: 1280x720, or the size of a layout file).",
      valueName: "wxh"))
  var size: ProposedSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Distance between tiles in pixels (default: 0.6 % of the short side).", valueName: "px"))
  var gap: Double?

  @Option(
    parsing: .unconditional,
    help: "Maximum number of tiles; the last one counts everyone without a tile (default: 25).")
  var maxTiles: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of the active speaker, from 1.", valueName: "k"))
  var speaking: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of the tile that is a shared screen, from 1.", valueName: "k"))
  var screen: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of the focused participant, from 1.", valueName: "k"))
  var focus: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of the local participant, from 1.", valueName: "k"))
  var local: Int?

  @Option(
    help: ArgumentHelp(
      "Aspect ratios of the pictures in turn, width over height.", valueName: "ratio,…"))
  var aspects = AspectRatioList([16.0 / 9.0])

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Two numbers of participants, between which the transition is drawn in nine steps.",
      valueName: "from to"))
  var animate: [Int] = []

  @Flag(help: "Print the tiles as JSON.")
  var json = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("SVG file to write.", valueName: "layout.svg"),
    completion: .file(extensions: ["svg"]))
  var output: String?

  @Flag("overwrite")
  var overwrite = false

  func validate() throws {
    guard (1...1000).contains(count) else {
      throw ValidationError("--count takes 1 to 1000 participants.")
    }
    guard animate.allSatisfy({ (0...1000).contains($0) }) else {
      throw ValidationError("--animate takes 0 to 1000 participants.")
    }
    guard animate.isEmpty || animate.count == 2 else {
      throw ValidationError("--animate takes two counts, as in --animate 4 5.")
    }
    let most = animate.max() ?? count
    let people = [
      ("speaking", speaking), ("screen", screen), ("focus", focus), ("local", local),
    ]
    for case (let name, let person?) in people where !(1...max(1, most)).contains(person) {
      throw ValidationError("--\(name) \(person) is none of the \(most) people.")
    }
    if let problem = size?.problem { throw ValidationError("--size \(problem)") }
    if let maxTiles, !RenditionOptions.tileCounts.contains(maxTiles) {
      throw ValidationError("--max-tiles takes 1 to 1000.")
    }
    guard json != (output != nil), output?.lowercased().hasSuffix(".svg") != false else {
      throw ValidationError("give either -o and a name that ends in .svg, or --json.")
    }
  }

  func run() throws {
    do {
      try draw()
    } catch let error as LayoutError {
      throw RenderError(.usage, "\(error)")
    }
  }

  private func draw() throws {
    let policy = try LayoutOption.named(layout).policy()
    let counts = animate.isEmpty ? [count] : animate
    let proposed =
      size ?? policy.resolution.map(ProposedSize.init) ?? ProposedSize(width: 1280, height: 720)
    let (canvas, gap) = policy.measure(proposed, items: items(counts.max() ?? count), gap: gap)
    let engine = try LayoutEngine(
      policy: policy, canvas: canvas, gap: gap, maximumTiles: maxTiles ?? 25)
    if maxTiles != nil, policy.overflow == .everyone {
      StandardError.print(
        "note: --max-tiles has no effect, as this layout decides itself who is shown.")
    }
    let steps = try steps(counts, engine)
    if json {
      let tiles = steps.map { LayoutStep.JSON($0, canvas: canvas) }
      try StandardOutput.write(
        try animate.isEmpty ? JSONOutput.text(tiles[0]) : JSONOutput.text(tiles))
    } else if let output {
      let file = try OutputFile(
        output, protecting: [LayoutOption.named(layout).file].compactMap { $0 },
        overwriting: overwrite)
      try file.write(Data(LayoutSVG(canvas: canvas, steps: steps).text.utf8))
    }
  }

  /// Returns the layouts to draw: one, or nine moments of the transition from the first count to
  /// the second.
  private func steps(_ counts: [Int], _ engine: LayoutEngine) throws(LayoutError) -> [LayoutStep] {
    let transition = LayoutTransition.standard
    let start = MediaTime(seconds: 1)
    let changes = zip([MediaTime.zero, start], counts).map { time, count in
      LayoutChange(time: time, items: items(count))
    }
    let timeline = try LayoutTimeline(
      changes, engine: engine, transition: transition, frameRate: FrameRate(16) ?? .thirty)
    warn(of: timeline, engine.policy.namesItsSources ? "never" : "not at this moment")
    guard counts.count > 1 else {
      return [LayoutStep(time: .zero, attributes: timeline.attributes(at: .zero))]
    }
    return (0...8).map { step in
      let elapsed = MediaTime(nanoseconds: transition.duration.nanoseconds * Int64(step) / 8)
      return LayoutStep(time: elapsed, attributes: timeline.attributes(at: start + elapsed))
    }
  }

  /// Prints which tiles the layout places but does not show, and which it shows only `when`.
  private func warn(of timeline: LayoutTimeline, _ when: String) {
    let all = 0..<(animate.max() ?? count)
    let report = { (who: [Int], what: String) in
      guard !who.isEmpty else { return }
      let numbers = who.map { "\($0 + 1)" }.listed(most: 8)
      StandardError.print("\(what) \(who.count > 1 ? "people" : "person") \(numbers).")
    }
    report(
      all.filter { !timeline.offCanvasTimes(of: $0, before: MediaTime(seconds: 2)).isEmpty },
      "warning: the layout has no place on the canvas for")
    report(
      all.filter(timeline.isOutOfSight), "note: this layout shows only some at once, and \(when)")
  }

  private func items(_ count: Int) -> [LayoutItem] {
    (0..<count).map { index in
      LayoutItem(
        id: index, sources: ["\(index + 1)"], kind: screen == index + 1 ? .screen : .camera,
        aspectRatio: aspects.values[index % aspects.values.count], isLocal: local == index + 1,
        isFocused: focus == index + 1, isSpeaking: speaking == index + 1)
    }
  }
}

/// The value of an option that lists aspect ratios, such as `16:9,4:3` or `1.78`.
struct AspectRatioList: ExpressibleByArgument {
  let values: [Double]

  init(_ values: [Double]) { self.values = values }

  init?(argument: String) {
    let values = argument.split(separator: ",", omittingEmptySubsequences: false).map { ratio in
      let sides = ratio.split(separator: ":").compactMap { Double($0) }
      return sides.count == 2 ? sides[0] / sides[1] : sides.count == 1 ? sides[0] : 0
    }
    guard values.allSatisfy({ $0 > 0.05 && $0 < 20 }) else { return nil }
    self.values = values
  }

  var defaultValueDescription: String { "16:9" }
}
