import ArgumentParser
import Foundation
import TesseraMedia
import TesseraRendering
import TesseraTimeline

/// `tessera render`.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Renders recordings into one MP4.",
    usage: "tessera render INPUT... -o OUT.mp4 [options]")

  @OptionGroup(title: "Picture")
  var picture: PictureOptions

  @OptionGroup(title: "Encoding")
  var encoding: EncodingOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to make.", valueName: "out.mp4"))
  var output: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where to begin: seconds or [hh:]mm:ss[.mmm].", valueName: "t"))
  var from: MediaTime?

  @Option(parsing: .unconditional, help: ArgumentHelp("Where to end.", valueName: "t"))
  var to: MediaTime?

  @Flag(help: "Fail instead of rendering with losses.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "Write what every input contributed and lost into this file.", valueName: "file.json"))
  var report: String?

  @Option(help: "How to tell how far it is: auto, bar, json or none.")
  var progress = ProgressStyle.auto

  func validate() throws {
    guard output.lowercased().hasSuffix(".mp4") else {
      throw ValidationError("render makes MP4 files; give -o a name that ends in .mp4.")
    }
  }

  func run() throws {
    Interrupts.install()
    let cancellation = Interrupts.cancellation
    try OutputFile.require(output, protecting: picture.files)
    if let report { try OutputFile.require(report, protecting: picture.files + [output]) }
    let kernels = try picture.kernels()
    let plan = try Planner.plan(try request(), cancellation: cancellation)
    let known = Set(Terminal.announce(plan))
    let renderer = Renderer(
      plan, kernels: kernels, isStrict: strict, cancellation: cancellation)
    let printer = ProgressPrinter(progress)
    defer { printer.finish() }
    let result = try renderer.render(to: output) { printer.update($0) }
    printer.finish()
    for loss in result.allLosses where !known.contains(loss) {
      Terminal.say("warning: \(loss.sentence)")
    }
    if let report {
      var file = try OutputFile(report, protecting: picture.files + [output])
      try file.write(try JSONFile.text(result))
    }
    StandardOutput.say(Summary.line(result))
    if result.hasLosses { throw ExitStatus.renderedWithLosses }
  }

  private func request() throws(RenderError) -> RenderRequest {
    var request = try picture.request(encoding)
    (request.from, request.to) = (from, to)
    return request
  }
}
