import ArgumentParser
import TesseraDelivery
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraTimeline

/// `tessera preview`.
struct PreviewCommand: CallCommand, ProgressCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Draws single frames of a render without rendering the rest.",
    usage: """
      tessera preview INPUT... --at T -o STILL.png [options]
      tessera preview INPUT... --every S --sheet -o SHEET.png [options]
      """)

  @OptionGroup
  var input: InputOptions

  @OptionGroup
  var picture: PictureOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("PNG file to write.", valueName: "file.png"),
    completion: .file(extensions: ["png"]))
  var output: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time of the frame: seconds or [hh:]mm:ss[.mmm].", valueName: "t"))
  var at: MediaTime?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds between pictures.", valueName: "s"))
  var every: MediaTime?

  @Flag(help: "Put the pictures of --every into one file.")
  var sheet = false

  @Flag("overwrite")
  var overwrite = false

  @Flag("accept-losses")
  var acceptLosses = false

  @OptionGroup
  var progress: ProgressOptions

  var parsed: RenderRequest?

  mutating func validate() throws {
    try parse()
    guard (at != nil) != (every != nil), sheet == (every != nil) else {
      throw ValidationError("give either --at T, or --every S with --sheet.")
    }
    guard output.lowercased().hasSuffix(".png") else {
      throw ValidationError("preview writes PNG files; give -o a name that ends in .png.")
    }
  }

  /// Returns the range from a minute before `time` to a minute after it. The frame shown at `time`
  /// is inside for every frame rate.
  private static func surroundings(of time: MediaTime) -> TimeRange {
    let minute = MediaTime(seconds: 60)
    return TimeRange(start: time - minute, end: time + minute)
  }

  func request() throws -> RenderRequest { request(of: input.inputs) }

  var places: [OutputLocation] { [OutputLocation(output)] }

  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws {
    let (request, output, context) = (session.request, session.places[0].file, session.context)
    let (sidecars, files) = (request.sidecars, request.inputFiles)
    try OutputFile.require(
      output, protecting: files, overwriting: overwrite, mark: .record)
    try sidecars.requireTexts(protecting: files + [output], overwriting: overwrite)
    let call = try session.callRequest()
    var rendition = try request.rendition(of: call.input)
    rendition.overlays.interval = at.map { Self.surroundings(of: $0) }
    let plan = try Planner.plan(rendition, of: call, cancellation: context.cancellation)
    printer.finish()
    try sidecars.requireTexts(protecting: plan.files, overwriting: overwrite)
    let known = [plan].announce(context)
    var stills = StillRenderer(
      plan, readers: call.readers, progress: call.progress, cancellation: context.cancellation)
    (stills.protected, stills.isOverwriting) = (files, overwrite)
    var found: [Loss] = []
    if let at { found += try stills.writeFrame(at: at, to: output) }
    if let every { found += try stills.writeSheet(every: every, to: output) }
    printer.finish()
    try sidecars.writeTexts(
      of: plan, named: request.recordingName(output), protecting: files + [output],
      overwriting: overwrite)
    found.announce(context)
    StandardOutput.print(self.output)
    try StandardError.finish(
      self.output, hasLosses: !(known + found).isEmpty, accepted: acceptLosses)
  }
}
