import ArgumentParser
import Foundation
import TesseraCodecs
import TesseraDelivery
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem
import TesseraTimeline

/// `tessera plan`.
struct PlanCommand: CallCommand, ProgressCommand, RenderRequestOptions {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Plans a render and divides it into segments, for workers on any machine.",
    usage: "tessera plan INPUT... -o plan.json [render's options]",
    discussion: """
      "tessera segment", "tessera soundtrack" and "tessera stitch" read the plan. It names the inputs as \
      they were given; workers need them under the same names.
      """)

  @OptionGroup
  var input: InputOptions

  @OptionGroup
  var picture: PictureOptions

  @OptionGroup
  var encoding: EncodingOptions

  @OptionGroup(title: "Outputs")
  var others: AdditionalOutputsOptions

  @OptionGroup(title: "Part")
  var range: TimeRangeOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Plan to write.", valueName: "plan.json"),
    completion: .file())
  var output: String

  @Option(help: "Format of the video that the pieces are for (default: mp4).")
  var container: ContainerArgument?

  @Flag(help: "Print the segments, their costs, and the disk and memory that they need.")
  var explain = false

  @Flag(
    help:
      "Print the number of segments and the memory, disk and processor time that they need, as JSON."
  )
  var json = false

  @Flag("overwrite")
  var overwrite = false

  @Flag("accept-losses")
  var acceptLosses = false

  @OptionGroup
  var progress: ProgressOptions

  var parsed: RenderRequest?

  func request() throws -> RenderRequest {
    let request = request(of: input.inputs, to: try others.requested(besides: ""))
    guard try !Location(output).isRemote else { return request }
    // A plan in a local file cannot name remote outputs.
    for other in request.outputs.dropFirst() where try Location(other.destination).isRemote {
      throw StorageError(
        .usage,
        "\(option: "also") \(file: other.destination): a plan with outputs in a bucket has to be in a bucket, too; give -o "
          + "s3://bucket/work/plan.json, or name files.")
    }
    return request
  }

  var places: [OutputLocation] { [OutputLocation(output, isPlan: true)] }

  func run(_ session: TransferSession, _ printer: ProgressPrinter) throws {
    let (request, output, context) = (session.request, session.places[0].file, session.context)
    // Unpacked archives are uploaded with the plan, or stay for its workers.
    try context.unpacked.keep(
      in: session.places[0].location == nil
        ? URL(fileURLWithPath: NSTemporaryDirectory()).path : "\(session.folder)/unpacked")
    let (sidecars, files) = (request.sidecars, request.inputFiles + others.files)
    try OutputFile.require(output, protecting: files, overwriting: overwrite, mark: .member)
    try sidecars.requireTexts(protecting: files + [output], overwriting: overwrite)
    let call = try session.callRequest()
    var wanted = try request.outputs(with: call.input, in: "")
    wanted[0].format = container?.container
    var protected = files + [output] + sidecars.texts
    for output in wanted.dropFirst() {
      try output.require(protecting: protected, overwriting: true)
      protected.append(output.destination)
    }
    let (outputs, plans) = try request.plans(
      for: wanted, of: call, cancellation: context.cancellation)
    let plan = plans[0]
    printer.finish()
    try sidecars.requireTexts(protecting: plan.files, overwriting: overwrite)
    let losses = plans.announce(context)
    if let still = outputs.first(where: \.isStill) {
      throw RenderError(
        .usage,
        "\(file: still.destination): pictures are made by \"tessera render\", not by a plan's pieces."
      )
    }
    let work = WorkPlan(try renditions(plans, as: outputs.flatMap(\.targets)))
    let file = try OutputFile(
      output, protecting: files + work.files, overwriting: overwrite, mark: .member)
    try work.write(as: file)
    try sidecars.writeTexts(
      of: plan, named: request.recordingName(output), protecting: files + [output],
      overwriting: overwrite)
    let named = work.named(by: session.names)
    if json {
      try StandardOutput.write(try JSONOutput.text(ResourceEstimates(named)))
    } else if explain {
      try StandardOutput.write(
        Data((named.explanation.spellingOutControls(exceptNewlines: true) + "\n").utf8))
    } else {
      let pieces = work.soundPieceCount
      StandardOutput.print(
        "\(self.output): segments 0 to \(work.sections.count - 1), and the soundtrack"
          + (pieces > 0 ? " with its pieces 0 to \(pieces - 1)" : ""))
    }
    try StandardError.finish(self.output, hasLosses: !losses.isEmpty, accepted: acceptLosses)
  }

  private func renditions(
    _ plans: [Plan], as targets: [RenderTarget]
  ) throws(RenderError) -> [RenditionPlan] {
    var made: [RenditionPlan] = []
    for (plan, target) in zip(plans, targets) {
      let isFile = made.isEmpty && target.rung == nil
      made.append(
        isFile
          ? RenditionPlan(plan, container: container?.container ?? .mp4)
          : try RenditionPlan(plan, as: target))
    }
    return made
  }
}
