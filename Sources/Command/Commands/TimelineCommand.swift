import ArgumentParser
import Foundation
import TesseraDelivery
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest

/// `tessera timeline`.
struct TimelineCommand: CallCommand, ProgressCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Draws when each participant is present, seen and heard, without rendering.",
    usage: "tessera timeline INPUT... -o OUT.svg [options]")

  @OptionGroup
  var input: InputOptions

  @OptionGroup
  var picture: PictureOptions

  @OptionGroup(title: "Part")
  var range: TimeRangeOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("SVG file to write.", valueName: "out.svg"),
    completion: .file(extensions: ["svg"]))
  var output: String

  @Flag("overwrite")
  var overwrite = false

  @Flag("accept-losses")
  var acceptLosses = false

  @OptionGroup
  var progress: ProgressOptions

  var parsed: RenderRequest?

  mutating func validate() throws {
    try parse()
    guard output.lowercased().hasSuffix(".svg") else {
      throw ValidationError("timeline writes SVG files; give -o a name that ends in .svg.")
    }
  }

  func request() throws -> RenderRequest { request(of: input.inputs) }

  var places: [OutputLocation] { [OutputLocation(output)] }

  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws {
    let (request, output, context) = (session.request, session.places[0].file, session.context)
    let cancellation = context.cancellation
    let (sidecars, files) = (request.sidecars, request.inputFiles)
    try OutputFile.require(output, protecting: files, overwriting: overwrite)
    try sidecars.requireTexts(protecting: files + [output], overwriting: overwrite)
    var call = try session.callRequest()
    call.wantsTurns = true
    let rendition = try request.rendition(of: call.input)
    let analyses = VoiceAnalyses(cancellation: cancellation)
    let plan = try Planner.plan(
      rendition, of: call, cancellation: cancellation, analyses: analyses)
    printer.finish()
    let losses = [plan].announce(context)
    let voices = try analyses.hear(plan)
    printer.finish()
    let file = try OutputFile(
      output, protecting: files + plan.files, overwriting: overwrite)
    try file.write(Data(TimelineSVG(plan, voices: voices).svg.utf8))
    try sidecars.writeTexts(
      of: plan, named: request.recordingName(output), protecting: files + [output],
      overwriting: overwrite)
    StandardOutput.print(self.output)
    try StandardError.finish(
      self.output, hasLosses: !losses.isEmpty, accepted: acceptLosses)
  }
}
